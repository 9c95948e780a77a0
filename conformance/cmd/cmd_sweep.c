/* cotangent sweep OP: every pair of f16 or bf16 on a backend, block by block, into a directory. */
#include "cli.h"
#include "conformance/case/words.h"
#include "conformance/judge/judge.h"
#include "conformance/sweep/run.h"
#include "conformance/sweep/summary.h"
#include "shard.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sweep_request {
    const cot_op_info *op;
    const char *dtype, *dys, *backend, *out, *part, *range, *sample, *param, *format; /* as given */
    int quiet;
    sweep s;
} sweep_request;

enum { SAMPLE_BLOCKS = 1024, SAMPLE_MOST = 1 << 20 };

/* ---- the command line ------------------------------------------------------------------------ */

static int read_dys(sweep_request *q)
{
    const char *at = q->dys ? q->dys : "1";
    for (; *at; at += strspn(at, ",\n")) {
        char word[64];
        int length = (int)strcspn(at, ",\n");
        snprintf(word, sizeof word, "%.*s", length, at);
        if (q->s.dys == SWEEP_DYS || parse_number(word, &q->s.dy[q->s.dys++]))
            return cli_fail(EXIT_USAGE, "--dy %s: expected up to %d numbers, as 1,-0.5,nan", q->dys, SWEEP_DYS);
        at += length;
    }
    return q->s.dys ? 0 : cli_fail(EXIT_USAGE, "--dy: expected a number");
}

static int read_problem(sweep_request *q)
{
    cot_element element = COT_F16;
    double param = 0.25;
    int status = q->dtype ? cli_element(q->dtype, &element) : cli_fail(EXIT_USAGE, "give --dtype f16, bf16 or f32");
    if (status)
        return status;
    if (element == COT_F64)
        return cli_fail(EXIT_USAGE, "--dtype f64: a sweep judges in double; f16, bf16 or f32");
    if (!pairing_of(q->op->op))
        return cli_fail(EXIT_USAGE, "%s is no operation on pairs: doc/scale.md says which are, and why", q->op->name);
    if (q->param && (parse_number(q->param, &param) || !cot_op_takes(q->op, COT_TAKES_PARAM)))
        return cli_fail(EXIT_USAGE, "--param %s: %s", q->param,
                        cot_op_takes(q->op, COT_TAKES_PARAM) ? "expected a number" : "the op takes none");
    q->s.desc = pairs_desc(q->op->op, element);
    q->s.desc.param = cot_op_takes(q->op, COT_TAKES_PARAM) ? param : 0;
    return read_dys(q);
}

/* --range FIRST-LAST, of all blocks. */
static int read_range(sweep_request *q)
{
    long long first, last;
    char trailing;
    if (!q->range)
        return 0;
    if (sscanf(q->range, "%lld-%lld%c", &first, &last, &trailing) != 2 || first < 0 || last < first
        || last >= sweep_all(&q->s))
        return cli_fail(EXIT_USAGE, "--range %s: expected FIRST-LAST, blocks from 0 to %lld", q->range,
                        (long long)sweep_all(&q->s) - 1);
    q->s.first = first;
    q->s.last = last;
    return 0;
}

static int read_blocks(sweep_request *q)
{
    long long blocks = SAMPLE_BLOCKS;
    int wide = q->s.desc.element == COT_F32, status;
    if (q->sample && (!wide || parse_integer(q->sample, 1, SAMPLE_MOST, &blocks)))
        return cli_fail(EXIT_USAGE, "--sample %s: %s", q->sample,
                        wide ? "expected blocks of 65,536 pairs"
                             : "f16 and bf16 are swept whole; --range takes a part");
    q->s.blocks = wide ? blocks : BLOCK;
    q->s.last = sweep_all(&q->s) - 1;
    if ((status = read_range(q)))
        return status;
    status = shard_read(q->part, "--blocks", &q->s.shard, &q->s.shards);
    if (!status && !q->out)
        status = cli_fail(EXIT_USAGE, "give --out DIR, where finished blocks go");
    if (!status && q->format && strcmp(q->format, "text") && strcmp(q->format, "json"))
        status = cli_fail(EXIT_USAGE, "there is no format \"%s\": text or json", q->format);
    return status;
}

