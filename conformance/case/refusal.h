/* Calls that the spec refuses (section 10): what is done to a good call, and what must come of it, stated here and not
 * asked of the library. The rows stand in the order in which mistakes are found (VALID-ORDER). */
#ifndef COT_REFUSAL_H
#define COT_REFUSAL_H

#include "case.h"
#include "operand.h"

/* A call before it is made. Each struct has space behind it, where a later header's fields would be. */
typedef struct bad_call {
    cot_desc good; /* as the case has it */
    struct {
        cot_desc known;
        unsigned char newer[8];
    } desc;
    struct {
        cot_args known;
        unsigned char newer[8];
    } args;
    struct {
        cot_preference known;
        unsigned char newer[8];
    } preference;
    int no_desc, no_args, prefers; /* NULL for the struct; a preference is given */
    cot_view views[OPERANDS];
    size_t workspace_needed;
    const cot_guarantee *promise; /* of the good call's plan */
    char *workspace;
    size_t workspace_bytes;
    size_t memory;    /* to be asked of the backend, and more than there is; else 0 */
    cot_error wanted; /* COT_OK: the call is good all the same */
    int any_detail;   /* the spec does not say what needed and got are */
} bad_call;

typedef enum refusal_kind {
    REFUSAL_DESC,
    REFUSAL_PREFERENCE,
    REFUSAL_ARGS,
    REFUSAL_OPERAND, /* of any operand */
    REFUSAL_OUTPUT,  /* of an output: what it overlaps */
    REFUSAL_WORKSPACE,
    REFUSAL_MEMORY, /* nothing is wrong with the call */
    REFUSAL_KINDS
} refusal_kind;

typedef struct refusal {
    const char *name;
    const char *clause;
    refusal_kind kind;
    /* One of them: what is done to the call. 0: it cannot be done to this one. */
    int (*spoil)(bad_call *c);
    int (*spoil_operand)(bad_call *c, cot_operand operand);
} refusal;

const refusal *refusal_at(int row); /* NULL past the last */
int refusal_find(const char *name); /* -1 where there is none */

/* Whether the row can be about this operand (COT_NO_OPERAND where the row is not about one) of this op. */
int refusal_is_of(const refusal *r, const cot_op_info *op, cot_operand operand);

/* A good call, contiguous, but for memory. */
void bad_call_begin(bad_call *to, const cot_desc *desc);

/* Does to it what the case says. 0, or -1 where that cannot be done to it. */
int refusal_apply(const test_case *c, bad_call *to);

/* Whether the case's mistakes can be made, both of them, in one call that is then refused for the first. */
int refusal_fits(const test_case *c);

#endif
