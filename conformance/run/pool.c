/* Processes that judge: fed with cases, heard, watched, and replaced where they are lost. */
#include "pool.h"
#include "conformance/case/clock.h"
#include "conformance/describe/describe.h"
#include "conformance/port/child.h"
#include "sound.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 4, RING = 1024, MOST_JOBS = 256, MOST_LOST = 200, LATE_COUNTS = 40, MOST_HUNG = 5, MOMENT = 10 };
enum { PHASES_SIZE = MOST_JOBS * sizeof(judge_phase) };

typedef struct worker {
    pid_t pid; /* 0: none yet */
    int fd;
    int greeted;
    int64_t queue[WINDOW]; /* numbers of its cases, oldest first */
    int queued;
    double since;   /* it has been at the oldest for no longer than this, */
    double starved; /* and had by then waited so long for a processor */
    size_t have;    /* bytes of */
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
    volatile judge_phase *phases; /* of each worker, in memory that it shares with us */
    int64_t given, delivered;     /* cases so far, which are their numbers */
    struct {
        result r;
        int guess; /* asked: what it is right for */
        int done;
        int late; /* once: it is tried again, alone */
    } ring[RING];
    int again;          /* cases that were late once and wait until nothing else runs */
    worker *one;        /* who is at such a case; NULL: nobody is */
    int lost;           /* cases that were, counted in their order; those that were late weigh more */
    double hung;        /* seconds that calls which did not come back have cost, of delivered cases */
    double until;       /* when it stops; 0: when it is done */
    headline right_for; /* the last that was asked */
    char remark[REMARK_SIZE], device[REMARK_SIZE];
    char ended[320];
};

typedef enum loss { LOSS_ENDED, LOSS_LATE, LOSS_GARBLED } loss; /* of a worker */

/* ---- processes ------------------------------------------------------------------------------- */

/* A group of its own: Ctrl-C is the suite's to handle, and a worker ends with everything that it has started. */
static void become_worker(const pool *p, int fd, volatile judge_phase *phase)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    for (int i = 0; i < p->settings.jobs; i++)
        if (p->workers[i].pid && p->workers[i].fd != fd)
            close(p->workers[i].fd);
    worker_run(fd, &p->settings.brief, phase);
}

static void begin_clock(worker *w)
{
    w->since = clock_now();
    w->starved = process_starved(w->pid);
}

/* What it has had of its time: a machine with too much to do is not its fault. */
static double time_taken(const worker *w) { return clock_now() - w->since - (process_starved(w->pid) - w->starved); }

