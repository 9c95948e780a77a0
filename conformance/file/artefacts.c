/* Reads the list of known artefacts and finds the one of a vector. */
#include "artefacts.h"
#include "conformance/case/words.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines: what is wrong with one, or NULL -------------------------------------------------- */

static const char *add_class(artefacts *a, const char *text)
{
    artefact_class one = { 0 };
    int behind = 0;
    if (sscanf(text, "%*s %31s %n", one.name, &behind) != 1 || !behind || !text[behind])
        return "expected class NAME SENTENCE or pending NAME SENTENCE";
    one.pending = *text == 'p';
    snprintf(one.sentence, sizeof one.sentence, "%s", text + behind);
    artefact_class *more = realloc(a->class, (size_t)(a->classes + 1) * sizeof *more);
    if (!more)
        return "out of memory";
    a->class = more;
    a->class[a->classes++] = one;
    return NULL;
}

static int find_class(const artefacts *a, const char *name)
{
    for (int i = 0; i < a->classes; i++)
        if (!strcmp(a->class[i].name, name))
            return i;
    return -1;
}

/* Sets the policies of a list, name=value,...; -1 where one of them is none. */
static int set_policies(const char *list, cot_policies *policies)
{
    char text[128];
    snprintf(text, sizeof text, "%s", list);
    for (char *pair = strtok(text, ","); pair; pair = strtok(NULL, ",")) {
        char *value = strchr(pair, '=');
        if (!value)
            return -1;
        *value++ = 0;
        if (parse_policy(pair, value, policies))
            return -1;
    }
    return 0;
}

static const char *add_row(artefacts *a, const char *text, int line)
{
    artefact_row one = { .line = line };
    char word[CLASS_NAME_SIZE];
    cot_policies tried = { 0 };
    int count = sscanf(text, "%31s %255s %127s", word, one.glob, one.policies);
    int policies = !strcmp(word, "policies");
    if (policies && (count != 3 || set_policies(one.policies, &tried)))
        return "expected policies GLOB name=value,... (cotangent spec lists them)";
    one.kind = policies ? -1 : find_class(a, word);
    if (!policies && (count != 2 || one.kind < 0))
        return "expected the name of a class above and a glob of ids";
    artefact_row *more = realloc(a->row, (size_t)(a->rows + 1) * sizeof *more);
    if (!more)
        return "out of memory";
    a->row = more;
    a->row[a->rows++] = one;
    return NULL;
}

static int is_class(const char *text) { return !strncmp(text, "class ", 6) || !strncmp(text, "pending ", 8); }

file_error artefacts_read(const char *path, artefacts *a)
{
    char text[512];
    FILE *file = fopen(path, "r");
    *a = (artefacts){ 0 };
    if (!file)
        return file_wrong(FILE_WRONG, "%s: it cannot be read: %s", path, strerror(errno));
    const char *wrong = NULL;
    int number = 0;
    while (!wrong && fgets(text, sizeof text, file)) {
        number++;
        text[strcspn(text, "\r\n")] = 0;
        if (*text && *text != '#')
            wrong = is_class(text) ? add_class(a, text) : add_row(a, text, number);
    }
    fclose(file);
    return wrong ? file_wrong(FILE_WRONG, "%s, line %d: %s", path, number, wrong) : file_good();
}

void artefacts_free(artefacts *a)
{
    free(a->class);
    free(a->row);
    *a = (artefacts){ 0 };
}

/* ---- vectors --------------------------------------------------------------------------------- */

void artefacts_apply(artefacts *a, vector *v)
{
    for (int i = 0; i < a->rows; i++)
        if (a->row[i].kind < 0 && !fnmatch(a->row[i].glob, v->id, 0)) {
            set_policies(a->row[i].policies, &v->desc.policies);
            a->row[i].used++;
        }
}

/* The first row of a class that names it, or NULL. */
static artefact_row *find_row(const artefacts *a, const vector *v)
{
    for (int i = 0; i < a->rows; i++)
        if (a->row[i].kind >= 0 && !fnmatch(a->row[i].glob, v->id, 0))
            return &a->row[i];
    return NULL;
}

int artefacts_name(const artefacts *a, const vector *v) { return find_row(a, v) != NULL; }

const artefact_class *artefacts_find(artefacts *a, const vector *v)
{
    artefact_row *row = find_row(a, v);
    if (!row)
        return NULL;
    row->used++;
    a->class[row->kind].vectors++;
    return &a->class[row->kind];
}
