/* A port to start from: one gradient, mul, in f32 and f64, for contiguous operands. doc/porting.md goes on from here.
 *
 *     cc -O2 -ffp-contract=off -shared -fPIC -o port.so port.c $(pkg-config --cflags cotangent)
 *     cotangent check --backend ./port.so
 *
 * To add an op: a function like mul_f32, and a row in `kernels`. By the time it is called everything about the call has
 * been checked: operands are there, of the right type, shape, length and alignment, in a layout that `capabilities`
 * takes. */
#include <cotangent.h>

/* ---- kernels: what you replace --------------------------------------------------------------- */

/* An output may be exactly an input (COT_LAYOUT_ALIASED): read what a cell needs before you write it. */
static void mul_f32(const cot_desc *desc, const cot_args *args)
{
    const float *g = (const float *)args->dy->data;
    const float *a = (const float *)args->a->data, *b = (const float *)args->b->data;
    float *da = (float *)args->da->data, *db = (float *)args->db->data;
    (void)desc;
    for (int64_t i = 0; i < args->da->length; i++) {
        float first = g[i] * b[i], second = g[i] * a[i];
        da[i] = first;
        db[i] = second;
    }
}

static void mul_f64(const cot_desc *desc, const cot_args *args)
{
    const double *g = (const double *)args->dy->data;
    const double *a = (const double *)args->a->data, *b = (const double *)args->b->data;
    double *da = (double *)args->da->data, *db = (double *)args->db->data;
    (void)desc;
    for (int64_t i = 0; i < args->da->length; i++) {
        double first = g[i] * b[i], second = g[i] * a[i];
        da[i] = first;
        db[i] = second;
    }
}

typedef struct kernel {
    cot_op op;
    cot_element element;
    void (*run)(const cot_desc *desc, const cot_args *args);
} kernel;

static const kernel kernels[] = {
    { COT_MUL, COT_F32, mul_f32 },
    { COT_MUL, COT_F64, mul_f64 },
};

static const kernel *find_kernel(const cot_desc *desc)
{
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].op == desc->op && kernels[i].element == desc->element)
            return &kernels[i];
    return 0;
}

/* ---- the backend: what the suite calls ------------------------------------------------------- */

/* What this port does, and what it promises. Claim no more than is true: every promise is tested. */
static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)error;
    if (!find_kernel(desc))
        return COT_UNSUPPORTED;
    sku->layouts = COT_LAYOUT_CONTIGUOUS | COT_LAYOUT_ALIASED;
    sku->device = "cpu";
    sku->guarantee.deterministic = 1; /* the same bits on every run: level D */
    sku->guarantee.bit_identical = 1; /* the spec's bits: level X. mul is two products, and nothing is left to choose */
    return COT_OK;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t workspace_bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    (void)self, (void)stream, (void)workspace, (void)workspace_bytes, (void)error;
    find_kernel(desc)->run(desc, args);
    return COT_OK;
}

#ifdef __cplusplus
extern "C" COT_API const cot_backend_api *cot_backend_entry(void);
#else
COT_API const cot_backend_api *cot_backend_entry(void);
#endif
const cot_backend_api *cot_backend_entry(void)
{
    static const cot_backend_api api = {
        .abi = COT_BACKEND_ABI,
        .size = sizeof api,
        .name = "port",
        .capabilities = capabilities,
        .run = run,
    };
    return &api;
}
