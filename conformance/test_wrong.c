/* A backend for conformance/test_check.sh: max in f32, right or wrong as its option device=NAME says. */
#include "cotangent.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum fault { RIGHT, SPLIT, LONG, CRASH, LEAVE, HANG, ALL_CRASH, PRINT, NOTHING, SHUT, FAULTS } fault;

static const char *const names[FAULTS] = {
    [RIGHT] = "right",         /* everything as it should be */
    [SPLIT] = "split",         /* two equal cells share g */
    [LONG] = "long",           /* wrong from the 101st cell of a line on */
    [CRASH] = "crash",         /* dies at lines of 33 */
    [LEAVE] = "exit",          /* ends the process at lines of 33 */
    [HANG] = "hang",           /* never comes back from lines of 33 */
    [ALL_CRASH] = "all-crash", /* dies at everything */
    [PRINT] = "print",         /* right, but talks */
    [NOTHING] = "nothing",     /* does no op at all */
    [SHUT] = "shut",           /* does not open */
};

static cot_status open_wrong(const char *options, void **self, cot_error *error)
{
    static int found[FAULTS];
    const char *name = options && !strncmp(options, "device=", 7) ? options + 7 : "right";
    for (int i = 0; i < FAULTS; i++)
        if (!strcmp(names[i], name) && i != SHUT) {
            found[i] = i;
            *self = &found[i];
            return COT_OK;
        }
    *error = (cot_error){ .code = COT_INTERNAL, .message = "the wrong backend stays shut" };
    return COT_INTERNAL;
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    static const cot_policies spec;
    sku->layouts = COT_LAYOUT_ALL;
    sku->guarantee.deterministic = 1;
    if (desc->op == COT_MAX && desc->element == COT_F32 && !memcmp(&desc->policies, &spec, sizeof spec) && *(int *)self != NOTHING)
        return COT_OK;
    *error = (cot_error){ .code = COT_UNSUPPORTED, .message = "the wrong backend does max in f32, as the spec has it" };
    return COT_UNSUPPORTED;
}

static void misbehave(fault how, int32_t n)
{
    if (how == PRINT)
        (void)!write(STDOUT_FILENO, "hello\n", 6);
    if (how == ALL_CRASH || (how == CRASH && n == 33))
        raise(SIGSEGV);
    if (how == LEAVE && n == 33)
        exit(0);
    while (how == HANG && n == 33)
        pause();
}

static float *cell(const cot_view *view, const int32_t index[COT_MAX_RANK])
{
    int64_t offset = 0;
    for (int d = 0; d < view->rank; d++)
        offset += view->shape[d] > 1 ? index[d] * view->strides[d] : 0;
    return (float *)view->data + offset;
}

/* A tie takes its share of g only. */
static float share(const cot_desc *desc, const cot_args *args, const int32_t at[COT_MAX_RANK], float g)
{
    int32_t index[COT_MAX_RANK];
    int ties = 0;
    if (desc->shape[desc->axis] > 5000)
        return g; /* not in this century */
    memcpy(index, at, sizeof index);
    for (index[desc->axis] = 0; index[desc->axis] < desc->shape[desc->axis]; index[desc->axis]++)
        ties += *cell(args->x, index) == *cell(args->y, index);
    return ties == 2 ? g / 2 : g;
}

static int next(const cot_desc *desc, int32_t index[COT_MAX_RANK])
{
    for (int d = desc->rank - 1; d >= 0; d--) {
        if (++index[d] < desc->shape[d])
            return 1;
        index[d] = 0;
    }
    return 0;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t bytes, const cot_desc *desc, const cot_args *args,
                      cot_error *error)
{
    (void)stream, (void)workspace, (void)bytes, (void)error;
    fault how = *(fault *)self;
    int32_t index[COT_MAX_RANK] = { 0 };
    misbehave(how, desc->shape[desc->axis]);
    do {
        float g = *cell(args->dy, index);
        int hit = *cell(args->x, index) == *cell(args->y, index);
        float out = !hit ? 0 : how == SPLIT ? share(desc, args, index, g) : g;
        *cell(args->dx, index) = how == LONG && index[desc->axis] == 100 ? 7 : out;
    } while (next(desc, index));
    return COT_OK;
}

static const cot_backend_api api = { .abi = COT_BACKEND_ABI, .size = sizeof api, .name = "wrong", .open = open_wrong,
                                     .capabilities = capabilities, .run = run };

COT_API const cot_backend_api *cot_backend_entry(void);
const cot_backend_api *cot_backend_entry(void)
{
    return &api;
}
