#include "pool.h"
#include "clauses.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 4, RING = 1024, MOST_JOBS = 256, MOST_LOST = 200, LATE_COUNTS = 40 };

typedef struct worker {
    pid_t pid; /* 0: none yet */
    int fd;
    int greeted;
    int64_t queue[WINDOW]; /* numbers of its cases, oldest first */
    int queued;
    double since; /* it has been at the oldest for no longer than this */
    size_t have;  /* bytes of */
    union {
        greeting hello;
        answer a;
        unsigned char bytes[1];
    } message;
} worker;

struct pool {
    pool_settings settings;
    deliver_fn *deliver;
    void *self;
    worker workers[MOST_JOBS];
    int64_t given, delivered; /* cases so far, which are their numbers */
    struct {
        result r;
        int done;
    } ring[RING];
    int lost; /* cases that were, counted in their order; those that were late weigh more */
    char remark[REMARK_SIZE];
    char ended[320];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- processes ------------------------------------------------------------------------------------------------------ */

/* A group of its own: Ctrl-C is the suite's to handle, and a worker ends with everything that it has started. */
static void become_worker(const pool *p, int fd)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    for (int i = 0; i < p->settings.jobs; i++)
        if (p->workers[i].pid && p->workers[i].fd != fd)
            close(p->workers[i].fd);
    worker_run(fd, &p->settings.brief);
}

