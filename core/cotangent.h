/* cotangent.h - gradients of reductions, scans, binary operations and softmax, the same bits on every backend.
 *
 * The life of a plan:
 *
 *     cot_backend *backend;
 *     cot_backend_open("ref", NULL, &backend, &error);
 *     cot_desc desc = { COT_SIZED(cot_desc), .op = COT_MUL, .element = COT_F32, .rank = 1, .shape = { n } };
 *     cot_plan *plan;
 *     cot_select(backend, &desc, NULL, &plan, &error);
 *     cot_args args = { COT_SIZED(cot_args), .dy = &dy, .a = &a, .b = &b, .da = &da, .db = &db };
 *     cot_run(plan, NULL, NULL, 0, &args, &error);
 *
 * Every call returns a cot_status and, where the caller gives a cot_error, fills it with what was wrong and what was
 * expected; NULL where something is needed is such an error too, and of functions that only tell something the answer
 * is NULL or 0. The library never prints, never exits and keeps no state that a caller can see. Different threads may
 * use different plans, and the same plan, at the same time. A child of fork may go on with what its parent has opened
 * on the host: where the parent has used threads, it computes on one. doc/SPEC.md is the normative text behind every
 * line here. */
#ifndef COTANGENT_H
#define COTANGENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define COT_API __attribute__((visibility("default")))
#else
#define COT_API
#endif

#define COT_VERSION "0.2.0"
#define COT_MAX_RANK 8
#define COT_WORKSPACE_ALIGNMENT 16

/* Structs that callers fill start with their size, so that they can grow: the library refuses a newer header's struct
 * only where a field that it does not know is set. */
#define COT_SIZED(type) .size = sizeof(type)

/* ---- statuses and errors --------------------------------------------------------------------- */

typedef enum cot_status {
    COT_OK = 0,
    COT_MISALIGNED = 1,      /* a pointer is not aligned to its element */
    COT_INVALID_PROBLEM = 2, /* the call contradicts itself: rank, axis, shape, missing save, overlap, ... */
    COT_UNSUPPORTED = 3,     /* the call makes sense, but this library or backend does not do it */
    COT_WORKSPACE_TOO_SMALL = 4,
    COT_INTERNAL = 5,        /* launch failure, out of memory, lost device; cot_error.native has the driver's code */
    COT_BUFFER_TOO_SMALL = 6 /* an operand is shorter than its last addressed element */
} cot_status;

/* What an error is about. Operands come in the order in which they are checked. */
/* made from core/operands.def: begin cot_operand */
typedef enum cot_operand {
    COT_NO_OPERAND,
    COT_DESC,
    COT_PREFERENCE,
    COT_ARGS,
    COT_DY,
    COT_X,
    COT_Y,
    COT_A,
    COT_B,
    COT_DX,
    COT_DA,
    COT_DB,
    COT_WORKSPACE
} cot_operand;
/* made from core/operands.def: end cot_operand */

#define COT_OPERANDS COT_WORKSPACE /* arrays of operands are indexed by cot_operand, from COT_DY on */

typedef struct cot_error {
    cot_status code;
    cot_operand operand;
    int64_t needed; /* what was expected: a size, an extent, an alignment, an enum value (clause ERROR-DETAIL) */
    int64_t got;    /* what was there instead */
    int32_t native; /* the driver's own code, where the driver failed; else 0 */
    char message[256];
} cot_error;

COT_API const char *cot_status_name(cot_status status);
COT_API const char *cot_operand_name(cot_operand operand);

/* ---- elements -------------------------------------------------------------------------------- */

typedef enum cot_element { COT_F16 = 1, COT_BF16, COT_F32, COT_F64 } cot_element;

COT_API const char *cot_element_name(cot_element element); /* "f16"; NULL where unknown */
COT_API cot_element cot_element_find(const char *name);    /* 0 where unknown */
COT_API size_t cot_element_size(cot_element element);      /* bytes; 0 where unknown */

/* One cell to and from double: widening is exact, narrowing rounds once, to nearest even. */
COT_API double cot_cell_get(cot_element element, const void *cell);
COT_API void cot_cell_set(cot_element element, void *cell, double value);

/* ---- operations ------------------------------------------------------------------------------ */

