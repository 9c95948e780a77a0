/* Reads a framework's call and its result from a line of JSON. */
#include "vector.h"
#include "json.h"
#include "conformance/case/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the problem ----------------------------------------------------------------------------- */

static file_error read_names(const json_object *o, vector *v)
{
    char op[32], dtype[8];
    if (json_string(json_find(o, "op"), op, sizeof op) || !cot_op_find(op))
        return file_wrong(FILE_WRONG, "\"op\" is no op (cotangent ops lists them)");
    if (json_string(json_find(o, "dtype"), dtype, sizeof dtype) || !cot_element_find(dtype))
        return file_wrong(FILE_WRONG, "\"dtype\" is none of f16, bf16, f32 and f64");
    if (json_string(json_find(o, "convention"), v->convention, sizeof v->convention)
        || parse_convention(v->convention, &v->desc.policies))
        return file_wrong(FILE_WRONG, "\"convention\" is none of spec, torch, jax and accurate");
    v->desc.op = cot_op_find(op)->op;
    v->desc.element = cot_element_find(dtype);
    return file_good();
}

static file_error read_shape(const json_object *o, vector *v)
{
    double extent[COT_MAX_RANK];
    int64_t rank = json_reals(json_find(o, "shape"), extent, COT_MAX_RANK);
    if (rank < 1)
        return file_wrong(FILE_WRONG, "\"shape\" is not an array of up to %d extents", COT_MAX_RANK);
    v->desc.rank = (int32_t)rank;
    double cells = 1;
    for (int i = 0; i < rank; i++) {
        cells *= extent[i] > 1 ? extent[i] : 1;
        if (!(extent[i] >= 0) || extent[i] != floor(extent[i]) || cells > (double)o->end)
            return file_wrong(FILE_WRONG, "\"shape\" has more cells than the line has characters, or is no shape");
        v->desc.shape[i] = (int32_t)extent[i];
    }
    return file_good();
}

static file_error read_parameters(const json_object *o, vector *v)
{
    long long axis = 0, correction = 0;
    if (cot_has_axis(cot_op_get(v->desc.op)) && json_integer(json_find(o, "axis"), 0, v->desc.rank - 1, &axis))
        return file_wrong(FILE_WRONG, "\"axis\" is not from 0 to %d", v->desc.rank - 1);
    if (json_find(o, "correction").start && json_integer(json_find(o, "correction"), INT32_MIN, INT32_MAX, &correction))
        return file_wrong(FILE_WRONG, "\"correction\" is not a whole number of 32 bits");
    if (json_find(o, "reverse").start && json_flag(json_find(o, "reverse"), &v->desc.reverse))
        return file_wrong(FILE_WRONG, "\"reverse\" is neither true nor false");
    if (cot_op_takes(cot_op_get(v->desc.op), COT_TAKES_PARAM) && json_real(json_find(o, "param"), &v->desc.param))
        return file_wrong(FILE_WRONG, "\"param\", lerp's weight, is not a number");
    v->desc.axis = (int32_t)axis, v->desc.correction = (int32_t)correction;
    return file_good();
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Every number must be one of its type: what is rounded on the way in was not what the framework got. */
static int set_cells(cot_view *view, const double *numbers)
{
    char *cells = view->data;
    for (int64_t i = 0; i < view->length; i++, cells += cot_element_size(view->element)) {
        cot_cell_set(view->element, cells, numbers[i]);
        double kept = cot_cell_get(view->element, cells);
        if (!isnan(numbers[i]) && (isnan(kept) || kept != numbers[i]))
            return -1;
    }
    return 0;
}

static file_error read_operand(const json_object *o, vector *v, cot_operand operand)
{
    const char *name = cot_operand_name(operand);
    cot_view *view = &v->view[operand];
    if (operand_make(&v->desc, operand, view))
        return file_wrong(FILE_FAILED, "out of memory");
    double *numbers = calloc((size_t)view->length + 1, sizeof *numbers);
    if (!numbers)
        return file_wrong(FILE_FAILED, "out of memory");
    int64_t count = json_reals(json_find(o, name), numbers, view->length + 1);
    file_error wrong = file_good();
    if (count != view->length)
        wrong = file_wrong(FILE_WRONG, "\"%s\" is not an array of %lld numbers", name, (long long)view->length);
    else if (set_cells(view, numbers))
        wrong =
            file_wrong(FILE_WRONG, "\"%s\" holds a number that %s has not", name, cot_element_name(v->desc.element));
    free(numbers);
    return wrong;
}

/* What the op uses. A refused call has no results. */
static file_error read_operands(const json_object *o, vector *v)
{
    const cot_op_info *op = cot_op_get(v->desc.op);
    file_error wrong = file_good();
    for (int i = COT_DY; i < OPERANDS && !wrong.status; i++) {
        int used = cot_operand_used(op, (cot_operand)i), result = i == COT_Y || cot_is_output((cot_operand)i);
        if (used && !(v->refused && result))
            wrong = read_operand(o, v, (cot_operand)i);
    }
    return wrong;
}

/* ---- the id ---------------------------------------------------------------------------------- */

/* The function, which follows the framework's name and version in "source"; blanks become _. */
static void print_function(const json_object *o, char text[64])
{
    char source[96] = "";
    json_string(json_find(o, "source"), source, sizeof source);
    char *name = source;
    for (int words = 0; words < 2 && strchr(name, ' '); words++)
        name = strchr(name, ' ') + 1;
    for (char *at = name; (at = strpbrk(at, " /"));)
        *at = '_';
    snprintf(text, 64, "%.63s", *name ? name : "-");
}

static void print_id(const json_object *o, vector *v)
{
    char function[64], name[48] = "-", *to = v->id;
    const cot_desc *d = &v->desc;
    size_t size = sizeof v->id;
    print_function(o, function);
    json_string(json_find(o, "case"), name, sizeof name);
    int used = snprintf(to, size, "%s/%s/%s/%s/%s/", v->convention, function, cot_op_get(d->op)->name,
                        cot_element_name(d->element), name);
    for (int i = 0; i < d->rank; i++)
        used += snprintf(to + used, size - (size_t)used, i ? "x%d" : "%d", d->shape[i]);
    if (cot_has_axis(cot_op_get(d->op)) && d->rank > 1)
        used += snprintf(to + used, size - (size_t)used, "/%d", d->axis);
    if (cot_op_get(d->op)->traits & COT_OP_CORRECTS)
        used += snprintf(to + used, size - (size_t)used, "/correction=%d", d->correction);
    if (cot_op_takes(cot_op_get(d->op), COT_TAKES_PARAM))
        used += snprintf(to + used, size - (size_t)used, "/param=%g", d->param);
    snprintf(to + used, size - (size_t)used, "%s", d->reverse ? "/reverse" : "");
}

file_error vector_read(const char *line, vector *v)
{
    static file_error (*const steps[])(const json_object *o, vector *v) = { read_names, read_shape, read_parameters,
                                                                            read_operands };
    json_object object;
    *v = (vector){ .desc = { COT_SIZED(cot_desc) } };
    if (json_read(line, &object))
        return file_wrong(FILE_WRONG, "it is not one JSON object of strings, numbers and arrays of them");
    v->end = object.end;
    v->refused = json_find(&object, "error").start != NULL;
    file_error wrong = file_good();
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !wrong.status; i++)
        wrong = steps[i](&object, v);
    if (!wrong.status)
        print_id(&object, v);
    return wrong;
}

void vector_free(vector *v)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(v->view[o].data);
    *v = (vector){ 0 };
}
