/* Instruction forms: the table that decoding and dispatch are made from, and the decoded instruction. */
#ifndef SG_FORM_H
#define SG_FORM_H

#include "softgpu/base/base.h"

/* How the executor treats an instruction. */
enum ins_kind {
    K_ALU,     /* one register result, lane by lane */
    K_PRED,    /* one predicate result */
    K_SETP,    /* predicate p, its complement's twin q, an optional combining predicate */
    K_SET,     /* a comparison to an all-ones or 1.0 register */
    K_CARRY,   /* register result and the carry flag */
    K_SPECIAL, /* read of a special register */
    K_NOP,     /* fences, prefetches: nothing to do in this memory model */
    K_LD,
    K_ST,
    K_ATOM,
    K_RED,
    K_MMA,
    K_MOVMATRIX,
    K_LDMATRIX,
    K_STMATRIX,
    K_WMMA_LD,
    K_WMMA_ST,
    K_CP_ASYNC,
    K_CP_WRITE, /* the second half of an asynchronous copy: describes its store, does nothing by itself */
    K_CP_COMMIT,
    K_CP_WAIT,
    K_MBARRIER,
    K_WGMMA,
    K_BULK,       /* bulk copies and tensor maps: which, by arg */
    K_ACTIVEMASK, /* from here on: what may end a path, or makes it wait */
    K_SHFL,
    K_VOTE,
    K_MATCH,
    K_REDUX,
    K_ELECT,
    K_WARPSYNC,
    K_BAR,
    K_BRA,
    K_CALL,
    K_CALL_INDIRECT,
    K_BUILTIN, /* a call of a function that the device itself has */
    K_STACK,   /* memory of the thread's stack: what, by arg */
    K_RET,
    K_EXIT,
    K_TRAP
};

/* Classes of the instruction counters. */
enum ins_class {
    CL_INT,
    CL_FP16,
    CL_FP32,
    CL_FP64,
    CL_CONVERT,
    CL_MOVE,
    CL_COMPARE,
    CL_SPECIAL,
    CL_LOAD,
    CL_STORE,
    CL_ATOMIC,
    CL_WARP,
    CL_BARRIER,
    CL_CONTROL,
    CL_MATRIX,
    CL_COUNT
};

enum ins_flags {
    F_FTZ = 1,
    F_SAT = 2,
    F_RELU = 4,
    F_NAN = 8,
    F_XORSIGN = 16,
    F_CC = 32,
    F_APPROX = 64,
    F_FULL = 128,
    F_NC = 256,
    F_VOLATILE = 512,
    F_ALIGNED = 1024,
    F_UNI = 2048,
    F_ABS = 4096,
    F_NEG_C = 8192,
    F_SATFINITE = 16384,
    F_TRANS = 32768,
    F_COL = 65536,
    F_ABSOLUTE = 131072,
    F_ACCUMULATE = 262144
};

/* How undefined bytes of the sources reach the result. */
enum init_rule {
    INIT_ALL, /* any undefined byte makes all of them so */
    INIT_MOVE,
    INIT_BITWISE,
    INIT_AND,
    INIT_OR,
    INIT_UPWARD /* from the lowest on */,
    INIT_SELECT,
    INIT_SHL,
    INIT_SHR,
    INIT_LOW,
    INIT_HIGH,
    INIT_HIGH16,
    INIT_PACK8,
    INIT_PACK16,
    INIT_PACK32,
    INIT_EXTRACT,
    INIT_NARROW
};

struct ins;
typedef void lane_fn(void *d, const u8 *R, const struct ins *k);

/* Operand signature: results, '=', sources. b h w l: integers of 8, 16, 32, 64 bits; f d e g: f32, f64, f16, bf16;
 * x: two halves in 32 bits; p: predicate; m: address; V, v: register or vector loaded, stored; L: label;
 * D: register of any width that the device fills. '|' lets the result be a pair r|p. '?' makes the operand before it
 * optional. */
