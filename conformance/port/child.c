/* Starting a process, talking to it against a deadline, and ending it. */
#include "child.h"
#include "conformance/case/clock.h"
#include "keeper.h"
#include "limits.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

enum { LIMITS_FAILED = 126 };

/* ---- starting -------------------------------------------------------------------------------- */

/* Everything but its standard input, output and error: what a port inherits it can write to, and the suite's own
 * sockets carry verdicts. Descriptors that a library opened without FD_CLOEXEC are among them. */
static void close_others(void)
{
#ifdef SYS_close_range
    if (!syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0))
        return;
#endif
    long last = sysconf(_SC_OPEN_MAX);
    for (int fd = STDERR_FILENO + 1; fd < (last > 0 ? last : 1024); fd++)
        close(fd);
}

/* Between fork and exec. A session of its own has no terminal, whose Ctrl-C would reach it too, and it does not outlive
 * us; nor does what a shell starts. */
static void become(const char *const argv[], int socket, FILE *words, const limits *most, pid_t parent)
{
    setsid();
    end_with_parent(SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (words)
        dup2(fileno(words), STDERR_FILENO);
    if (dup2(socket, STDIN_FILENO) >= 0 && dup2(socket, STDOUT_FILENO) >= 0) {
        close_others();
        if (!strcmp(argv[0], SHELL))
            keep_group(parent);
        if (limits_apply(most))
            _exit(LIMITS_FAILED);
        execvp(argv[0], (char *const *)(const void *)argv);
    }
    _exit(127);
}

static FILE *open_words(void)
{
    FILE *words = getenv("COTANGENT_STDERR") ? NULL : tmpfile();
    if (words)
        fcntl(fileno(words), F_SETFD, FD_CLOEXEC);
    return words;
}

int socket_pair(int ends[2])
{
    int fd;
    while ((fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0 && fd <= STDERR_FILENO)
        fcntl(fd, F_SETFD, 0); /* a caller may have closed them; a socket must not take their place */
    if (fd >= 0)
        close(fd);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

/* No process: everything is put back, and errno says why there is none. */
static int give_up(int ends[2], FILE *words)
{
    int why = errno;
    close(ends[0]);
    close(ends[1]);
    if (words)
        fclose(words);
    errno = why;
    return -1;
}

int child_start(child *c, const char *const argv[])
{
    int ends[2];
    limits most;
    char why[LIMITS_WHY];
    *c = (child){ 0 };
    if (limits_read(getenv(LIMITS_VARIABLE), &most, why)) {
        errno = EINVAL;
        return -1;
    }
    if (socket_pair(ends))
        return -1;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    FILE *words = open_words();
    pid_t us = getpid(), pid = fork();
    if (pid < 0)
        return give_up(ends, words);
    if (!pid)
        become(argv, ends[1], words, &most, us);
    close(ends[1]);
    *c = (child){ pid, us, ends[0], 0, words };
    return 0;
}

int child_ours(const child *c) { return c->pid > 0 && c->owner == getpid(); }

/* ---- time -------------------------------------------------------------------------------------- */

double process_starved(pid_t pid)
{
    char path[64];
    unsigned long long ran = 0, waited = 0;
    snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)pid);
    FILE *file = pid > 0 ? fopen(path, "re") : NULL;
    if (!file)
        return 0;
    int read = fscanf(file, "%llu %llu", &ran, &waited);
    fclose(file);
    return read == 2 ? 1e-9 * (double)waited : 0;
}

/* ---- talking --------------------------------------------------------------------------------- */

static child_state wait_for(const child *c, short events, double deadline)
{
    double left = deadline + process_starved(c->pid) - c->starved - clock_now();
    struct pollfd one = { c->socket, events, 0 };
    if (left <= 0)
        return CHILD_LATE;
    int ready = poll(&one, 1, (int)(left * 1000) + 1);
    return ready >= 0 || errno == EINTR ? CHILD_FINE : CHILD_GONE; /* late is found at the next call */
}

/* After a transfer of `moved` bytes: on, wait, or give up. */
static child_state go_on(const child *c, ssize_t moved, short events, double deadline)
{
    if (moved > 0 || (moved < 0 && errno == EINTR))
        return CHILD_FINE;
    return moved < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? wait_for(c, events, deadline) : CHILD_GONE;
}

void child_clock(child *c) { c->starved = process_starved(c->pid); }

child_state child_send(child *c, const void *bytes, size_t size, double deadline)
{
    child_state state = CHILD_FINE;
    for (size_t done = 0; done < size && state == CHILD_FINE;) {
        ssize_t moved = send(c->socket, (const char *)bytes + done, size - done, MSG_NOSIGNAL);
        state = go_on(c, moved, POLLOUT, deadline);
        done += moved > 0 ? (size_t)moved : 0;
    }
    return state;
}

child_state child_receive(child *c, void *bytes, size_t size, double deadline)
{
    child_state state = CHILD_FINE;
    for (size_t done = 0; done < size && state == CHILD_FINE;) {
        ssize_t moved = recv(c->socket, (char *)bytes + done, size - done, 0);
        state = go_on(c, moved, POLLIN, deadline);
        done += moved > 0 ? (size_t)moved : 0;
    }
    return state;
}

/* ---- ending ---------------------------------------------------------------------------------- */

static int reap(pid_t pid, double seconds, int *status)
{
    double deadline = clock_now() + seconds;
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (clock_now() > deadline)
            return -1;
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    }
    return 0;
}

/* The last line of what it said, where it said anything: ": free(): invalid pointer". */
static void add_last_words(FILE *words, char *how, size_t size)
{
    char text[256];
    size_t used = strlen(how), got = 0;
    if (words && (!fseek(words, -(long)(sizeof text - 1), SEEK_END) || !fseek(words, 0, SEEK_SET)))
        got = fread(text, 1, sizeof text - 1, words);
    while (got && (unsigned char)text[got - 1] <= ' ')
        got--;
    text[got] = 0;
    char *line = strrchr(text, '\n');
    if (got)
        snprintf(how + used, size - used, ": %s", line ? line + 1 : text);
}

static void describe_end(int status, char *how, size_t size)
{
    if (WIFSIGNALED(status))
        snprintf(how, size, "was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(how, size,
                 WEXITSTATUS(status) == 127 ? "could not be started (exit status %d)" : "exited with status %d",
                 WEXITSTATUS(status));
}

void child_end(child *c, child_state state, char *how, size_t size)
{
    int status = 0;
    if (child_ours(c))
        shutdown(c->socket, SHUT_RDWR); /* the end of its input, even where a fork has kept the socket open */
    if (c->pid)
        close(c->socket);
    if (child_ours(c)) {
        if (state == CHILD_LATE || reap(c->pid, 2, &status)) {
            if (kill(-c->pid, SIGKILL)) /* it may not have come to a group of its own yet */
                kill(c->pid, SIGKILL);
            reap(c->pid, 10, &status);
        } else {
            kill(-c->pid, SIGKILL); /* what it may have started */
        }
        describe_end(status, how, size);
        add_last_words(c->words, how, size);
    }
    if (c->words)
        fclose(c->words);
    *c = (child){ 0 };
}
