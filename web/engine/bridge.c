/* The scene, as JavaScript drives it: open a case, set cells, compute, read. */
#include "bridge.h"
#include "differences.h"
#include "conformance/case/words.h"

#include <stdlib.h>
#include <string.h>

scene web_scene;
static cot_error last_error;
static char why_not[CASE_ID_SIZE];

text *web_answer(void)
{
    static text answer;
    text_clear(&answer);
    return &answer;
}

cot_backend *web_reference(void)
{
    static cot_backend *reference;
    if (!reference)
        cot_backend_open("ref", NULL, &reference, &last_error);
    return reference;
}

/* ---- cases ----------------------------------------------------------------------------------- */

EXPORT int web_open(const char *id) { return scene_open(&web_scene, id, why_not); }

EXPORT const char *web_why(void) { return why_not; }

/* The case as JSON: its id in canonical form, and every part of it. */
EXPORT const char *web_case(void)
{
    char id[CASE_ID_SIZE];
    const cot_desc *desc = &web_scene.c.desc;
    text *t = web_answer();
    case_print(&web_scene.c, id);
    json_open(t, NULL, '{');
    json_string(t, "id", id);
    json_string(t, "op", cot_op_get(desc->op)->name);
    json_string(t, "element", cot_element_name(desc->element));
    json_integer(t, "bytes", (int64_t)cot_element_size(desc->element));
    json_open(t, "shape", '[');
    for (int d = 0; d < desc->rank; d++)
        json_integer(t, NULL, desc->shape[d]);
    json_close(t, ']');
    json_integer(t, "axis", web_scene.axis);
    json_integer(t, "n", web_scene.lines ? web_scene.n : 0);
    json_integer(t, "lines", web_scene.lines);
    json_integer(t, "yGiven", web_scene.y_given);
    json_close(t, '}');
    return t->data;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static int has_cell(int operand, int i)
{
    return operand >= COT_DY && operand < OPERANDS && i >= 0 && i < scene_count(&web_scene, (cot_operand)operand);
}

EXPORT int web_count(int operand) { return (int)scene_count(&web_scene, (cot_operand)operand); }

EXPORT double *web_values(int operand) { return web_scene.values[operand]; }

EXPORT void web_set(int operand, int i, double value)
{
    if (has_cell(operand, i))
        scene_set(&web_scene, (cot_operand)operand, i, value);
}

EXPORT void web_look(int line)
{
    if (line >= 0 && line < web_scene.lines)
        scene_look(&web_scene, line);
}

EXPORT int web_compute(void) { return scene_compute(&web_scene, web_reference(), &last_error); }

cot_error *web_last_error(void) { return &last_error; }

EXPORT const char *web_error(void) { return last_error.message; }

/* A number as a person writes it, in the scene's element type. */
EXPORT int web_parse(const char *number, double *value)
{
    unsigned char cell[8];
    if (parse_number(number, value))
        return -1;
    cot_cell_set(web_scene.c.desc.element, cell, *value);
    *value = cot_cell_get(web_scene.c.desc.element, cell);
    return 0;
}

/* The same, as it is: an edit keeps its bits when the element type changes and changes back. */
EXPORT int web_parse_double(const char *number, double *value) { return parse_number(number, value); }

EXPORT const char *web_show_hex(double value)
{
    text *t = web_answer();
    text_add(t, "%a", value);
    return t->data;
}

/* The element's own bits, as hexadecimal digits, and back. */
EXPORT const char *web_bits(int operand, int i)
{
    text *t = web_answer();
    size_t bytes = cot_element_size(web_scene.c.desc.element);
    text_add(t, "%0*llx", (int)(2 * bytes),
             has_cell(operand, i) ? (unsigned long long)scene_bits(&web_scene, (cot_operand)operand, i) : 0ull);
    return t->data;
}

EXPORT double web_from_bits(const char *digits)
{
    uint64_t bits = strtoull(digits, NULL, 16);
    return cot_cell_get(web_scene.c.desc.element, &bits);
}

EXPORT const char *web_digest(void)
{
    text *t = web_answer();
    text_add(t, "%016llx", (unsigned long long)scene_digest(&web_scene));
    return t->data;
}

/* ---- what a line says ------------------------------------------------------------------------ */

EXPORT double *web_differences(int input) /* NULL also where y is not what the forward gives */
{
    static double *slopes;
    free(slopes);
    slopes = web_scene.y_given ? NULL : calloc((size_t)web_scene.n + 1, sizeof *slopes);
    if (slopes && differences(&web_scene, (cot_operand)input, slopes)) {
        free(slopes);
        slopes = NULL;
    }
    return slopes;
}

/* da and db over a grid of a and b, at one g: 2 * side * side doubles, da first, rows from the greatest b down. NULL:
 * no memory. */
EXPORT double *web_map(int side, double a0, double a1, double b0, double b1, double g)
{
    static scene grid;
    char id[CASE_ID_SIZE];
    test_case c = web_scene.c;
    c.desc.rank = 2;
    c.desc.shape[0] = 1;
    c.desc.shape[1] = side * side;
    case_print(&c, id);
    if (cot_has_axis(cot_op_get(c.desc.op)) || scene_open(&grid, id, why_not))
        return NULL;
    for (int i = 0; i < side * side; i++) {
        scene_set(&grid, COT_DY, i, g);
        scene_set(&grid, COT_A, i, a0 + (a1 - a0) * (i % side + 0.5) / side);
        scene_set(&grid, COT_B, i, b1 - (b1 - b0) * (i / side + 0.5) / side);
    }
    if (scene_compute(&grid, web_reference(), &last_error))
        return NULL;
    static double *both;
    free(both);
    size_t half = (size_t)side * (size_t)side;
    both = malloc(2 * half * sizeof *both);
    for (int second = 0; both && second < 2; second++)
        memcpy(both + (second ? half : 0), grid.values[second ? COT_DB : COT_DA], half * sizeof *both);
    return both;
}