static int start(pool *p, worker *w)
{
    int ends[2];
    fflush(stdout);
    fflush(stderr);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return -1;
    pid_t pid = fork();
    if (!pid) {
        close(ends[0]);
        become_worker(p, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return -1;
    }
    setpgid(pid, pid);
    w->pid = pid;
    w->fd = ends[0];
    w->greeted = 0;
    w->have = 0;
    w->since = now();
    return 0;
}

static int end(worker *w) /* the status that waitpid gives */
{
    int status = 0;
    close(w->fd);
    kill(-w->pid, SIGKILL);
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
    return status;
}

/* ---- results -------------------------------------------------------------------------------------------------------- */

static void settle(pool *p, worker *w, const answer *a, int lost)
{
    int64_t number = w->queue[0];
    result *r = &p->ring[number % RING].r;
    memmove(w->queue, w->queue + 1, (size_t)--w->queued * sizeof *w->queue);
    r->status = a->status;
    r->v = a->v;
    r->lost = lost;
    const clause *broken = clause_find(a->clause);
    r->v.clause = broken ? broken->id : NULL;
    p->ring[number % RING].done = 1;
    w->since = now();
}

static void deliver_ready(pool *p)
{
    while (p->delivered < p->given && p->ring[p->delivered % RING].done) {
        const result *r = &p->ring[p->delivered % RING].r;
        p->ring[p->delivered % RING].done = 0;
        p->delivered++;
        p->deliver(p->self, r);
        p->lost += r->lost == LOST_LATE ? LATE_COUNTS : r->lost;
        if (r->lost && p->lost >= MOST_LOST) {
            snprintf(p->ended, sizeof p->ended, "too many cases lost their process; the last: %.200s", r->v.why);
            return;
        }
    }
}

static int hand_over(pool *p, const worker *w)
{
    for (int i = 0; i < w->queued; i++)
        if (send_all(w->fd, &p->ring[w->queue[i] % RING].r.c, sizeof(test_case)))
            return -1; /* its death will be noticed */
    return 0;
}

static void fate(const pool *p, int status, int late, char *text, size_t size)
{
    if (late)
        snprintf(text, size, "no answer within %g seconds: the process was ended", p->settings.patience);
    else if (WIFSIGNALED(status))
        snprintf(text, size, "the process died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "the process ended by itself, with status %d", WEXITSTATUS(status));
}

/* What it was at has failed; what it had not come to goes to its successor. */
static void replace(pool *p, worker *w, int late)
{
    answer a = { .status = COT_INTERNAL, .clause = "ERROR-INTERNAL", .v = { .failed = 1, .failed_at = LEVEL_E } };
    int greeted = w->greeted;
    fate(p, late ? 0 : end(w), late, a.v.why, sizeof a.v.why);
    if (late)
        end(w);
    if (!greeted) {
        snprintf(p->ended, sizeof p->ended, "while the backend was opened: %.200s", a.v.why);
        return;
    }
    if (w->queued)
        settle(p, w, &a, late ? LOST_LATE : LOST_DIED);
    if (start(p, w))
        snprintf(p->ended, sizeof p->ended, "no new process: %s", strerror(errno));
    else
        hand_over(p, w);
}

/* ---- talking -------------------------------------------------------------------------------------------------------- */

static void greet(pool *p, worker *w)
{
    w->greeted = 1;
    w->since = now();
    memcpy(p->remark, w->message.hello.remark, sizeof p->remark);
    if (w->message.hello.unusable)
        snprintf(p->ended, sizeof p->ended, "%s", w->message.hello.message);
}

/* What has arrived; a message may take several calls. */
static void listen_to(pool *p, worker *w)
{
    size_t whole = w->greeted ? sizeof(answer) : sizeof(greeting);
    ssize_t got = recv(w->fd, w->message.bytes + w->have, whole - w->have, 0);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        replace(p, w, 0);
        return;
    }
    w->have += (size_t)got;
    if (w->have < whole)
        return;
    w->have = 0;
    if (!w->greeted)
        greet(p, w);
    else if (w->queued)
        settle(p, w, &w->message.a, 0);
}

static int busy(const worker *w)
{
    return w->pid && (w->queued || !w->greeted);
}

static int time_left(const pool *p) /* in milliseconds, until the first is late */
{
    double first = 1e9, at = now();
    for (int i = 0; i < p->settings.jobs; i++)
        if (busy(&p->workers[i]) && p->workers[i].since < first)
            first = p->workers[i].since;
    double left = (first + p->settings.patience - at) * 1000;
    return left < 0 ? 0 : left > 1000 ? 1000 : (int)left + 1;
}

static int stopped(const pool *p)
{
    return *p->ended || (p->settings.stop && *p->settings.stop);
}

/* Waits for something to happen, and takes it in. */
static void step(pool *p)
{
    struct pollfd fds[MOST_JOBS];
    worker *of[MOST_JOBS];
    nfds_t count = 0;
    for (int i = 0; i < p->settings.jobs; i++)
        if (p->workers[i].pid) {
            of[count] = &p->workers[i];
            fds[count++] = (struct pollfd){ .fd = p->workers[i].fd, .events = POLLIN };
        }
    int ready = poll(fds, count, time_left(p));
    for (nfds_t i = 0; i < count && !stopped(p); i++) {
        if (ready > 0 && fds[i].revents)
            listen_to(p, of[i]);
        else if (busy(of[i]) && now() - of[i]->since > p->settings.patience)
            replace(p, of[i], 1);
    }
    if (!stopped(p))
        deliver_ready(p);
}

/* ---- the pool ------------------------------------------------------------------------------------------------------- */

pool *pool_open(const pool_settings *settings, char why[256])
{
    pool *p = calloc(1, sizeof *p);
    if (!p) {
        snprintf(why, 256, "out of memory");
        return NULL;
    }
    p->settings = *settings;
    p->settings.jobs = settings->jobs < 1 ? 1 : settings->jobs > MOST_JOBS ? MOST_JOBS : settings->jobs;
    if (start(p, &p->workers[0]))
        snprintf(p->ended, sizeof p->ended, "no process: %s", strerror(errno));
    while (!stopped(p) && !p->workers[0].greeted)
        step(p);
    if (!*p->ended)
        return p;
    snprintf(why, 256, "%.255s", p->ended);
    pool_close(p);
    return NULL;
}

void pool_close(pool *p)
{
    for (int i = 0; p && i < p->settings.jobs; i++)
        if (p->workers[i].pid)
            end(&p->workers[i]);
    free(p);
}

void pool_deliver_to(pool *p, deliver_fn *deliver, void *self)
{
    p->deliver = deliver;
    p->self = self;
    p->lost = 0;
}

const char *pool_remark(const pool *p)
{
    return p->remark;
}

const char *pool_ended(const pool *p)
{
    return p->ended;
}

/* Who has least to do; a process that is not there yet has less than one with work. NULL: all have enough. */
static worker *idlest(pool *p)
{
    worker *best = NULL;
    for (int i = 0; i < p->settings.jobs; i++)
        if (p->workers[i].queued < WINDOW && (!best || p->workers[i].queued < best->queued))
            best = &p->workers[i];
    return p->given - p->delivered < RING ? best : NULL;
}

int pool_judge(pool *p, const test_case *c)
{
    worker *w = NULL;
    while (!stopped(p) && !(w = idlest(p)))
        step(p);
    if (stopped(p))
        return -1;
    if (!w->pid && start(p, w)) {
        snprintf(p->ended, sizeof p->ended, "no process: %s", strerror(errno));
        return -1;
    }
    p->ring[p->given % RING].r = (result){ .c = *c };
    if (!w->queued)
        w->since = now();
    w->queue[w->queued++] = p->given++;
    send_all(w->fd, c, sizeof *c); /* where that fails it has died, which step will notice */
    return 0;
}

int pool_drain(pool *p)
{
    while (!stopped(p) && p->delivered < p->given)
        step(p);
    return stopped(p);
}
