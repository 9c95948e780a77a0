/* Where the wrong cells lie, in one line. */
#include "describe.h"
#include "core/formula/spec.h"

#include <stdarg.h>

typedef struct place {
    const verdict *v;
    const pattern *p;
    char *text;
} place;

static __attribute__((format(printf, 2, 3))) void say(const place *at, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(at->text, WHY_SIZE, format, list);
    va_end(list);
}

static const char *tail_of(const pattern *p) /* what begins at `from` */
{
    if (p->from && p->n > COT_TILE && p->from >= (p->n - 1) / COT_TILE * COT_TILE)
        return ", in the last tile of 1,024";
    if (p->from && p->n > COT_SEGMENT && p->from >= (p->n - 1) / COT_SEGMENT * COT_SEGMENT)
        return ", in the last segment of 32";
    return p->from % COT_TILE == 0 && p->from ? ", which is where a tile of 1,024 begins" : "";
}

#define INT(number) ((long long)(number))
#define SHARE INT(at->p->wrong), INT(at->p->cells)

static void say_one(const place *at) { say(at, "this is the only wrong cell of %lld", INT(at->p->cells)); }
static void say_all(const place *at) { say(at, "all %lld cells are wrong", INT(at->p->cells)); }

static void say_output(const place *at)
{
    cot_operand other = at->v->operand == COT_DA ? COT_DB : COT_DA;
    say(at, "every cell of %s is wrong, and none of %s", cot_operand_name(at->v->operand), cot_operand_name(other));
}

static void say_from(const place *at)
{
    say(at, "wrong are %lld of %lld cells: in every line all from index %lld on%s", SHARE, INT(at->p->from),
        tail_of(at->p));
}

static void say_up_to(const place *at)
{
    say(at, "wrong are %lld of %lld cells: in every line all up to index %lld", SHARE, INT(at->p->to));
}

static void say_every(const place *at)
{
    say(at, "wrong are %lld of %lld cells: in every line those at index %lld, %lld, %lld, ...", SHARE, INT(at->p->from),
        INT(at->p->from + at->p->step), INT(at->p->from + 2 * at->p->step));
}

static void say_column(const place *at)
{
    say(at, "wrong are %lld of %lld cells: all at index %lld along the line%s", SHARE, INT(at->p->from),
        at->p->from == at->p->n - 1 ? ", the last" : "");
}

static void say_line(const place *at)
{
    say(at, "wrong are %lld of %lld cells: all in one line, number %lld of %lld", SHARE, INT(at->p->line + 1),
        INT(at->p->lines));
}

static void say_lines(const place *at)
{
    int to_end = at->p->last_line == at->p->lines - 1;
    if (to_end)
        say(at, "wrong are %lld of %lld cells: all of the lines from number %lld of %lld on", SHARE,
            INT(at->p->line + 1), INT(at->p->lines));
    else
        say(at, "wrong are %lld of %lld cells: all of the lines from number %lld to %lld of %lld", SHARE,
            INT(at->p->line + 1), INT(at->p->last_line + 1), INT(at->p->lines));
}

static const char *ordinal(int64_t number)
{
    int64_t last = number % 100 / 10 == 1 ? 0 : number % 10;
    return last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
}

static void say_every_line(const place *at)
{
    say(at, "wrong are %lld of %lld cells: all of every %lld%s line, from number %lld of %lld on", SHARE,
        INT(at->p->stride), ordinal(at->p->stride), INT(at->p->line + 1), INT(at->p->lines));
}

static void say_range(const place *at)
{
    if (at->p->last == at->p->cells - 1)
        say(at, "wrong are %lld of %lld cells: all from number %lld on, in row-major order", SHARE,
            INT(at->p->first + 1));
    else
        say(at, "wrong are %lld of %lld cells: all from number %lld to %lld, in row-major order", SHARE,
            INT(at->p->first + 1), INT(at->p->last + 1));
}

static void say_tail(const place *at)
{
    say(at, "wrong are %lld of %lld cells: none before index %lld of its line%s", SHARE, INT(at->p->from),
        tail_of(at->p));
}

static void say_within(const place *at)
{
    say(at, "wrong are %lld of %lld cells: only in lines from number %lld to %lld of %lld", SHARE, INT(at->p->line + 1),
        INT(at->p->last_line + 1), INT(at->p->lines));
}

static void say_other(const place *at) { say(at, "wrong are %lld of %lld cells", SHARE); }

void describe_pattern(const verdict *v, char text[WHY_SIZE])
{
    static void (*const says[PATTERNS])(const place *at) = {
        [PATTERN_ONE] = say_one,       [PATTERN_ALL] = say_all,     [PATTERN_OUTPUT] = say_output,
        [PATTERN_FROM] = say_from,     [PATTERN_UP_TO] = say_up_to, [PATTERN_EVERY] = say_every,
        [PATTERN_COLUMN] = say_column, [PATTERN_LINE] = say_line,   [PATTERN_LINES] = say_lines,
        [PATTERN_RANGE] = say_range,   [PATTERN_TAIL] = say_tail,   [PATTERN_EVERY_LINE] = say_every_line,
        [PATTERN_WITHIN] = say_within, [PATTERN_OTHER] = say_other,
    };
    place at = { v, &v->pattern, text };
    *text = 0;
    if (v->operand && v->pattern.cells > 1 && says[v->pattern.kind])
        says[v->pattern.kind](&at);
}
