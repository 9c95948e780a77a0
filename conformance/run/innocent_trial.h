/* Whether the suite acquits an innocent. */
#ifndef COT_INNOCENT_TRIAL_H
#define COT_INNOCENT_TRIAL_H

#include "conformance/clause/suite_tests.h"
#include "conformance/innocent/innocent.h"
#include "conformance/judge/judge.h"

/* Which cases: `every`-th from `offset` on, of at most `largest` cells. */
typedef struct innocent_share {
    int64_t every, offset, largest;
} innocent_share;

/* Cases of an op that are compared with the reference, and of those that differ how many are asked for their clause. */
enum { ACCUSATIONS = 4, COMPARED = 12, TOLD = 3 };

typedef struct innocent_trial {
    int64_t tried, accused; /* cases */
    int64_t cells, unjudged;
    double worst;              /* of the errors over their bounds */
    int64_t compared, differs; /* cases, with the reference; and where its bits are others */
    int told, misnamed; /* of these, where cells tell which clause is broken; and where its row has not the one named */
    int shown;
    struct accusation {
        const suite_test *t;
        verdict v;
    } at[ACCUSATIONS], misnaming; /* the first ones */
} innocent_trial;

/* Judges it at the level that it promises, by the tests of an op. In some of them, and until it differs from the
 * reference somewhere, it is compared with that too: to differ is no accusation, but names a clause of its row. Not
 * COT_OK: it could not be opened. */
cot_status innocent_try(const innocent *v, const cot_op_info *op, const suite_tests *tests, innocent_share share,
                        int differs, innocent_trial *out);

/* Every innocent that stands for an op is judged by a case of it, and acquitted in all of them. */
int is_acquitted(const innocent_trial *t);

#endif
