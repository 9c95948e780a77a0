/* What programs hand to each other: results, archives, messages. */
#define _GNU_SOURCE
#include "targets.h"
#include "conformance/archive/members.h"
#include "conformance/archive/parts.h"
#include "conformance/html/html.h"
#include "conformance/port/wire.h"

#include <string.h>

static void show(const node *n)
{
    char *page = NULL;
    size_t size;
    FILE *to = open_memstream(&page, &size);
    must(to != NULL);
    html_report(to, n, NULL);
    html_report(to, n, n);
    fclose(to);
    free(page);
}

static void merge(const char *text)
{
    parts *p = calloc(1, sizeof *p);
    must(p != NULL);
    if (!parts_begin(p) && !parts_add(p, "one", text))
        parts_finish(p);
    parts_free(p);
    free(p);
}

void fuzz_result(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    size_t at = 0;
    node *n = tree_read(text, &at);
    must(at <= size);
    if (n)
        show(n);
    if (n && parts_is_check(text))
        merge(text);
    tree_free(n);
    free(text);
}

static int take(void *self, const char *name, const char *data, size_t size)
{
    must(tar_name_is_sound(name));
    return member_add(self, name, data, size);
}

void fuzz_archive(const uint8_t *data, size_t size)
{
    members *m = calloc(1, sizeof *m);
    char *copy = fuzz_text(data, size);
    const char *wrong = "";
    must(m != NULL);
    if (!tar_read(copy, size, take, m))
        manifest_check(m, &wrong);
    members_free(m);
    free(copy);
}

/* The first byte says what was asked; the rest is the answer. */
void fuzz_answer(const uint8_t *data, size_t size)
{
    wire w = { .writing = 0 };
    remote_call *c = calloc(1, sizeof *c);
    plan_facts plan;
    backend_facts backend;
    cot_error error = { .message = "" };
    must(c != NULL && (!size || !wire_reserve(&w, size - 1)));
    if (size > 1)
        memcpy(w.bytes, data + 1, size - 1);
    w.used = size ? size - 1 : 0;
    switch (size ? data[0] % 4 : 0) {
    case 0: wire_backend(&w, &backend); break;
    case 1: wire_plan(&w, &plan); break;
    case 2: wire_error(&w, &error); break;
    default:
        wire_desc(&w, c);
        wire_views(&w, c);
        wire_sizes(&w, c);
    }
    must(w.at <= w.used);
    must(memchr(error.message, 0, sizeof error.message) != NULL);
    wire_free(&w);
    free(c);
}
