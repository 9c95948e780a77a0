/* A worker: judges what it is given, and answers. */
#include "worker.h"
#include "court.h"
#include "conformance/port/backends.h"
#include "conformance/port/transfer.h"
#include "conformance/port/proxy.h"
#include "device_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- moving bytes ---------------------------------------------------------------------------- */

/* A reader that has died is an answer of its own, not a signal. */
static ssize_t send_some(int fd, const void *data, size_t bytes) { return send(fd, data, bytes, MSG_NOSIGNAL); }

int send_all(int fd, const void *data, size_t bytes) { return write_all(fd, data, bytes, send_some); }

static int receive_all(int fd, void *data, size_t bytes) { return read_all(fd, data, bytes) < bytes ? -1 : 0; }

/* ---- the court ------------------------------------------------------------------------------- */

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
    const cot_backend_info *about = status ? NULL : cot_backend_about(seat->backend);
    if (about)
        snprintf(hello->device, sizeof hello->device, "%s", about->device);
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
    level most = promise->bit_identical   ? LEVEL_X
                 : promise->bit_stable    ? LEVEL_I
                 : promise->deterministic ? LEVEL_D
                                          : LEVEL_B;
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
    device_checks_served(&a->v);
}

static void answer_task(const brief *b, court *seat, const device_checks *device, const task *asked, answer *a)
{
    double before = calls_lost();
    if (asked->guess) {
        memset(a, 0, sizeof *a);
        guess_case(seat->backend, &asked->c, &a->right_for);
    } else {
        judge_for(b, seat, device, &asked->c, a);
    }
    a->hung = calls_lost() - before;
}

void worker_run(int fd, const brief *b, volatile judge_phase *phase)
{
    court seat;
    device_checks device;
    greeting hello;
    task asked;
    answer a;
    char threads[16];
    memset(&hello, 0, sizeof hello);
    snprintf(threads, sizeof threads, "%d", b->threads);
    setenv("OMP_NUM_THREADS", threads, 0); /* for libraries that are loaded from here on */
    dup2(STDERR_FILENO, STDOUT_FILENO);    /* a backend that prints does not print into the report */
    if (b->patience > 0)
        call_patience_for(b->patience);
    open_court(b, &seat, &hello);
    seat.phase = phase;
    seat.repeat = b->repeat;
    int checked = !hello.unusable && device_checks_on(&device, seat.backend);
    int broken = send_all(fd, &hello, sizeof hello) || hello.unusable;
    while (!broken && !receive_all(fd, &asked, sizeof asked)) {
        answer_task(b, &seat, checked ? &device : NULL, &asked, &a);
        broken = send_all(fd, &a, sizeof a);
    }
    judge_end();
    court_close(&seat);
    _exit(0);
}
