/* The defects that mutants are made of; each file has one kind. */
#ifndef COT_MUTANT_DEFECTS_H
#define COT_MUTANT_DEFECTS_H

#include "mutant_call.h"

/* What a defect of a line is to do: bits of a row's `with`. */
enum {
    SEQUENTIAL = 1,           /* one term after the other */
    UNTILED = 2,              /* the lanes run through the whole line */
    MISSING_IS_PLUS = 4,      /* +0.0 for a missing term */
    IN_ELEMENT = 8,           /* sums are kept in the element type */
    SKIP_NANS = 16,           /* only finite terms are added */
    MEAN_OVER_M = 32,         /* the mean is divided by m */
    DISTRIBUTED = 64,         /* y * g - y * s */
    KOGGE_STONE = 128,        /* a tree of sums */
    TOTAL_LAST = 256,         /* T + (E + local) */
    EXCLUSIVE = 512,          /* a cell's own term is left out */
    ALONG = 1024,             /* in the forward direction */
    LAST_TIE = 2048,          /* the last of equal cells wins */
    NAN_WINS = 4096,          /* a NaN wins always */
    LEADING_NAN_LOSES = 8192, /* a NaN at the start gives way to a number */
    REALIGNED = 16384,        /* segments start anew at a winner */
    NEVER_RESTARTS = 32768,   /* a winner takes all that follows */
    ANCHOR_HALF = 65536,      /* multiples of 8 */
    UNANCHORED = 131072,      /* exp(y_k - y_next) */
    STOPS = 1 << 18,          /* terms from the 65,536th on are not added */
    CARRY_LOST = 1 << 19,     /* nothing is carried past the 65,536th term */
    IN_F16 = 1 << 20,         /* sums are kept in f16, whatever the element type */
    IN_BF16 = 1 << 21,        /* and in bf16 */
    SEGMENTS_APART = 1 << 22, /* nothing is handed to the next segment */
    IN_CROWDS = 1 << 23,      /* the other bits hold where there are eight lines or more, */
    IN_ODD_CROWDS = 1 << 24,  /* where their number is odd, */
    WHERE_STRIDED = 1 << 25   /* where the output is not contiguous */
};

#define POLICY_SWAP(policy, value, instead) ((int)offsetof(cot_policies, policy) | (value) << 8 | (instead) << 16)

cot_status check_unbroken(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);

/* A prototype of each function that a row names: a row whose function is missing does not link, and a function that no
 * row names does not compile. */
#define MUTANT(name_, clause_, ops_, also_, about_, ...) __VA_ARGS__
#define WITH(bits)
#define WORKSPACE(bytes)
#define SLOW
#define WHERE(name) mutant_where name;
#define ASK(name) mutant_ask name;
#define FEED(name) mutant_feed name;
#define CELL(name) mutant_cell name;
#define LINE(name) mutant_line name;
#define SKIP(name) mutant_skip name;
#define SCRIBBLE(name) mutant_scribble name;
#define REFUSE(name) mutant_refuse name;
#define SETTLE(name) mutant_settle name;
#define PROMISE(name) mutant_promise name;
#define ALLOC(name) mutant_alloc name;
#define CHECK(name) mutant_check name;
#define REPAIR(name) mutant_repair name;
#define FORWARD(name) mutant_forward name;
#include "mutants.def"
#undef MUTANT
#undef WITH
#undef WORKSPACE
#undef SLOW
#undef WHERE
#undef ASK
#undef FEED
#undef CELL
#undef LINE
#undef SKIP
#undef SCRIBBLE
#undef REFUSE
#undef SETTLE
#undef PROMISE
#undef ALLOC
#undef CHECK
#undef REPAIR
#undef FORWARD

#endif
