/* What a wrong gradient is right for: another policy, direction, axis, correction, or its two outputs exchanged. */
#ifndef COT_GUESS_H
#define COT_GUESS_H

#include "conformance/case/case.h"
#include "conformance/case/operand.h"
#include "verdict.h"

/* Wrong cells that a guess has to explain, so that it does not hit by chance: each of them is right in the other
 * problem, and that problem leaves no cell unjudged. */
enum { ENOUGH_TO_GUESS = 4 };

typedef enum guess_kind {
    GUESS_NOTHING,
    GUESS_FRAMEWORKS,
    GUESS_POLICY,
    GUESS_CONVENTION,
    GUESS_DIRECTION,
    GUESS_AXIS,
    GUESS_CORRECTION,
    GUESS_EXCHANGE,
    GUESSES
} guess_kind;

typedef struct guessed {
    guess_kind kind;
    unsigned policies, frameworks; /* FRAMEWORKS: bits by policy, and by the conventions that have them so */
    int policy;                    /* POLICY: its number */
    int is;    /* the policy's value, the convention, 1 for a scan from the end, the axis, the correction */
    int asked; /* AXIS, CORRECTION: what was asked for */
} guessed;

/* How wrong a gradient is, and what it is right for. */
typedef struct headline {
    int of_spec; /* the spec's policies were asked for */
    int wrong;   /* of the cells that were judged */
    int64_t judged;
    guessed guess;
} headline;

/* Judges the same files as the result of other problems. 1, and the first that they are right for; else 0, and nothing.
 */
int guess_mistake(const cot_desc *desc, const cot_view views[OPERANDS], guessed *found);

/* By the verdict on the views; 0 where too few cells are wrong, or the views are right for nothing that is known. */
int guess_headline(const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v, headline *h);

/* The same of what the backend returns for a case. */
int guess_case(cot_backend *backend, const test_case *c, headline *h);

#endif
