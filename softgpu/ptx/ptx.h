/* A PTX module as parsed: functions, variables, instructions with their operands. Nothing here is executable yet. */
#ifndef SG_PTX_H
#define SG_PTX_H

#include "softgpu/base/base.h"

enum space { SP_GENERIC, SP_REG, SP_GLOBAL, SP_CONST, SP_SHARED, SP_LOCAL, SP_PARAM };

/* Type: size in bytes, and how a literal converts. */
enum type_kind { TK_BITS, TK_UNSIGNED, TK_SIGNED, TK_FLOAT, TK_PRED };
typedef struct type {
    const char *name;
    enum type_kind kind;
    u8 size;
} type;
const type *sg_type(const char *name, int len); /* ".f32" -> type, NULL for a word that is no type */

/* An initialiser that holds an address: at this offset, variable + addend. */
typedef struct reloc {
    u32 offset;
    u8 size;
    bool generic;
    struct var *target;
    struct func *function; /* instead of a variable */
    u8 shift;              /* of the address, before size bytes of it are taken */
    s64 addend;
} reloc;

typedef struct var {
    const char *name;
    enum space space;
    u32 align;
    u64 size;
    bool is_extern, is_entry_param, is_managed;
    u8 element; /* bytes of one */
    u8 *init;   /* NULL: zeros */
    reloc *relocs;
    int nrelocs;
    int line;
    u64 address; /* given when the module is laid out or a kernel is linked */
} var;

enum operand_kind { OP_REG, OP_IMM, OP_SYM, OP_FUNC, OP_LABEL, OP_SPECIAL, OP_VEC, OP_ADDR, OP_SINK };
enum imm_kind { IMM_INT, IMM_F32, IMM_F64 };

typedef struct operand {
    u8 kind;
    u8 imm_kind;
    bool negated; /* !p */
    u8 n;         /* OP_VEC: elements; OP_ADDR: 1 where base is a register */
    int reg;      /* OP_REG, base of OP_ADDR; -1 otherwise */
    int reg2;     /* the q of p|q, -1 without */
    int col;
    u64 imm; /* value; offset of OP_ADDR and OP_SYM; OP_SPECIAL: which */
    union {
        struct var *var;
        struct func *func;
        struct label *label;
        struct operand *elem;
    } u;
} operand;

typedef struct label {
    const char *name;
    int target;
    int line, col;
    struct label **targets; /* of .branchtargets */
    int ntargets;
    bool is_table; /* names .branchtargets, .calltargets or .callprototype, no statement */
} label;

/* One PTX statement. The opcode is whole: "add.rn.f32". */
typedef struct pins {
    const char *opcode;
    operand *ops;
    int nops;
    int guard; /* predicate register or -1 */
    bool guard_negated;
    int line, col;
    int loc;              /* index in the module's source locations, -1 without */
    operand *rets, *args; /* of call */
    int nrets, nargs;
    struct func *callee;
    int target;     /* register that an indirect call goes by, -1 for others */
    bool is_helper; /* not written in the text: part of the statement before it */
    u32 used_bytes; /* a load whose other bytes are not used; 0 where all are */
} pins;

typedef struct vreg {
    const char *name;
    const type *type;
} vreg;

typedef struct func {
    const char *name;
    bool is_entry, has_body;
    var **params, **rets;
    int nparams, nrets;
    pins *code;
    int ncode;
    vreg *regs;
    int nregs;
    var **vars; /* local, shared and param variables of the body */
    int nvars;
    label **labels;
    int nlabels;
    int line;
    int max_ntid[3], req_ntid[3], cluster[3], min_ctas;
    bool has_max_ntid, has_req_ntid, has_cluster;
    bool address_taken; /* may be called indirectly */
    int index;          /* in the module */
    int mark;           /* of walks over the call graph */
    sg_error refused;   /* why the body could not be read; line 0 where it could */
} func;

typedef struct source_loc {
    int file, line, col;
} source_loc;
typedef struct source_file {
    int number;
    const char *name;
} source_file;

typedef struct module {
    arena mem;
    arena scratch; /* of decoding one function */
    int version_major, version_minor, sm;
    func **funcs;
    int nfuncs;
    var **vars;
    int nvars;
    source_loc *locs;
    int nlocs;
    source_file *files;
    int nfiles;
    const char *text; /* a copy, for those who show it */
    void *opcodes;    /* forms of opcodes already matched (refs.c) */
} module;

/* Fills the module; false with *err set on text that is not PTX. The arena of m must be ready. */
bool sg_parse(module *m, const char *text, size_t len, sg_error *err);
const char *sg_file_name(const module *m, int number);

#endif
