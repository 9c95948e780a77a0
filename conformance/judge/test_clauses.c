/* Every op is defined by a clause of the spec that is about it. */
#include "conformance/clause/clauses.h"
#include "conformance/clause/scope.h"
#include "conformance/tap/tap.h"
#include "conformance/truth/truth.h"

int main(void)
{
    const cot_op_info *op;
    plan(NO_PLAN);
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        const clause *c = clause_find(truth_clause(op->op));
        ok(c && scope_names(c->scope, op), "%s is defined by %s", op->name, truth_clause(op->op));
    }
    return done_testing();
}