/* made from core/families.def: begin cot_family */
typedef enum cot_family { COT_REDUCE = 1, COT_SCAN, COT_BINARY, COT_BINARY_PARAM, COT_SOFTMAX_FAMILY } cot_family;
/* made from core/families.def: end cot_family */

/* made from core/ops.def: begin cot_op */
typedef enum cot_op {
    COT_SUM = 1,
    COT_MEAN,
    COT_MAX,
    COT_MIN,
    COT_PROD,
    COT_NORM2,
    COT_LOGSUMEXP,
    COT_VAR,
    COT_STD,
    COT_CUMSUM,
    COT_CUMPROD,
    COT_CUMMAX,
    COT_CUMMIN,
    COT_LOGCUMSUMEXP,
    COT_ADD,
    COT_SUB,
    COT_MUL,
    COT_DIV,
    COT_MAXIMUM,
    COT_MINIMUM,
    COT_POW,
    COT_ATAN2,
    COT_HYPOT,
    COT_LERP,
    COT_SOFTMAX,
    COT_LOG_SOFTMAX
} cot_op;
/* made from core/ops.def: end cot_op */

/* How a sum over the axis is added up. */
typedef enum cot_order {
    COT_ORDER_NONE,       /* no sum is involved */
    COT_ORDER_FOLD,       /* clause FOLD-ORDER */
    COT_ORDER_SCAN,       /* clause SCAN-ORDER */
    COT_ORDER_ANOTHER,    /* fixed or not, but not the spec's: any order is possible */
    COT_ORDER_SEQUENTIAL, /* one term after the other, from either end */
    COT_ORDER_PAIRWISE,   /* a tree whose halves differ by at most one term in two */
    COT_ORDER_BLOCKED     /* blocks of at most 1,024 terms in any order, then their sums likewise */
} cot_order;

/* The kind of sum along the axis that a gradient needs. The last three are scans. */
typedef enum cot_kind {
    COT_KIND_NONE,
    COT_KIND_FOLD,      /* one sum over the line */
    COT_KIND_SCAN,      /* running sums */
    COT_KIND_WINNER,    /* every cell's dy goes to the extremum so far, and is summed there */
    COT_KIND_RECURRENCE /* a running sum that is rescaled from cell to cell */
} cot_kind;

/* Where finite differences can be taken. */
typedef enum cot_points {
    COT_POINTS_NONZERO,    /* away from zero */
    COT_POINTS_ANY,        /* around zero too */
    COT_POINTS_DISTINCT,   /* where the cells of a line, or a and b, differ */
    COT_POINTS_POSITIVE_A, /* where a is positive */
} cot_points;

/* made from core/operands.def: begin cot_needs */
#define COT_NEEDS_X 1u
#define COT_NEEDS_Y 2u
#define COT_NEEDS_A 4u
#define COT_NEEDS_B 8u
/* made from core/operands.def: end cot_needs */
#define COT_Y_UNREAD 16u /* y is validated, and never read */
#define COT_Y_SUMMED 32u /* the terms of the sum read y */

#define COT_OP_EXACT 1u     /* the formula rounds nothing where every input is a small integer */
#define COT_OP_MIRRORS 2u   /* a line in reverse has the same gradient in reverse; a scan runs the other way then */
#define COT_OP_RELATIVE 4u  /* y is a product or quotient: its error is relative to y, not to the largest term */
#define COT_OP_CORRECTS 8u  /* heeds cot_desc.correction */
#define COT_OP_NONEMPTY 16u /* y is not defined where the axis has no cell */
#define COT_OP_SLOW 32u     /* functions make a long line's exact value slow to compute: the suite samples it */

/* A row of the op table. */
typedef struct cot_op_info {
    cot_op op;
    cot_family family;
    const char *name;     /* "log_softmax" */
    uint32_t needs;       /* COT_NEEDS_*: saved tensors, beside dy */
    uint32_t policies;    /* bit i: heeds the i-th policy of cot_policy_at */
    cot_order order;      /* of the sum in its formula */
    double roundings;     /* of a cell's formula beside that sum, in half ULPs (clause BOUND) */
    double spare;         /* further ones that another sound evaluation may take */
    const char *forward;  /* what the gradient is of */
    const char *gradient; /* the formula, as text */
    cot_kind kind;        /* of that sum */
    cot_points points;    /* where finite differences can be taken */
    uint32_t traits;      /* COT_OP_* */
} cot_op_info;

