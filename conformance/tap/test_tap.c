/* The TAP producer: it runs itself in ways that fail, and reads what came of it. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static int sample(const char *which)
{
    if (!strcmp(which, "good")) {
        plan(3);
        ok(1, "a %s", "name");
        is("a", "a");
        cmp_ok(3, ">", 2, "three # more than two");
    } else if (!strcmp(which, "bad")) {
        plan(NO_PLAN);
        ok(0, "fails");
        is("got \"this\"", NULL, "no string");
        cmp_ok(3, "<", 2, "three");
        cmp_mem("abc", "abd", 3, "memory");
        isnt("a", "a", "the same");
    } else if (!strcmp(which, "skip")) {
        plan(3);
        skip(1, 2, "no device");
        ok(0, "never run");
        end_skip;
        todo("later");
        ok(0, "not yet");
        end_todo;
    } else if (!strcmp(which, "none")) {
        plan(SKIP_ALL, "no %s here", "GPU");
    } else if (!strcmp(which, "short")) {
        plan(2);
        pass("one of two");
    } else if (!strcmp(which, "bail")) {
        plan(2);
        BAIL_OUT("the %s is gone", "device");
    }
    return done_testing();
}

/* What the sample prints on stdout, and its exit status. */
static const char *run(const char *program, const char *which, int *status)
{
    static char text[4096];
    char command[1024];
    snprintf(command, sizeof command, "'%s' %s 2>&1", program, which);
    FILE *pipe = popen(command, "r");
    size_t length = pipe ? fread(text, 1, sizeof text - 1, pipe) : 0;
    text[length] = 0;
    *status = pipe ? WEXITSTATUS(pclose(pipe)) : -1;
    return text;
}

static void prints(const char *program, const char *which, int wanted, const char *const *lines)
{
    int status;
    const char *text = run(program, which, &status);
    cmp_ok(status, "==", wanted, "%s: exit status", which);
    for (; *lines; lines++)
        if (!ok(strstr(text, *lines) != NULL, "%s: prints %s", which, *lines))
            diag("it printed: %s", text);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return sample(argv[1]);
    plan(NO_PLAN);
    prints(argv[0], "good", 0,
           (const char *[]){ "TAP version 13\n1..3\n", "ok 1 - a name\n", "ok 2\n", "three \\# more", NULL });
    prints(argv[0], "bad", 5,
           (const char *[]){ "not ok 1 - fails\n  ---\n  at: \"",
                             "got: \"got \\\"this\\\"\"\n  expected: null\n  ...\n",
                             "got: 3\n  operator: \"<\"\n  expected: 2", "offset: 2\n  got: 0x63\n  expected: 0x64",
                             "unexpected: \"a\"", "1..5\n", "failed 5 of 5 tests", NULL });
    prints(argv[0], "skip", 0,
           (const char *[]){ "ok 2 # SKIP no device\n", "not ok 3 - not yet # TODO later\n", NULL });
    prints(argv[0], "none", 0, (const char *[]){ "1..0 # SKIP no GPU here\n", NULL });
    prints(argv[0], "short", 255, (const char *[]){ "planned 2 tests and ran 1", NULL });
    prints(argv[0], "bail", 255, (const char *[]){ "Bail out! the device is gone\n", NULL });
    prints(argv[0], "empty", 255, (const char *[]){ "1..0\n", NULL });
    return done_testing();
}
