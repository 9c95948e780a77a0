/* The options that describe a problem. */
#include "request.h"
#include "conformance/case/operand.h"
#include "conformance/case/words.h"

#include <stdio.h>
#include <string.h>

int request_options(request *r, cli_option *rows)
{
    const cli_option options[REQUEST_OPTIONS] = {
        { "--axis", "K", "reductions, scans, softmax: along which axis; -1 is the last (default)", &r->axis, NULL },
        { "--reverse", NULL, "scans: the forward scan ran from the end", NULL, &r->reverse },
        { "--correction", "C", "var, std: divide by n - C (default: 0)", &r->correction, NULL },
        { "--param", "W", "lerp: the weight", &r->param, NULL },
        { "--convention", "NAME", "spec (default), torch or jax at ties, NaN and zeros, accurate", &r->convention,
          NULL },
        { "--policy", "LIST", "name=value,... on top of it (cotangent explain OP lists them)", &r->policy, NULL },
    };
    memcpy(rows, options, sizeof options);
    return REQUEST_OPTIONS;
}

int request_desc(const request *r, const cot_op_info *op, cot_desc *desc)
{
    long long correction = 0;
    *desc = (cot_desc){ COT_SIZED(cot_desc), .op = op->op, .reverse = r->reverse };
    if (r->dtype && cli_element(r->dtype, &desc->element))
        return EXIT_USAGE;
    if (r->shape && parse_shape(r->shape, &desc->rank, desc->shape))
        return cli_fail(EXIT_USAGE, "--shape %s: " SHAPE_EXPECTED, r->shape);
    if (r->correction && parse_integer(r->correction, INT32_MIN, INT32_MAX, &correction))
        return cli_fail(EXIT_USAGE, "--correction %s: expected a whole number of 32 bits", r->correction);
    if (r->param && parse_number(r->param, &desc->param))
        return cli_fail(EXIT_USAGE, "--param %s: expected a number", r->param);
    desc->correction = (int32_t)correction;
    return cli_policies(r->convention, r->policy, &desc->policies);
}

int request_axis(const request *r, cot_desc *desc)
{
    long long axis = -1;
    int rank = desc->rank;
    if (!cot_has_axis(cot_op_get(desc->op)))
        return EXIT_GOOD;
    if (r->axis && parse_integer(r->axis, -rank, rank - 1, &axis))
        return cli_fail(EXIT_USAGE, "--axis %s: expected %d to %d for rank %d (negative ones count from the end)",
                        r->axis, -rank, rank - 1, rank);
    desc->axis = (int32_t)(axis < 0 ? axis + rank : axis);
    return EXIT_GOOD;
}
