/* Prints TAP: a numbered line for each test, its diagnostics, and the plan. */
#include "tap.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int planned = NO_PLAN, ran, failed;
static int started;
static char todo_reason[256]; /* empty: not in a todo block */

static void start(void)
{
    if (started++)
        return;
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("TAP version 13");
}

void tap_plan(int tests, ...)
{
    start();
    planned = tests;
    if (tests > 0)
        printf("1..%d\n", tests);
    if (tests != SKIP_ALL)
        return;
    va_list list;
    va_start(list, tests);
    const char *reason = va_arg(list, const char *);
    printf("1..0 # SKIP ");
    if (reason)
        vprintf(reason, list);
    va_end(list);
    putchar('\n');
    exit(0);
}

/* Names are one line, and `#` would start a directive. */
static void print_name(va_list list)
{
    char name[512] = "";
    const char *format = va_arg(list, const char *);
    if (!format)
        return;
    vsnprintf(name, sizeof name, format, list);
    fputs(" - ", stdout);
    for (const char *c = name; *c; c++)
        *c == '\n' ? fputs("\\n", stdout) : *c == '#' ? fputs("\\#", stdout) : putchar(*c);
}

static int report(int test, va_list list)
{
    start();
    printf("%sok %d", test ? "" : "not ", ++ran);
    print_name(list);
    if (*todo_reason)
        printf(" # TODO %s", todo_reason);
    else if (!test)
        failed++;
    putchar('\n');
    return test;
}

static void begin_yaml(const char *file, int line) { printf("  ---\n  at: \"%s:%d\"\n", file, line); }

static void yaml_string(const char *key, const char *value)
{
    printf("  %s: ", key);
    if (!value) {
        puts("null");
        return;
    }
    putchar('"');
    for (const char *c = value; *c; c++)
        *c == '\n' ? fputs("\\n", stdout) : *c == '"' || *c == '\\' ? printf("\\%c", *c) : putchar(*c);
    puts("\"");
}

static void end_yaml(void) { puts("  ..."); }

int tap_ok(const char *file, int line, int test, ...)
{
    va_list list;
    va_start(list, test);
    report(test, list);
    va_end(list);
    if (!test) {
        begin_yaml(file, line);
        end_yaml();
    }
    return test;
}

static int compare_strings(const char *file, int line, const char *got, const char *wanted, int equal, va_list list)
{
    int same = got && wanted ? !strcmp(got, wanted) : got == wanted;
    int test = report(same == equal, list);
    if (!test) {
        begin_yaml(file, line);
        yaml_string("got", got);
        yaml_string(equal ? "expected" : "unexpected", wanted);
        end_yaml();
    }
    return test;
}

int tap_is(const char *file, int line, const char *got, const char *expected, ...)
{
    va_list list;
    va_start(list, expected);
    int test = compare_strings(file, line, got, expected, 1, list);
    va_end(list);
    return test;
}

int tap_isnt(const char *file, int line, const char *got, const char *unexpected, ...)
{
    va_list list;
    va_start(list, unexpected);
    int test = compare_strings(file, line, got, unexpected, 0, list);
    va_end(list);
    return test;
}

static int holds(long long a, const char *op, long long b)
{
    // clang-format off
    const struct { const char *op; int holds; } table[] = {
        { "==", a == b }, { "!=", a != b }, { "<", a < b }, { "<=", a <= b }, { ">", a > b }, { ">=", a >= b },
        { "&", (a & b) != 0 }, { "|", (a | b) != 0 },
    };
    // clang-format on
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].op, op))
            return table[i].holds;
    tap_bail_out("cmp_ok does not know the operator %s", op);
}

int tap_cmp(const char *file, int line, long long a, const char *op, long long b, ...)
{
    va_list list;
    va_start(list, b);
    int test = report(holds(a, op, b), list);
    va_end(list);
    if (!test) {
        begin_yaml(file, line);
        printf("  got: %lld\n  operator: \"%s\"\n  expected: %lld\n", a, op, b);
        end_yaml();
    }
    return test;
}

int tap_mem(const char *file, int line, const void *got, const void *expected, size_t bytes, ...)
{
    const unsigned char *a = got, *b = expected;
    size_t i = 0;
    while (i < bytes && a[i] == b[i])
        i++;
    va_list list;
    va_start(list, bytes);
    int test = report(i == bytes, list);
    va_end(list);
    if (!test) {
        begin_yaml(file, line);
        printf("  offset: %zu\n  got: 0x%02x\n  expected: 0x%02x\n", i, a[i], b[i]);
        end_yaml();
    }
    return test;
}

int tap_diag(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("# ", stderr);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return 0;
}

int tap_note(const char *format, ...)
{
    start();
    va_list list;
    va_start(list, format);
    fputs("# ", stdout);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
    return 0;
}

void tap_skip(int count, const char *reason, ...)
{
    start();
    char text[256];
    va_list list;
    va_start(list, reason);
    vsnprintf(text, sizeof text, reason, list);
    va_end(list);
    while (count-- > 0)
        printf("ok %d # SKIP %s\n", ++ran, text);
}

void tap_todo(const char *reason, ...)
{
    va_list list;
    va_start(list, reason);
    vsnprintf(todo_reason, sizeof todo_reason, reason, list);
    va_end(list);
}

void tap_end_todo(void) { *todo_reason = 0; }

void tap_bail_out(const char *reason, ...)
{
    start();
    va_list list;
    va_start(list, reason);
    fputs("Bail out! ", stdout);
    vprintf(reason, list);
    va_end(list);
    putchar('\n');
    exit(255);
}

int tap_exit_status(void)
{
    if (planned > 0 && planned != ran)
        return 255;
    return failed > 254 ? 254 : failed;
}

/* A run without a test is a failure: it proves nothing. */
int tap_done(void)
{
    start();
    if (planned == NO_PLAN)
        printf("1..%d\n", ran);
    if (planned > 0 && planned != ran)
        tap_diag("planned %d tests and ran %d", planned, ran);
    if (failed)
        tap_diag("failed %d of %d tests", failed, ran);
    return ran ? tap_exit_status() : 255;
}
