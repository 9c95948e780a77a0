/* Case ids: printed, parsed, and checked for sense. */
#include "case.h"
#include "refusal.h"
#include "generate.h"
#include "operand.h"
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *about;
} layouts[] = {
    [LAYOUT_CONTIG] = { "contig", "row-major, one cell after the other" },
    [LAYOUT_TRANSPOSED] = { "transposed", "the dimensions in memory in the opposite order" },
    [LAYOUT_SLICED] = { "sliced", "every second cell of every dimension of a larger tensor" },
    [LAYOUT_OFFSET] = { "offset", "row-major, one cell past an aligned address" },
    [LAYOUT_BROADCAST] = { "broadcast", "inputs that repeat along a dimension: its stride is 0" },
};

const char *layout_name(case_layout layout)
{
    size_t i = (size_t)layout;
    return i < sizeof layouts / sizeof *layouts ? layouts[i].name : NULL;
}

const char *layout_about(case_layout layout) { return layouts[layout].about; }

cot_operand alias_output(const cot_op_info *op, cot_operand alias)
{
    return cot_has_axis(op) ? COT_DX : alias == COT_B ? COT_DB : COT_DA;
}

/* ---- printing -------------------------------------------------------------------------------- */

static void append(char id[CASE_ID_SIZE], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char id[CASE_ID_SIZE], const char *format, ...)
{
    size_t used = strlen(id);
    va_list list;
    va_start(list, format);
    vsnprintf(id + used, CASE_ID_SIZE - used, format, list);
    va_end(list);
}

static void print_policies(const cot_policies *policies, char id[CASE_ID_SIZE])
{
    for (int c = COT_CONVENTION_TORCH; c <= COT_CONVENTION_ACCURATE; c++) {
        cot_policies bundle;
        cot_convention_policies((cot_convention)c, &bundle);
        if (!memcmp(&bundle, policies, sizeof bundle)) {
            append(id, ",conv=%s", convention_name((cot_convention)c));
            return;
        }
    }
    const cot_policy_info *policy;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++) {
        uint8_t value = ((const uint8_t *)policies)[policy->offset];
        if (value)
            append(id, ",%s=%s", policy->name, policy->values[value]);
    }
}

void case_print(const test_case *c, char id[CASE_ID_SIZE])
{
    const cot_desc *d = &c->desc;
    *id = 0;
    append(id, "%s/%s/", cot_op_get(d->op)->name, cot_element_name(d->element));
    for (int i = 0; i < d->rank; i++)
        append(id, i ? "x%d" : "%d", d->shape[i]);
    cot_has_axis(cot_op_get(d->op)) ? append(id, "/%d", d->axis) : append(id, "/-");
    append(id, "/%s/%s/%llu", layout_name(c->layout), generator_at(c->generator)->name, (unsigned long long)c->seed);
    if (d->reverse)
        append(id, ",rev=1");
    if (d->correction)
        append(id, ",corr=%d", d->correction);
    if (d->param != 0)
        append(id, ",w=%a", d->param);
    print_policies(&d->policies, id);
    if (c->alias)
        append(id, ",alias=%s", cot_operand_name(c->alias));
    for (int i = 0; i < CASE_REFUSALS && c->bad[i].row; i++) {
        append(id, "%s%s", i ? "+" : ",bad=", refusal_at(c->bad[i].row - 1)->name);
        if (c->bad[i].operand)
            append(id, ".%s", cot_operand_name(c->bad[i].operand));
    }
}

/* ---- parsing --------------------------------------------------------------------------------- */

static int wrong(char why[CASE_ID_SIZE], const char *format, ...) __attribute__((format(printf, 2, 3)));
static int wrong(char why[CASE_ID_SIZE], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(why, CASE_ID_SIZE, format, list);
    va_end(list);
    return -1;
}

static int parse_fields(char *field[7], test_case *c, char why[CASE_ID_SIZE])
{
    const cot_op_info *op = cot_op_find(field[0]);
    long long number = 0;
    if (!op)
        return wrong(why, "there is no op \"%s\" (`cotangent ops` lists them)", field[0]);
    c->desc.op = op->op;
    c->desc.element = cot_element_find(field[1]);
    if (!c->desc.element)
        return wrong(why, "there is no element type \"%s\": f16, bf16, f32 or f64", field[1]);
    if (parse_shape(field[2], &c->desc.rank, c->desc.shape))
        return wrong(why, "\"%s\" in the shape: " SHAPE_EXPECTED, field[2]);
    if (cot_has_axis(op) ? parse_integer(field[3], 0, c->desc.rank - 1, &number) : strcmp(field[3], "-"))
        return wrong(why, "\"%s\" as axis: expected %s", field[3],
                     cot_has_axis(op) ? "0 up to rank - 1" : "- for an elementwise op");
    c->desc.axis = cot_has_axis(op) ? (int32_t)number : 0;
    for (c->layout = 0; layout_name(c->layout) && strcmp(layout_name(c->layout), field[4]);)
        c->layout++;
    if (!layout_name(c->layout))
        return wrong(why, "there is no layout \"%s\"", field[4]);
    c->generator = generator_find(field[5]);
    if (c->generator < 0)
        return wrong(why, "there is no generator \"%s\"", field[5]);
    if (parse_integer(field[6], 0, INT64_MAX, &number))
        return wrong(why, "\"%s\" as seed: expected a number", field[6]);
    c->seed = (uint64_t)number;
    return 0;
}

