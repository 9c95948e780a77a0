/* Whether a scope of the spec, such as "max, min" or "all", names an op. */
#include "scope.h"

#include <string.h>

int scope_mentions(const char *scope, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = scope; (at = strstr(at, word)); at += length)
        if ((at == scope || at[-1] == ' ') && (at[length] == 0 || at[length] == ','))
            return 1;
    return 0;
}

/* The family softmax shares its name with an op: it is meant only where another family stands beside it. */
int scope_names(const char *scope, const cot_op_info *op)
{
    if (scope_mentions(scope, "all") || scope_mentions(scope, op->name))
        return 1;
    return op->family != COT_SOFTMAX_FAMILY ? scope_mentions(scope, cot_family_name(op->family))
                                            : scope_mentions(scope, "softmax") && scope_mentions(scope, "reduce");
}