static int read_request(sweep_request *q, int argc, char **argv)
{
    const cli_option options[] = {
        { "--dtype", "TYPE", "f16 or bf16: all 2^32 pairs; f32: a sample of low discrepancy", &q->dtype, NULL },
        { "--dy", "LIST", "the gradients of the result, each with all pairs (default: 1)", &q->dys, NULL },
        { "--param", "W", "lerp's weight (default: 0.25)", &q->param, NULL },
        { "--backend", "NAME", "a built-in backend, or a shared library by its path (default: ref)", &q->backend,
          NULL },
        CLI_DEVICE,
        CLI_TIMEOUT,
        { "--out", "DIR", "where finished blocks go, a line each; what is there is not done again", &q->out, NULL },
        { "--blocks", "I/N", "only every N-th block, from the I-th on (default: what a scheduler's variables say)",
          &q->part, NULL },
        { "--range", "FIRST-LAST", "only these blocks of 65,536 pairs", &q->range, NULL },
        { "--sample", "N", "f32: so many blocks (default: 1024)", &q->sample, NULL },
        { "--format", "F", "text or json", &q->format, NULL },
        { "--quiet", NULL, "no progress on the standard error", NULL, &q->quiet },
        { 0 },
    };
    int status, arguments = cli_parse(argc, argv, &cli_sweep, options, 1, &status);
    if (arguments < 0)
        return status ? status : -1;
    if ((status = cli_op(arguments, argv, &cli_sweep, &q->op)) || (status = read_problem(q)))
        return status;
    return read_blocks(q);
}

/* ---- the run --------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void interrupt(int number) { interrupted = number; }

typedef struct meter {
    const char *op, *dtype;
    double shown;
} meter;

/* A line that is written over on a terminal, once a second; elsewhere one line a minute. */
static void show(void *self, int64_t done, int64_t planned, double seconds)
{
    meter *m = self;
    int live = isatty(STDERR_FILENO);
    if (seconds - m->shown < (live ? 1 : 60) && done < planned)
        return;
    m->shown = seconds;
    double rate = (double)done * BLOCK / seconds;
    fprintf(stderr, "%ssweep %s %s: %lld of %lld blocks, %.1f M pairs/s, %.0f s left%s", live ? "\r" : "", m->op,
            m->dtype, (long long)done, (long long)planned, rate * 1e-6, (double)(planned - done) * BLOCK / rate,
            live && done < planned ? "  " : "\n");
}

static int report(const sweep_request *q, const sweep_run *r)
{
    summary s = summarize(&r->found, q->s.shard, q->s.shards);
    (q->format && !strcmp(q->format, "json") ? summary_json : summary_text)(stdout, &r->found, &s);
    if (interrupted)
        return 128 + interrupted;
    return summary_is_good(&s) ? EXIT_GOOD : EXIT_FAILED;
}

static int sweep_on(sweep_request *q, cot_backend *backend)
{
    block_claim claim;
    cot_error error;
    meter m = { q->op->name, cot_element_name(q->s.desc.element), 0 };
    cot_status refused = sweep_claim(backend, &q->s, &claim, &error);
    if (refused)
        return cli_fail(cli_exit_code(refused), "%s", error.message);
    if (sweep_name(&q->s, backend, q->backend ? q->backend : "ref", cli_device, claim.bits ? "bits" : "bound"))
        return cli_fail(EXIT_USAGE, "the names of the backend and its device are too long for a heading");
    sweep_run r = { &q->s, backend, q->out, &interrupted, q->quiet ? NULL : show, &m, { .files = 0 }, { 0 } };
    int status =
        sweep_blocks(&r, &claim) ? cli_fail(EXIT_FAILED, "%s; what is finished is kept", r.error) : report(q, &r);
    collect_free(&r.found);
    return status;
}

static int run(int argc, char **argv)
{
    sweep_request q = { .s = { .shard = 1, .shards = 1 } };
    cot_backend *backend;
    int status = read_request(&q, argc, argv);
    if (status)
        return status < 0 ? EXIT_GOOD : status;
    if (judge_unusable())
        return cli_fail(EXIT_UNUSABLE, "%s", judge_unusable());
    cli_results_only();
    if ((status = cli_backend(q.backend ? q.backend : "ref", &backend)))
        return status;
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    status = sweep_on(&q, backend);
    cot_backend_close(backend);
    judge_end();
    return status;
}

const cli_command cli_sweep = { "sweep", "OP", "Judges a backend on every pair of f16 or bf16, block by block", run };
