/* A result's selection, read again as a command line's. */
#include "planned.h"
#include "cli.h"
#include "conformance/case/told.h"

#include <stdlib.h>
#include <string.h>

static const char *or_null(const node *object, const char *key)
{
    return node_get(object, key) ? text_at(object, key) : NULL;
}

/* Ids, a line each; NULL where there are none. */
static char *join_ids(const node *cases)
{
    char *ids = NULL;
    size_t size;
    FILE *to = cases ? open_memstream(&ids, &size) : NULL;
    for (const node *id = cases ? cases->child : NULL; to && id; id = id->next)
        fprintf(to, "%s\n", node_text(id));
    told_end(to, &ids);
    return ids;
}

/* The options that the result names, read as those of a command line. */
int planned_read(planned *p, const node *run)
{
    const node *given = node_get(run, "selection");
    p->ids = join_ids(node_get(given, "cases"));
    if (node_get(given, "cases") && !p->ids)
        return cli_fail(EXIT_FAILED, "out of memory");
    p->s = (selection){ .dtypes = or_null(given, "dtype"),
                        .ids = p->ids,
                        .part = "1/1",
                        .seed = or_null(run, "seed"),
                        .layouts = or_null(given, "layout"),
                        .generators = or_null(given, "generator"),
                        .clauses = or_null(given, "clause"),
                        .convention = or_null(given, "convention"),
                        .policy = or_null(given, "policy") };
    p->s.range.op_glob = or_null(given, "op");
    p->s.range.families = or_null(given, "family");
    p->s.range.full = !strcmp(text_at(run, "range"), "full");
    return selection_read(&p->s);
}

void planned_free(planned *p)
{
    selection_free(&p->s);
    free(p->ids);
}