COT_API const cot_op_info *cot_op_at(size_t index); /* the rows in order; NULL past the last */
COT_API const cot_op_info *cot_op_get(cot_op op);   /* NULL where unknown */
COT_API const cot_op_info *cot_op_find(const char *name);

#define COT_TAKES_AXIS 1u    /* its lines run along cot_desc.axis */
#define COT_TAKES_REVERSE 2u /* heeds cot_desc.reverse */
#define COT_TAKES_PARAM 4u   /* heeds cot_desc.param */

/* A row of the family table: the operands of its ops, as masks of COT_BIT. */
#define COT_BIT(operand) (1u << (operand))
typedef struct cot_family_info {
    cot_family family;
    const char *name;
    uint32_t takes;   /* COT_TAKES_* */
    uint32_t inputs;  /* of the forward op */
    uint32_t outputs; /* of the gradient */
    uint32_t reduced; /* with extent 1 along the axis */
    uint32_t shared;  /* with extent 1 along every other dimension */
} cot_family_info;

COT_API const cot_family_info *cot_family_at(size_t index);       /* the rows in order; NULL past the last */
COT_API const cot_family_info *cot_family_get(cot_family family); /* NULL where unknown */
COT_API const char *cot_family_name(cot_family family);           /* NULL where unknown */

/* Not 0 where it is so. */
COT_API int cot_op_takes(const cot_op_info *op, uint32_t what); /* some of COT_TAKES_* */
COT_API int cot_has_axis(const cot_op_info *op);
COT_API int cot_is_output(cot_operand operand);
COT_API int cot_operand_used(const cot_op_info *op, cot_operand operand);    /* by the gradient */
COT_API int cot_operand_reduced(const cot_op_info *op, cot_operand operand); /* it has extent 1 along the axis */
COT_API int cot_operand_shared(const cot_op_info *op, cot_operand operand);  /* ... along every other dimension */

/* ---- policies: where frameworks differ ------------------------------------------------------- */

/* made from core/policies.def: begin cot_policies */
/* max, min: which of several equal extrema take g */
enum { COT_TIES_ALL, COT_TIES_SPLIT, COT_TIES_FIRST, COT_TIES_LAST };
/* max, min where y is NaN: all 0, all NaN, or the first NaN takes g */
enum { COT_MAX_NAN_NONE, COT_MAX_NAN_SPREAD, COT_MAX_NAN_FIRST };
/* cummax, cummin: which of several equal extrema wins */
enum { COT_SCAN_TIES_FIRST, COT_SCAN_TIES_LAST };
/* cummax, cummin: a NaN wins only at the line's start, or always */
enum { COT_SCAN_NAN_LEADING, COT_SCAN_NAN_EVERY };
/* prod, cumprod: divide by x, multiply the others, or that only where there is a 0 */
enum { COT_ZEROS_LITERAL, COT_ZEROS_EXACT, COT_ZEROS_WHERE_ZERO };
/* norm2, std where y is 0: divide by it, or multiply by 0 */
enum { COT_DENOMINATOR_LITERAL, COT_DENOMINATOR_ZERO };
/* var, std where n - correction <= 0: use 1, use it, or use it with g = 0 */
enum { COT_DIVISOR_ONE, COT_DIVISOR_LITERAL, COT_DIVISOR_DEAD };
/* maximum, minimum where a or b is NaN: who takes g */
enum { COT_PAIR_NAN_BOTH, COT_PAIR_NAN_NEITHER };
/* pow: literal; da 0 at b == 0 and db g * 0 at a == 0, b >= 0; or log(1) at a == 0 */
enum { COT_POW_ZERO_LITERAL, COT_POW_ZERO_MASKED, COT_POW_ZERO_UNIT_LOG };
/* atan2 where a * a + b * b is 0: divide by it, or multiply by 0 */
enum { COT_ATAN2_ZERO_LITERAL, COT_ATAN2_ZERO_ZERO };
/* hypot(0, 0): divide by 0, or half of g each */
enum { COT_HYPOT_ZERO_LITERAL, COT_HYPOT_ZERO_HALF };
/* lerp: w rounded to f32 first, or kept; 1 - w then taken in double */
enum { COT_LERP_WEIGHT_F32, COT_LERP_WEIGHT_COMPUTE };
/* div, atan2, hypot, norm2: as written, the operands' quotient before g, or that in div and norm2 */
enum { COT_QUOTIENT_LITERAL, COT_QUOTIENT_CAREFUL, COT_QUOTIENT_DIV_NORM2 };
/* var, std: x - mean, or both taken from the line's first cell */
enum { COT_CENTRE_LITERAL, COT_CENTRE_SHIFTED };
/* max, min, maximum, minimum: who takes no g gets 0, or g * 0 in max and min, or in all */
enum { COT_LOSERS_ZERO, COT_LOSERS_LINE_PRODUCT, COT_LOSERS_PRODUCT };

