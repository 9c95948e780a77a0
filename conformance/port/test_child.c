/* Processes that cannot be started, that end with us, and what one that waits for a processor is charged. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "child.h"
#include "conformance/case/clock.h"
#include "conformance/tap/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int no_fork, killed; /* fork fails; how often somebody was to be killed */

/* In the place of libc's: a system that has no room for another process. */
pid_t fork(void)
{
    if (no_fork) {
        errno = EAGAIN;
        return -1;
    }
    return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

int kill(pid_t pid, int number)
{
    killed++;
    return (int)syscall(SYS_kill, pid, number);
}

static const char *const nothing[] = { "/bin/true", NULL };

static int lowest_free(void)
{
    int fd = open("/dev/null", O_RDONLY);
    close(fd);
    return fd;
}

static void test_no_process(void)
{
    child c;
    char how[64] = "";
    int before = lowest_free();
    no_fork = 1;
    errno = 0;
    ok(child_start(&c, nothing) == -1 && errno == EAGAIN, "a fork that fails is said, with its reason");
    ok(!child_ours(&c), "and there is no child");
    child_end(&c, CHILD_LATE, how, sizeof how);
    cmp_ok(killed, "==", 0, "nobody is killed in its place");
    cmp_ok(lowest_free(), "==", before, "and nothing stays open");
    no_fork = 0;
    ok(!child_start(&c, nothing) && child_ours(&c), "the next one starts");
    child_end(&c, CHILD_FINE, how, sizeof how);
    is(how, "exited with status 0", "and ends");
}

static void test_closed_descriptors(void)
{
    int ends[2], kept = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    ok(!socket_pair(ends) && ends[0] > 2 && ends[1] > 2, "a socket does not take the place of a closed standard input");
    ok(fcntl(ends[0], F_GETFD) == FD_CLOEXEC && fcntl(ends[1], F_GETFD) == FD_CLOEXEC, "and nobody inherits it");
    close(ends[0]);
    close(ends[1]);
    dup2(kept, STDIN_FILENO);
    close(kept);
}

static pid_t spin(double seconds)
{
    pid_t pid = fork();
    double end = clock_now() + seconds;
    while (!pid && clock_now() < end)
        ;
    if (!pid)
        _exit(0);
    return pid;
}

/* Two processes that want the same processor have half of it each. */
static void test_starved(void)
{
    enum { SPINNERS = 3 };
    cpu_set_t one, all;
    pid_t pids[SPINNERS];
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < SPINNERS; i++)
        pids[i] = spin(1);
    nanosleep(&(struct timespec){ 0, 700000000 }, NULL);
    double waited = process_starved(pids[0]), asleep = process_starved(getpid());
    sched_setaffinity(0, sizeof all, &all);
    for (int i = 0; i < SPINNERS; i++)
        waitpid(pids[i], NULL, 0);
    if (!access("/proc/self/schedstat", R_OK))
        ok(waited > 0.2, "a process that shares a processor has waited: %.2f s of 0.7 (this one, asleep: %.2f)", waited,
           asleep);
    cmp_ok(process_starved(-1) == 0, "==", 1, "no process has waited for nothing");
}

/* The number that a file holds, once it is there: seconds are waited for it. */
static pid_t read_pid(const char *path, double seconds)
{
    int pid = 0;
    for (double end = clock_now() + seconds; !pid && clock_now() < end;) {
        FILE *file = fopen(path, "r");
        if (file && fscanf(file, "%d;", &pid) != 1)
            pid = 0;
        if (file)
            fclose(file);
        usleep(10000);
    }
    return pid;
}

static int ends_within(pid_t pid, double seconds)
{
    for (double end = clock_now() + seconds; clock_now() < end; usleep(10000))
        if (syscall(SYS_kill, pid, 0))
            return 1;
    return 0;
}

/* A worker that starts a shell, which starts a program that reads no input, and that is then killed. */
static void test_killed(void)
{
    char path[] = "/tmp/cotangent-child-XXXXXX", command[128];
    int fd = mkstemp(path);
    snprintf(command, sizeof command, "sleep 1000 & echo \"$!;\" > %s; wait", path);
    pid_t worker = fork();
    if (!worker) {
        child c;
        child_start(&c, (const char *const[]){ SHELL, "-c", command, NULL });
        pause();
    }
    pid_t program = read_pid(path, 20);
    ok(fd >= 0 && program > 0 && !syscall(SYS_kill, program, 0), "what a shell has started runs");
    kill(worker, SIGKILL);
    waitpid(worker, NULL, 0);
    ok(ends_within(program, 20), "and does not outlive a worker that is killed");
    unlink(path);
    close(fd);
}

static void test_endings(void)
{
    static const struct {
        const char *command, *how;
    } endings[] = { { "exit 3", "exited with status 3" }, { "kill -9 $$", "was killed by signal 9 (Killed)" } };
    for (int i = 0; i < 2; i++) {
        child c;
        char how[64] = "";
        child_start(&c, (const char *const[]){ SHELL, "-c", endings[i].command, NULL });
        child_end(&c, CHILD_FINE, how, sizeof how);
        is(how, endings[i].how, "a shell's command: %s", endings[i].command);
    }
}

int main(void)
{
    plan(NO_PLAN);
    test_no_process();
    test_killed();
    test_endings();
    test_closed_descriptors();
    test_starved();
    return done_testing();
}
