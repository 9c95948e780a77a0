/* Calls that the spec refuses (section 10): what is done to a good call, and what must come of it, stated here and not asked of
 * the library. The rows stand in the order in which faults are found (VALID-ORDER). */
#ifndef COT_FAULT_H
#define COT_FAULT_H

#include "case.h"
#include "operand.h"

/* A call before it is made. Structs have room behind them, where a later header's fields would be. */
typedef struct call {
    cot_desc good; /* as the case has it */
    struct { cot_desc known; unsigned char newer[8]; } desc;
    struct { cot_args known; unsigned char newer[8]; } args;
    struct { cot_preference known; unsigned char newer[8]; } preference;
    int no_desc, no_args, prefers; /* NULL for the struct; a preference is given */
    cot_view views[OPERANDS];
    size_t workspace_needed;
    const cot_guarantee *promise; /* of the good call's plan */
    char *workspace;
    size_t workspace_bytes;
    size_t memory; /* to be asked of the backend, and more than there is; else 0 */
    cot_error wanted; /* COT_OK: the call is good all the same */
    int any_detail;   /* the spec does not say what needed and got are */
} call;

typedef enum fault_kind {
    FAULT_DESC,
    FAULT_PREFERENCE,
    FAULT_ARGS,
    FAULT_OPERAND, /* of any operand */
    FAULT_OUTPUT,  /* of an output: what it overlaps */
    FAULT_WORKSPACE,
    FAULT_MEMORY, /* no fault of the call */
    FAULT_KINDS
} fault_kind;

typedef struct fault {
    const char *name;
    const char *clause;
    fault_kind kind;
    int (*spoil)(call *c, cot_operand operand); /* 0: it cannot be done to this call */
} fault;

const fault *fault_at(int row); /* NULL past the last */
int fault_find(const char *name); /* -1 where there is none */

/* Whether the row can be about this operand (COT_NO_OPERAND where the row is not about one) of this op. */
int fault_is_of(const fault *f, const cot_op_info *op, cot_operand operand);

/* A good call, contiguous, but for memory. */
void call_begin(call *to, const cot_desc *desc);

/* Does to it what the case says. 0, or -1 where that cannot be done to it. */
int fault_apply(const test_case *c, call *to);

/* Whether the case's faults can be made, both of them, in one call that is then refused for the first. */
int fault_fits(const test_case *c);

#endif
