#include "worker.h"
#include "backends.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- moving bytes --------------------------------------------------------------------------------------------------- */

int send_all(int fd, const void *data, size_t bytes)
{
    const char *next = data;
    while (bytes) {
        ssize_t sent = send(fd, next, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return -1;
        next += sent;
        bytes -= (size_t)sent;
    }
    return 0;
}

int receive_all(int fd, void *data, size_t bytes)
{
    char *next = data;
    while (bytes) {
        ssize_t got = recv(fd, next, bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        next += got;
        bytes -= (size_t)got;
    }
    return 0;
}

/* ---- the court ------------------------------------------------------------------------------------------------------ */

enum { MOST_TWINS = 4 };

typedef struct bench {
    court seat;
    cot_backend *twins[MOST_TWINS + 1];
} bench;

/* "ref" has threads of its own; they are as many as the worker's share, unless the caller asks for something else. */
static cot_status open_on_trial(const brief *b, bench *to, cot_error *error)
{
    char share[32];
    snprintf(share, sizeof share, "threads=%d", b->threads);
    const char *options = !b->options && !strcmp(b->backend, "ref") ? share : b->options;
    cot_status status = suite_backend_open(b->backend, options, &to->seat.backend, error);
    const char *const *twin = suite_backend_twins(b->backend);
    for (int i = 0; !status && i < MOST_TWINS && twin[i]; i++)
        status = suite_backend_open(b->backend, twin[i], &to->twins[i], error);
    to->seat.twins = to->twins;
    return status;
}

static void open_bench(const brief *b, bench *to, greeting *hello)
{
    cot_error error = { .message = "" };
    cot_status status = open_on_trial(b, to, &error);
    if (!status && b->against)
        status = suite_backend_open(b->against, NULL, &to->seat.against, &error);
    hello->unusable = status != COT_OK;
    snprintf(hello->message, sizeof hello->message, "%s", *error.message ? error.message : cot_status_name(status));
    if (!status)
        suite_backend_remark(b->backend, to->seat.backend, hello->remark, sizeof hello->remark);
}

/* What the backend promises of such a case; everything where it refuses to say. */
static level claimed(cot_backend *backend, const cot_desc *desc)
{
    cot_plan *plan = NULL;
    cot_error error;
    if (cot_select(backend, desc, NULL, &plan, &error))
        return LEVEL_X;
    const cot_guarantee *promise = cot_precision_guarantee(plan);
    level most = promise->bit_identical ? LEVEL_X : promise->deterministic ? LEVEL_D : LEVEL_B;
    cot_plan_free(plan);
    return most;
}

static void judge_for(const brief *b, bench *at, const test_case *c, answer *a)
{
    memset(a, 0, sizeof *a);
    at->seat.level = b->level == LEVEL_CLAIMED ? claimed(at->seat.backend, &c->desc) : (level)b->level;
    a->status = judge_case(&at->seat, c, &a->v);
    snprintf(a->clause, sizeof a->clause, "%s", a->v.clause ? a->v.clause : "");
}

void worker_run(int fd, const brief *b)
{
    bench at = { 0 };
    greeting hello;
    test_case c;
    answer a;
    char threads[16];
    memset(&hello, 0, sizeof hello);
    snprintf(threads, sizeof threads, "%d", b->threads);
    setenv("OMP_NUM_THREADS", threads, 0); /* for libraries that are loaded from here on */
    dup2(STDERR_FILENO, STDOUT_FILENO);    /* a backend that prints does not print into the report */
    open_bench(b, &at, &hello);
    int broken = send_all(fd, &hello, sizeof hello) || hello.unusable;
    while (!broken && !receive_all(fd, &c, sizeof c)) {
        judge_for(b, &at, &c, &a);
        broken = send_all(fd, &a, sizeof a);
    }
    judge_end();
    cot_backend_close(at.seat.backend);
    _exit(0);
}