static int parse_operand(const char *value, cot_operand last, cot_operand *operand)
{
    for (int o = COT_DY; o <= (int)last; o++)
        if (!strcmp(cot_operand_name((cot_operand)o), value))
            *operand = (cot_operand)o;
    return *operand ? 0 : -1;
}

static int parse_refusals(char *value, test_case *c)
{
    for (int i = 0; value; i++) {
        char *next = strchr(value, '+'), *operand;
        if (next)
            *next++ = 0;
        operand = strchr(value, '.');
        if (operand)
            *operand++ = 0;
        if (i == CASE_REFUSALS || (operand && parse_operand(operand, COT_DB, &c->bad[i].operand)))
            return -1;
        c->bad[i].row = refusal_find(value) + 1;
        if (!c->bad[i].row || !refusal_is_of(refusal_at(c->bad[i].row - 1), cot_op_get(c->desc.op), c->bad[i].operand))
            return -1;
        value = next;
    }
    return 0;
}

static int parse_key(char *pair, test_case *c, char why[CASE_ID_SIZE])
{
    char *value = strchr(pair, '=');
    long long number = 0;
    if (!value)
        return wrong(why, "\"%s\": expected key=value", pair);
    *value++ = 0;
    int bad = 0;
    if (!strcmp(pair, "rev"))
        bad = parse_integer(value, 0, 1, &number), c->desc.reverse = (int32_t)number;
    else if (!strcmp(pair, "corr"))
        bad = parse_integer(value, INT32_MIN, INT32_MAX, &number), c->desc.correction = (int32_t)number;
    else if (!strcmp(pair, "w"))
        bad = parse_number(value, &c->desc.param);
    else if (!strcmp(pair, "conv"))
        bad = parse_convention(value, &c->desc.policies);
    else if (!strcmp(pair, "alias"))
        bad = parse_operand(value, COT_B, &c->alias);
    else if (!strcmp(pair, "bad"))
        bad = parse_refusals(value, c);
    else
        bad = parse_policy(pair, value, &c->desc.policies);
    return bad ? wrong(why, "\"%s=%s\": no such key, or no such value", pair, value) : 0;
}

/* An output can be an input that the op reads, of the same shape, whose cells are not repeated (LAYOUT-ALIAS). */
static int check_alias(const test_case *c, char why[CASE_ID_SIZE])
{
    int32_t shape[COT_MAX_RANK];
    const cot_op_info *op = cot_op_get(c->desc.op);
    if (!c->alias)
        return 0;
    cot_operand_shape(&c->desc, c->alias, shape);
    if (!cot_operand_used(op, c->alias) || memcmp(shape, c->desc.shape, (size_t)c->desc.rank * sizeof *shape)
        || c->layout == LAYOUT_BROADCAST)
        return wrong(why, "alias=%s: no output of %s can be it here", cot_operand_name(c->alias), op->name);
    return 0;
}

/* Every operand can be laid out in memory, with its guards and the gaps of its layout. An extent of 0 counts as 1, for
 * so are strides made. */
static int check_size(const test_case *c, char why[CASE_ID_SIZE])
{
    const size_t most = SIZE_MAX / 64;
    size_t cells = 1;
    for (int d = 0; d < c->desc.rank; d++) {
        size_t extent = (c->desc.shape[d] > 1 ? (size_t)c->desc.shape[d] : 1) * (c->layout == LAYOUT_SLICED ? 2 : 1);
        if (__builtin_mul_overflow(cells, extent, &cells) || cells > most)
            return wrong(why, "the shape has more cells than a program can address: at most %zu, gaps included", most);
    }
    return 0;
}

int case_parse(const char *id, test_case *c, char why[CASE_ID_SIZE])
{
    char text[CASE_ID_SIZE];
    char *field[7], *next = text;
    *c = (test_case){ .desc = { COT_SIZED(cot_desc) } };
    if (strlen(id) >= sizeof text)
        return wrong(why, "longer than %d characters", CASE_ID_SIZE - 1);
    strcpy(text, id);
    char *keys = strchr(text, ',');
    if (keys)
        *keys++ = 0;
    for (int i = 0; i < 7; i++) {
        if (!next)
            return wrong(why, "expected op/dtype/shape/axis/layout/generator/seed, as in max/f32/5x37/1/contig/ties/7");
        field[i] = next;
        next = strchr(next, '/');
        if (next)
            *next++ = 0;
    }
    if (next)
        return wrong(why, "too many parts: \"%s\"", next);
    if (parse_fields(field, c, why))
        return -1;
    for (char *pair = keys; pair; pair = next) {
        next = strchr(pair, ',');
        if (next)
            *next++ = 0;
        if (parse_key(pair, c, why))
            return -1;
    }
    if (check_size(c, why))
        return -1;
    if (c->bad[0].row && !refusal_fits(c))
        return wrong(why, "the faults cannot be made in this call");
    return check_alias(c, why);
}
