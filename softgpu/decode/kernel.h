/* A kernel, linked: its entry and every function it calls, decoded to one array of instructions. */
#ifndef SG_KERNEL_H
#define SG_KERNEL_H

#include "form.h"
#include "softgpu/ptx/ptx.h"

enum { PC_EXIT = 0x7fffffff }; /* the virtual end of a function: where returning paths reconverge */

/* Fixed slots at the start of every frame. */
enum { SLOT = 128, SLOT_ZERO = 0, SLOT_CC = 256, SLOT_TEMP = 384, TEMPS = 4, SLOT_FIRST = SLOT_TEMP + TEMPS * 256 };

typedef struct const_slot {
    u64 bits;
    u32 offset;
    u8 size;
} const_slot;

typedef struct kfunc {
    func *src;
    u32 entry;                  /* index of the first instruction */
    u32 frame, frame_size;      /* registers: offset in the warp's file */
    u32 local_base, local_size; /* bytes of local memory per thread */
    u32 shared_base, shared_size;
    const_slot *consts;
    int nconsts;
    u32 *uninit; /* slots of registers that some path reads before writing them */
    int nuninit;
    u32 live32, live64; /* most registers alive at once */
    u32 pools[4];       /* where predicates, 32-bit and 64-bit registers begin in the frame, and where they end */
    bool on_stack;      /* may be active more than once in a thread: its local memory is on the thread's stack, */
    u32 fp_slot;        /* where this register says */
} kfunc;

/* Parameters travel as bytes of local memory. */
typedef struct param_copy {
    u32 from, to, size;
} param_copy;
typedef struct call {
    u32 caller, callee; /* functions of the kernel */
    int nin, nout;
    param_copy *in, *out;
    struct call *candidates; /* an indirect call: one for every function that it may go to */
    int ncandidates;
} call;

/* Functions that the device itself has. */
enum builtin { BUILTIN_VPRINTF, BUILTIN_MALLOC, BUILTIN_FREE, BUILTIN_ASSERT, BUILTINS };
int builtin_function(const char *name); /* -1 for another name */

typedef struct kernel {
    module *m;
    func *f;
    ins *code;
    u32 ncode;
    kfunc *funcs;
    int nfuncs;
    u32 regs_size, local_size, shared_size, param_size, dynamic_align;
    bool uses_stack; /* some function is on the stack, or takes memory of it */
    bool in_order;   /* holds order-dependent global atomics: its CTAs run one after the other */
    int num_regs;
    sg_error refused; /* line 0 where the kernel can be run */
} kernel;

/* Control flow of one function, by PTX statement. */
typedef struct basic_block {
    int first, last;
    int succ[2];
    int nsucc;
    int ipdom;
    bool to_exit;
} basic_block;
typedef struct cfg {
    basic_block *blocks;
    int nblocks;
    int *block_of;
} cfg;

/* Registers that a statement reads and writes. */
enum { MAX_REFS = 160 };
typedef struct reg_refs {
    int def[MAX_REFS], use[MAX_REFS];
    int ndef, nuse;
    bool conditional, early;
} reg_refs;

/* State of decoding one function of a kernel. */
typedef struct decoder {
    module *m;
    kernel *k;
    kfunc *kf;
    func *f;
    const form_table *forms;
    match *matches; /* per statement */
    cfg flow;
    u32 *slot;       /* of each register */
    u8 *used;        /* is the register ever read? */
    u32 *start;      /* statement -> instruction */
    u32 next_offset; /* end of the frame so far */
    int next_temp;
    const pins *at; /* the statement being decoded */
    sg_error *err;
} decoder;

/* link.c: every entry of the module. A kernel that needs what is not modelled is refused alone, in its `refused`; false
 * with *err where the module is wrong. */
bool sg_link(module *m, const form_table *forms, kernel **kernels, int *nkernels, sg_error *err);

/* flow.c     */ void build_flow(decoder *d);
/* refs.c     */ bool match_statements(decoder *d);
bool find_refs(decoder *d, int statement, reg_refs *r);
/* slots.c    */ bool assign_slots(decoder *d);
/* decode.c   */ bool decode_function(decoder *d);
/* operands.c */ u32 source_slot(decoder *d, const operand *o, char sig);
u32 const_slot_for(decoder *d, u64 bits, u8 size);
u32 temp_slot(decoder *d);
ins *emit(decoder *d, const match *m);
ins *emit_helper(decoder *d, const char *name, u32 dst, u32 a, u32 b);
bool on_stack(const decoder *d, const var *v); /* does the variable lie where the frame's pointer says? */
bool operand_address(decoder *d, const operand *o, u64 *value);
int reg_size(const decoder *d, int reg);
int sig_size(char sig);
/* decode_mem.c */ void decode_memory(decoder *d, const match *m);
bool resolve_address(decoder *d, const operand *o, const match *m, resolved *a);
/* decode_tile.c */ void decode_tile(decoder *d, const match *m);
u32 list_registers(decoder *d, const operand *o, u32 *regs, u32 most, int size); /* of a vector, all of one size */
/* decode_bulk.c */ void decode_bulk(decoder *d, const match *m);
/* decode_group.c */ void decode_wgmma(decoder *d, const match *m);
/* decode_mov.c */ void decode_mov(decoder *d, const match *m);
/* decode_call.c */ void decode_call(decoder *d, const match *m);

void decode_error(decoder *d, const char *format, ...) PRINTF_LIKE(2, 3); /* keeps the first */

#endif