typedef struct form {
    const char *pattern, *sig;
    u8 cls, kind;
    lane_fn *fn;      /* plain: nearest rounding, no flags */
    lane_fn *flagged; /* reads rnd and flags; NULL where fn does */
    u32 arg;          /* what the kind needs to know: sizes, operations */
} form;

#if defined __x86_64__ && defined __GNUC__
#define SG_HAS_AVX2 1
#else
#define SG_HAS_AVX2 0
#endif

/* One compilation of the lane functions. */
typedef struct form_table {
    const char *name;
    const form *forms;
    int count;
} form_table;
const form_table *sg_forms(void); /* the best for this processor */
extern const form_table sg_forms_base;

/* Values of the word classes in patterns. */
enum { SEM_NONE, SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC, SEM_VOLATILE };
enum { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };

/* What the modifiers of an opcode said. */
typedef struct match {
    const form *form;
    u8 rnd, irnd, space, sem, scope, vec, combine;
    bool has_rnd, has_space;
    u16 depth; /* the K of a warpgroup's shape */
    u32 flags;
} match;

/* The form of a whole opcode such as "add.rn.f32"; form is NULL where it is not modelled. */
match sg_match(const form_table *t, const char *opcode);

/* Operands are byte offsets in the frame of the function: 32 lanes of 4 or 8 bytes, or a predicate's 32 bits. */
typedef struct ins {
    lane_fn *fn;
    u32 d, a, b, c, e;
    u8 kind, dsize; /* bytes of a lane of the result: 4, 8, or 1 for a predicate, 0 for none */
    u8 cls, rnd;
    u32 flags, arg;
    u32 guard; /* offset of the predicate, 0 without */
    u8 guard_negated;
    u8 space, size, n;   /* memory: space, bytes of an element, elements */
    u8 is_signed, first; /* first: begins a PTX instruction (others are its helpers) */
    u8 nsrc, combine, wide_address, irnd;
    u8 align;        /* memory: bits of an address that must be zero */
    u8 rule;         /* initcheck: how undefined bytes pass through */
    u32 target, rpc; /* branch: where to, where paths reconverge */
    u32 regs[8];     /* vector operands */
    u32 sizes;       /* bit i: element register i is 64 bits wide */
    s64 imm;         /* address offset, special register, ... */
    u32 pins;        /* index of the PTX statement in the function */
    u32 func;        /* index of the function in the kernel */
    int line;
    union {
        const struct call *call;
        const struct tile *tile;
        const struct group_tile *group;
        const struct bulk *bulk;
    };
} ins;

/* An address: the slot of its register, how wide that is, what is added to it, and the space. */
typedef struct resolved {
    u32 base;
    bool wide;
    s64 offset;
    u8 space;
} resolved;

/* A bulk copy: where to, where from, the mbarrier that it completes, the slot of its bytes; with a tensor the address
 * of its map and the slots of its coordinates. */
typedef struct bulk {
    resolved to, from, barrier, map;
    u32 size, coordinates[5];
    u8 rank;
    bool signals;
} bulk;

/* Registers of a matrix instruction's operands. */
typedef struct tile {
    u32 d[8], a[8], b[8], c[8];
    u8 nd, na, nb, nc;
} tile;

/* wgmma: a warp's 16 rows of D. A is in registers or, as B, in shared memory. */
enum { GROUP_N = 256, GROUP_ROWS = 16, GROUP_BYTES = 32 }; /* the most columns, a warp's rows, bytes of a row of A */
typedef struct group_tile {
    u32 d[GROUP_N / 2], a[4];
    u32 a_at, b_at, accumulates; /* slots of the descriptors, and of the predicate */
    u16 n;
    u8 nd, na;
    u8 of[3]; /* elements of A, B, D */
    bool negate_a, negate_b, transposed_a, transposed_b;
} group_tile;

#endif