typedef struct cot_policies {
    uint8_t ties, max_nan, scan_ties, scan_nan, zeros, denominator;
    uint8_t divisor, pair_nan, pow_zero, atan2_zero, hypot_zero, lerp_weight;
    uint8_t quotient, centre, losers;
    uint8_t reserved[1]; /* zero */
} cot_policies;
/* made from core/policies.def: end cot_policies */

typedef enum { COT_CONVENTION_SPEC, COT_CONVENTION_TORCH, COT_CONVENTION_JAX, COT_CONVENTION_ACCURATE } cot_convention;

/* A row of the policy table; a policy's value is a byte at this offset in cot_policies. */
typedef struct cot_policy_info {
    const char *name;
    size_t offset;
    const char *const *values; /* names of the values, NULL-terminated; value i is values[i] */
    uint8_t conventions[4];    /* the value under each cot_convention */
    const char *about;
} cot_policy_info;

COT_API const cot_policy_info *cot_policy_at(size_t index);                          /* NULL past the last */
COT_API cot_status cot_convention_policies(cot_convention which, cot_policies *out); /* a named bundle */

/* Not 0: every policy that the op heeds has the spec's own value; the others may have any. */
COT_API int cot_uses_spec_policies(cot_op op, const cot_policies *policies);

/* ---- tensors --------------------------------------------------------------------------------- */

/* A strided view. `length` counts the elements that may be touched from `data` on. Strides are in elements, not
 * negative; 0 repeats an input along that dimension. Pointers are device pointers on a backend with device memory. */
typedef struct cot_view {
    cot_element element;
    int32_t rank;
    void *data;
    int64_t length;
    int32_t shape[COT_MAX_RANK];
    int64_t strides[COT_MAX_RANK];
} cot_view;

/* A contiguous view, last dimension fastest. Dimensions past COT_MAX_RANK are left out, and the rank refused later. */
COT_API cot_view cot_contiguous(cot_element element, int32_t rank, const int32_t *shape, void *data);

/* The product of extents: the cells of a tensor, of its dimensions behind an axis, ...; 1 for none of them. */
COT_API int64_t cot_cell_count(int32_t rank, const int32_t *shape);

/* The index-th cell in row-major order, for 0 <= index < cot_cell_count: how many elements after `data` it lies. */
COT_API int64_t cot_cell_offset(const cot_view *view, int64_t index);

/* A problem. `shape` is the shape of the gradient: of dx, or of da and db. In a reduction, dy and y have extent 1 along
 * the axis (keepdim). Zero in `policies` means the spec's own. */
typedef struct cot_desc {
    size_t size; /* COT_SIZED(cot_desc) */
    cot_op op;
    cot_family family; /* 0: the op's own; anything else must be it */
    cot_element element;
    int32_t rank; /* 1 to COT_MAX_RANK */
    int32_t shape[COT_MAX_RANK];
    int32_t axis;       /* reduce, scan, softmax: 0 <= axis < rank */
    int32_t reverse;    /* scan: not 0 where the forward scan ran from the end */
    int32_t correction; /* var, std: 1 is the sample variance */
    double param;       /* lerp: the weight */
    cot_policies policies;
} cot_desc;

/* The operands of a call. A save that the op does not need is ignored, whatever it holds. */
/* made from core/operands.def: begin cot_args */
typedef struct cot_args {
    size_t size;        /* COT_SIZED(cot_args) */
    const cot_view *dy; /* the gradient of the result */
    const cot_view *x;  /* input of reduce, scan and softmax */
    const cot_view *y;  /* the result */
    const cot_view *a;  /* inputs of binary and binary_param */
    const cot_view *b;
    const cot_view *dx; /* output of reduce, scan and softmax */
    const cot_view *da; /* outputs of binary and binary_param */
    const cot_view *db;
} cot_args;
/* made from core/operands.def: end cot_args */