static int start(pool *p, worker *w)
{
    int ends[2];
    fflush(stdout);
    fflush(stderr);
    p->phases[w - p->workers] = PHASE_BACKEND;
    if (socket_pair(ends))
        return -1;
    pid_t pid = fork();
    if (!pid) {
        close(ends[0]);
        become_worker(p, ends[1], &p->phases[w - p->workers]);
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
    begin_clock(w);
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

/* ---- results --------------------------------------------------------------------------------- */

static void unqueue(pool *p, worker *w)
{
    memmove(w->queue, w->queue + 1, (size_t)--w->queued * sizeof *w->queue);
    p->one = w == p->one ? NULL : p->one;
    if (w->pid)
        begin_clock(w);
}

static void settle(pool *p, worker *w, const answer *a, int lost)
{
    int64_t number = w->queue[0];
    result *r = &p->ring[number % RING].r;
    r->seconds = clock_now() - w->since;
    unqueue(p, w);
    r->status = a->status;
    r->v = a->v;
    r->lost = lost;
    r->hung = a->hung;
    if (p->ring[number % RING].guess)
        p->right_for = a->right_for;
    p->ring[number % RING].done = 1;
}

static void end_with(pool *p, const char *what, const verdict *v)
{
    char why[WHY_SIZE];
    describe_why(v, why);
    snprintf(p->ended, sizeof p->ended, "%s%.200s", what, why);
}

/* Enough has been lost: the rest would be too. */
static void count_lost(pool *p, const result *r)
{
    double most = MOST_HUNG * p->settings.brief.patience;
    p->lost += r->lost == LOST_LATE ? LATE_COUNTS : r->lost;
    p->hung += r->hung;
    if (r->lost && p->lost >= MOST_LOST)
        end_with(p, "too many cases lost their process; the last: ", &r->v);
    else if (r->hung > 0 && p->hung >= most)
        snprintf(p->ended, sizeof p->ended,
                 "calls of the backend that did not come back have cost %.3g s, five times --timeout", p->hung);
}

static void deliver_ready(pool *p)
{
    while (p->delivered < p->given && p->ring[p->delivered % RING].done) {
        const result *r = &p->ring[p->delivered % RING].r;
        p->ring[p->delivered % RING].done = p->ring[p->delivered % RING].late = 0;
        p->delivered++;
        p->deliver(p->self, r);
        count_lost(p, r);
        if (*p->ended)
            return;
    }
}

static int ask(const pool *p, const worker *w, int64_t number)
{
    task asked;
    memset(&asked, 0, sizeof asked); /* padding too */
    asked.c = p->ring[number % RING].r.c;
    asked.guess = p->ring[number % RING].guess;
    return send_all(w->fd, &asked, sizeof asked); /* where that fails it has died, which step will notice */
}

static int hand_over(pool *p, const worker *w)
{
    for (int i = 0; i < w->queued; i++)
        if (ask(p, w, w->queue[i]))
            return -1;
    return 0;
}

/* How a process ended: by a signal, by itself, or because it was late; while it called the backend, or in the judge. */
enum { ENDED_LATE, ENDED_BY_SIGNAL, ENDED_BY_ITSELF };
static const reason lost_reasons[][3] = {
    [PHASE_BACKEND] = { REASON_LATE, REASON_DIED, REASON_EXITED },
    [PHASE_JUDGE] = { REASON_JUDGE_LATE, REASON_JUDGE_DIED, REASON_JUDGE_EXITED },
};

void lost_verdict(verdict *v, judge_phase phase, int late, int status, double patience)
{
    int how = late ? ENDED_LATE : WIFSIGNALED(status) ? ENDED_BY_SIGNAL : ENDED_BY_ITSELF;
    *v = (verdict){ .seconds = patience };
    verdict_fail_count(v, lost_reasons[phase == PHASE_JUDGE][how], NULL, /* the clauses speak of calls that come back */
                       how == ENDED_BY_SIGNAL ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Late for the first time: perhaps for what ran beside it. */
static void postpone(pool *p, worker *w)
{
    p->ring[w->queue[0] % RING].late = 1;
    p->again++;
    unqueue(p, w);
}

/* What it was at has failed, or is tried once more; what it had not come to goes to its successor. */
static void replace(pool *p, worker *w, loss how)
{
    answer a = { .status = COT_INTERNAL };
    judge_phase phase = p->phases[w - p->workers];
    int status = end(w);
    lost_verdict(&a.v, phase, how == LOSS_LATE, status, p->settings.brief.patience);
    if (how == LOSS_GARBLED) {
        a.v = (verdict){ 0 };
        verdict_fail(&a.v, REASON_JUDGE_GARBLED, NULL);
    }
    if (!w->greeted) {
        end_with(p, "while the backend was opened: ", &a.v);
        return;
    }
    if (w->queued && how == LOSS_LATE && !p->ring[w->queue[0] % RING].late)
        postpone(p, w);
    else if (w->queued)
        settle(p, w, &a, how == LOSS_LATE ? LOST_LATE : LOST_DIED);
    if (start(p, w))
        snprintf(p->ended, sizeof p->ended, "no new process: %s", strerror(errno));
    else
        hand_over(p, w);
}

/* ---- talking --------------------------------------------------------------------------------- */

static void greet(pool *p, worker *w)
{
    w->greeted = 1;
    begin_clock(w);
    memcpy(p->remark, w->message.hello.remark, sizeof p->remark);
    memcpy(p->device, w->message.hello.device, sizeof p->device);
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
        replace(p, w, LOSS_ENDED);
        return;
    }
    w->have += (size_t)got;
    if (w->have < whole)
        return;
    w->have = 0;
    if (w->greeted ? !w->queued || !answer_is_sound(&w->message.a) : !greeting_is_sound(&w->message.hello))
        replace(p, w, LOSS_GARBLED);
    else if (!w->greeted)
        greet(p, w);
    else
        settle(p, w, &w->message.a, 0);
}

static int busy(const worker *w) { return w->pid && (w->queued || !w->greeted); }

static int time_left(const pool *p) /* in milliseconds, until the first is late */
{
    double first = 1e9, at = clock_now();
    for (int i = 0; i < p->settings.jobs; i++)
        if (busy(&p->workers[i]) && p->workers[i].since < first)
            first = p->workers[i].since;
    first += p->settings.brief.patience;
    double left = ((p->until > 0 && p->until < first ? p->until : first) - at) * 1000;
    return left < MOMENT ? MOMENT : left > 1000 ? 1000 : (int)left + 1;
}

/* The next case that was late once, as soon as nothing else is in hand. */
static void try_alone(pool *p)
{
    int64_t number = p->delivered;
    for (int i = 0; i < p->settings.jobs; i++)
        if (p->workers[i].queued)
            return;
    if (!p->again || !p->workers[0].greeted)
        return;
    while (!p->ring[number % RING].late || p->ring[number % RING].done)
        number++;
    p->again--;
    p->one = &p->workers[0];
    p->one->queue[p->one->queued++] = number;
    begin_clock(p->one);
    hand_over(p, p->one);
}

int pool_is_late(const pool *p) { return p->until > 0 && clock_now() > p->until; }

static int stopped(const pool *p) { return *p->ended || (p->settings.stop && *p->settings.stop) || pool_is_late(p); }

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
        else if (busy(of[i]) && time_taken(of[i]) > p->settings.brief.patience)
            replace(p, of[i], LOSS_LATE);
    }
    if (!stopped(p))
        try_alone(p);
    if (!stopped(p))
        deliver_ready(p);
}

/* ---- the pool -------------------------------------------------------------------------------- */

pool *pool_open(const pool_settings *settings, char why[256])
{
    pool *p = calloc(1, sizeof *p);
    void *shared = mmap(NULL, PHASES_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!p || shared == MAP_FAILED) {
        snprintf(why, 256, "out of memory");
        free(p);
        return NULL;
    }
    p->phases = shared;
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
    if (p)
        munmap((void *)(uintptr_t)p->phases, PHASES_SIZE);
    free(p);
}

void pool_deliver_to(pool *p, deliver_fn *deliver, void *self)
{
    p->deliver = deliver;
    p->self = self;
    p->lost = 0;
    p->hung = 0;
}

void pool_limit(pool *p, double seconds) { p->until = clock_now() + seconds; }

const char *pool_remark(const pool *p) { return p->remark; }

const char *pool_device(const pool *p) { return p->device; }

const char *pool_ended(const pool *p) { return p->ended; }

/* Who has least to do; a process that is not there yet has less than one with work. NULL: all have enough. */
static worker *idlest(pool *p)
{
    worker *best = NULL;
    for (int i = 0; i < p->settings.jobs && !p->one; i++)
        if (p->workers[i].queued < WINDOW && (!best || p->workers[i].queued < best->queued))
            best = &p->workers[i];
    return p->given - p->delivered < RING ? best : NULL;
}

static int give(pool *p, const test_case *c, int guess)
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
    p->ring[p->given % RING].guess = guess;
    if (!w->queued)
        begin_clock(w);
    w->queue[w->queued++] = p->given;
    ask(p, w, p->given++);
    return 0;
}

int pool_judge(pool *p, const test_case *c) { return give(p, c, 0); }

int pool_drain(pool *p)
{
    while (!stopped(p) && p->delivered < p->given)
        step(p);
    return stopped(p);
}

static void ignore(void *self, const result *r) { (void)self, (void)r; }

int pool_guess(pool *p, const test_case *c, headline *right_for)
{
    pool_deliver_to(p, ignore, NULL);
    p->right_for = (headline){ .wrong = 0 };
    if (give(p, c, 1) || pool_drain(p))
        return 0;
    *right_for = p->right_for;
    return right_for->guess.kind != GUESS_NOTHING;
}
