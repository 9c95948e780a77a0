/* Starts an adapter, and tells it by JSON what the library's tables say: ops, their operands and policies. */
#include "adapter.h"
#include "proxy.h"
#include "conformance/case/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = { "numpy", "torch", "jax", NULL };

const char *adapter_name(int index) { return names[index]; }

int adapter_is(const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name))
            return 1;
    return 0;
}

/* ---- the tables ------------------------------------------------------------------------------ */

static void print_reads(FILE *to, const cot_op_info *op)
{
    const char *comma = "";
    fputs("\"reads\": [", to);
    for (int o = COT_DY; o < COT_DX; o++)
        if (cot_operand_used(op, (cot_operand)o)) {
            fprintf(to, "%s\"%s\"", comma, cot_operand_name((cot_operand)o));
            comma = ", ";
        }
    fputs("]", to);
}

/* Which bytes of cot_policies the op heeds. */
static void print_heeds(FILE *to, const cot_op_info *op)
{
    const cot_policy_info *policy;
    const char *comma = "";
    fputs(", \"heeds\": [", to);
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        if (op->policies >> i & 1) {
            fprintf(to, "%s%d", comma, (int)policy->offset);
            comma = ", ";
        }
    fputs("]", to);
}

/* By their numbers: there is no op 0. */
static void print_ops(FILE *to)
{
    const cot_op_info *op;
    fputs("\"ops\": [null", to);
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        fprintf(to, ", {\"name\": \"%s\", ", op->name);
        print_reads(to, op);
        print_heeds(to, op);
        fprintf(to, ", \"axis\": %d, \"reverse\": %d}", cot_has_axis(op), op->family == COT_SCAN);
    }
    fputs("], ", to);
}

static void print_conventions(FILE *to)
{
    const char *name, *comma = "";
    fputs("\"conventions\": {", to);
    for (int i = 0; (name = convention_name((cot_convention)i)); i++) {
        cot_policies policies = { 0 };
        cot_convention_policies((cot_convention)i, &policies);
        fprintf(to, "%s\"%s\": \"", comma, name);
        for (size_t byte = 0; byte < sizeof policies; byte++)
            fprintf(to, "%02x", ((const unsigned char *)&policies)[byte]);
        fputs("\"", to);
        comma = ", ";
    }
    fputs("}", to);
}

/* malloc's, or NULL. */
static char *print_tables(void)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    fputs("{\"elements\": [null", to);
    for (int i = COT_F16; i <= COT_F64; i++)
        fprintf(to, ", \"%s\"", cot_element_name((cot_element)i));
    fputs("], ", to);
    print_ops(to);
    print_conventions(to);
    fputs("}", to);
    return fclose(to) ? NULL : text;
}

/* ---- starting -------------------------------------------------------------------------------- */

cot_status adapter_open(const char *name, const char *file, const char *python, const char *options,
                        cot_backend **backend, cot_error *error)
{
    const char *asked = getenv("COTANGENT_PYTHON");
    char *tables = print_tables();
    if (!tables) {
        *error = (cot_error){ .code = COT_INTERNAL, .message = "out of memory" };
        return COT_INTERNAL;
    }
    const char *program = asked && *asked ? asked : !access(python, X_OK) ? python : "python3";
    cot_status status =
        proxy_open(name, (const char *const[]){ program, "-B", file, tables, NULL }, options, backend, error);
    free(tables);
    return status;
}