/* The shape that an operand of a valid descriptor must have; and that of dy. */
COT_API void cot_operand_shape(const cot_desc *desc, cot_operand operand, int32_t shape[COT_MAX_RANK]);
COT_API void cot_dy_shape(const cot_desc *desc, int32_t shape[COT_MAX_RANK]);

/* ---- what a kernel promises ------------------------------------------------------------------ */

typedef struct cot_guarantee {
    cot_element math;        /* the type that formulas are evaluated in */
    cot_element accumulator; /* the type that sums are kept in */
    cot_order order;         /* what a sum's bound is taken from: COT_ORDER_ANOTHER claims nothing */
    double ulp_bound;        /* half ULPs of the result times its condition (clause BOUND); negative: none stated */
    uint8_t deterministic;   /* the same bits on every run */
    uint8_t bit_stable;      /* ... on the same hardware, whatever the number of threads, other lines and the layout */
    uint8_t bit_identical;   /* ... on every backend that says so */
} cot_guarantee;

#define COT_LAYOUT_CONTIGUOUS 1u
#define COT_LAYOUT_STRIDED 2u   /* any positive strides */
#define COT_LAYOUT_BROADCAST 4u /* stride 0 in inputs */
#define COT_LAYOUT_ALIASED 8u   /* an output that is exactly an input */
#define COT_LAYOUT_ALL 15u

/* The identity of the kernel behind a plan. */
typedef struct cot_sku {
    cot_family category;
    cot_op op;
    cot_element element;
    cot_element aux_element; /* 0: none */
    uint32_t layouts;        /* COT_LAYOUT_*: what it takes */
    uint32_t epilogue;       /* 0: none; nothing is fused yet */
    uint32_t arch;           /* compute capability times ten, 80 for sm_80; 0 on a CPU */
    const char *backend;     /* both names live as long as the backend is open */
    const char *device;
    cot_guarantee guarantee;
    uint8_t software; /* 1: the device is simulated, and what it shows holds for no silicon */
} cot_sku;

/* ---- plans ----------------------------------------------------------------------------------- */

typedef struct cot_backend cot_backend;
typedef struct cot_plan cot_plan;
typedef void *cot_stream; /* the backend's own; NULL is its default */

/* What select may choose from. Zero everywhere asks for nothing. */
typedef struct cot_preference {
    size_t size;                /* COT_SIZED(cot_preference) */
    size_t max_workspace_bytes; /* refuse a plan that needs more; 0: no limit */
    uint8_t need_deterministic;
    uint8_t need_bit_identical;
} cot_preference;

/* Finds a backend by name ("ref"), or loads a shared library where the name holds a slash ("./libvendor.so"). `options`
 * is "key=value,key=value" or NULL. */
COT_API cot_status cot_backend_open(const char *name, const char *options, cot_backend **out, cot_error *error);
COT_API void cot_backend_close(cot_backend *backend);
COT_API const char *cot_backend_builtin(size_t index); /* the names; NULL past the last */

/* What an open backend is. */
typedef struct cot_backend_info {
    const char *name;   /* both names live as long as the backend is open */
    const char *device; /* "" where the backend does not say */
    uint32_t arch;      /* compute capability times ten; 0 on a CPU */
    uint8_t software;   /* 1: the device is simulated, and what it shows holds for no silicon */
    uint8_t own_memory; /* 1: operands must lie in memory from cot_alloc; 0: the host's own memory will do */
    uint8_t validates;  /* 1: it checks calls itself, instead of the core */
} cot_backend_info;

COT_API const cot_backend_info *cot_backend_about(const cot_backend *backend); /* until it is closed */

/* Checks the descriptor and picks a kernel. `preference` may be NULL. The plan outlives neither its backend nor
 * cot_plan_free. */
COT_API cot_status cot_select(cot_backend *backend, const cot_desc *desc, const cot_preference *preference,
                              cot_plan **plan, cot_error *error);
COT_API void cot_plan_free(cot_plan *plan);

COT_API cot_status cot_can_implement(const cot_plan *plan, const cot_args *args, cot_error *error);
COT_API size_t cot_workspace_size(const cot_plan *plan);
COT_API const cot_sku *cot_plan_sku(const cot_plan *plan);
COT_API const cot_guarantee *cot_precision_guarantee(const cot_plan *plan);

