#include "worker.h"
#include "backends.h"
#include "device_checks.h"

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

/* "ref" has threads of its own: as many as the worker's share, unless the caller asks for something else. */
static const char *options_of(const brief *b, char share[32])
{
    snprintf(share, 32, "threads=%d", b->threads);
    return !b->options && !strcmp(b->backend, "ref") ? share : b->options;
}

static void open_court(const brief *b, court *seat, greeting *hello)
{
    char share[32];
    cot_error error = { .message = "" };
    level upto = b->level == LEVEL_CLAIMED ? LEVEL_X : (level)b->level;
    cot_status status = court_open(seat, b->backend, options_of(b, share), b->against, upto, &error);
    hello->unusable = status != COT_OK;
    snprintf(hello->message, sizeof hello->message, "%s", *error.message ? error.message : cot_status_name(status));
    if (!status)
        suite_backend_remark(seat->backend, hello->remark, sizeof hello->remark);
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

static void judge_for(const brief *b, court *seat, const device_checks *device, const test_case *c, answer *a)
{
    memset(a, 0, sizeof *a);
    seat->level = b->level == LEVEL_CLAIMED ? claimed(seat->backend, &c->desc) : (level)b->level;
    a->status = judge_case(seat, c, &a->v);
    if (device)
        device_checks_judge(device, &a->v);
    snprintf(a->clause, sizeof a->clause, "%s", a->v.clause ? a->v.clause : "");
}

void worker_run(int fd, const brief *b)
{
    court seat;
    device_checks device;
    greeting hello;
    test_case c;
    answer a;
    char threads[16];
    memset(&hello, 0, sizeof hello);
    snprintf(threads, sizeof threads, "%d", b->threads);
    setenv("OMP_NUM_THREADS", threads, 0); /* for libraries that are loaded from here on */
    dup2(STDERR_FILENO, STDOUT_FILENO);    /* a backend that prints does not print into the report */
    open_court(b, &seat, &hello);
    int checked = !hello.unusable && device_checks_on(&device, seat.backend);
    int broken = send_all(fd, &hello, sizeof hello) || hello.unusable;
    while (!broken && !receive_all(fd, &c, sizeof c)) {
        judge_for(b, &seat, checked ? &device : NULL, &c, &a);
        broken = send_all(fd, &a, sizeof a);
    }
    judge_end();
    court_close(&seat);
    _exit(0);
}
