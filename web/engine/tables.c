/* The library's tables as JSON: what the page's menus are made of. */
#include "bridge.h"
#include "conformance/case/generate.h"
#include "conformance/case/words.h"

static void add_operands(text *t)
{
    json_open(t, "operands", '{');
    for (int o = COT_DY; o < OPERANDS; o++)
        json_integer(t, cot_operand_name((cot_operand)o), o);
    json_close(t, '}');
}

static void add_op(text *t, const cot_op_info *op)
{
    unsigned takes = cot_family_get(op->family)->takes;
    json_open(t, NULL, '{');
    json_string(t, "name", op->name);
    json_string(t, "family", cot_family_name(op->family));
    json_string(t, "forward", op->forward);
    json_string(t, "gradient", op->gradient);
    json_integer(t, "axis", cot_has_axis(op));
    json_integer(t, "reverse", (takes & COT_TAKES_REVERSE) != 0);
    json_integer(t, "correction", (op->traits & COT_OP_CORRECTS) != 0);
    json_integer(t, "param", (takes & COT_TAKES_PARAM) != 0);
    json_integer(t, "policies", op->policies);
    json_open(t, "reads", '[');
    for (int o = COT_DY; o < COT_DX; o++)
        if (cot_operand_used(op, (cot_operand)o) && !(o == COT_Y && op->needs & COT_Y_UNREAD))
            json_string(t, NULL, cot_operand_name((cot_operand)o));
    json_close(t, ']');
    json_close(t, '}');
}

static void add_policy(text *t, const cot_policy_info *policy)
{
    json_open(t, NULL, '{');
    json_string(t, "name", policy->name);
    json_string(t, "about", policy->about);
    json_open(t, "values", '[');
    for (int i = 0; policy->values[i]; i++)
        json_string(t, NULL, policy->values[i]);
    json_close(t, ']');
    json_open(t, "conventions", '[');
    for (int i = 0; i <= COT_CONVENTION_ACCURATE; i++)
        json_string(t, NULL, policy->values[policy->conventions[i]]);
    json_close(t, ']');
    json_close(t, '}');
}

static void add_names(text *t)
{
    json_open(t, "elements", '[');
    for (int e = COT_F16; e <= COT_F64; e++)
        json_string(t, NULL, cot_element_name((cot_element)e));
    json_close(t, ']');
    json_open(t, "conventions", '[');
    for (int i = 0; convention_name((cot_convention)i); i++)
        json_string(t, NULL, convention_name((cot_convention)i));
    json_close(t, ']');
    json_open(t, "generators", '[');
    for (int i = 0; generator_at(i); i++) {
        json_open(t, NULL, '{');
        json_string(t, "name", generator_at(i)->name);
        json_string(t, "about", generator_at(i)->about);
        json_close(t, '}');
    }
    json_close(t, ']');
}

EXPORT const char *web_tables(void)
{
    text *t = web_answer();
    json_open(t, NULL, '{');
    json_string(t, "version", COT_VERSION);
    add_operands(t);
    add_names(t);
    json_open(t, "ops", '[');
    for (size_t i = 0; cot_op_at(i); i++)
        add_op(t, cot_op_at(i));
    json_close(t, ']');
    json_open(t, "policies", '[');
    for (size_t i = 0; cot_policy_at(i); i++)
        add_policy(t, cot_policy_at(i));
    json_close(t, ']');
    json_close(t, '}');
    return t->data;
}