/* Repeats cot_can_implement, returns COT_OK where there is no cell, checks the workspace, and launches on the stream. A
 * fault after the launch surfaces in cot_synchronize. */
COT_API cot_status cot_run(const cot_plan *plan, cot_stream stream, void *workspace, size_t workspace_bytes,
                           const cot_args *args, cot_error *error);
COT_API cot_status cot_synchronize(cot_backend *backend, cot_stream stream, cot_error *error);

/* Memory that the backend's kernels can reach. A backend on the host's own memory uses malloc and memcpy here, so a
 * caller need not know which it has. */
COT_API cot_status cot_alloc(cot_backend *backend, size_t bytes, void **memory, cot_error *error);
COT_API void cot_free(cot_backend *backend, void *memory);
COT_API cot_status cot_copy_in(cot_backend *backend, void *to, const void *from_host, size_t bytes, cot_error *error);
COT_API cot_status cot_copy_out(cot_backend *backend, void *to_host, const void *from, size_t bytes, cot_error *error);

typedef struct cot_bound {
    double roundings, depth; /* of the cell's formula; additions on the longest path through its sum */
} cot_bound;

COT_API cot_bound cot_bound_under(const cot_desc *desc, cot_order claimed); /* clause BOUND, of a valid descriptor */

/* k of clause BOUND for a valid descriptor: what the spec's own evaluation can be off by, in half ULPs times the
 * condition. */
COT_API double cot_rounding_bound(const cot_desc *desc);

/* ---- forward operations ---------------------------------------------------------------------- */

/* Computes y, from x, or from a and b, on the reference and in the host's memory: what a gradient needs saved, and what
 * it is the gradient of (spec, section 14). y has extent 1 along the axis of a reduction. */
COT_API cot_status cot_forward(const cot_desc *desc, const cot_args *args, cot_error *error);

/* ---- writing a backend ----------------------------------------------------------------------- */

#define COT_BACKEND_ABI 1u

/* A backend is a table of functions; ours and a vendor's alike. `self` is what open made. Functions marked optional may
 * be NULL. By the time run is called the core has validated everything (unless `validate` is given). */
typedef struct cot_backend_api {
    uint32_t abi;  /* COT_BACKEND_ABI */
    uint32_t size; /* sizeof(cot_backend_api): an older header's table lacks the last functions, which are optional */
    const char *name;

    cot_status (*open)(const char *options, void **self, cot_error *error); /* optional */
    void (*close)(void *self);                                              /* optional */

    /* Fills the SKU for a valid descriptor, or says COT_UNSUPPORTED. */
    cot_status (*capabilities)(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error);
    size_t (*workspace_size)(void *self, const cot_desc *desc); /* optional: 0 */
    cot_status (*run)(void *self, cot_stream stream, void *workspace, size_t workspace_bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error);
    cot_status (*synchronize)(void *self, cot_stream stream, cot_error *error); /* optional: run is synchronous */

    /* Device memory: all four or none. */
    cot_status (*alloc)(void *self, size_t bytes, void **memory, cot_error *error);
    void (*free)(void *self, void *memory);
    cot_status (*copy_in)(void *self, void *to, const void *from_host, size_t bytes, cot_error *error);
    cot_status (*copy_out)(void *self, void *to_host, const void *from, size_t bytes, cot_error *error);

    /* Optional: a port that checks calls itself is asked here instead of the core, and judged on its answers. `args` is
     * NULL where only the descriptor is in question. */
    cot_status (*validate)(void *self, const cot_desc *desc, const cot_args *args, cot_error *error);

    /* Optional, and newer than the rest: fills device, arch and software. The core has filled the rest, and calls it
     * once, after open.
     */
    void (*describe)(void *self, cot_backend_info *info);
} cot_backend_api;

/* A backend in the caller's own program; the table must outlive it. */
COT_API cot_status cot_backend_from(const cot_backend_api *api, const char *options, cot_backend **out,
                                    cot_error *error);

/* A shared library exports this one function. */
#define COT_BACKEND_ENTRY "cot_backend_entry"
typedef const cot_backend_api *(*cot_backend_entry_fn)(void);

#ifdef __cplusplus
}
#endif

#endif
