/* Files and lines that people bring: arrays, case ids, vectors, waivers, artefacts. */
#include "targets.h"
#include "conformance/case/case.h"
#include "conformance/file/artefacts.h"
#include "conformance/file/npy.h"
#include "conformance/file/vector.h"
#include "conformance/run/waivers.h"

#include <string.h>

static void read_cells(const cot_view *v)
{
    volatile double sum = 0;
    for (int64_t i = 0, count = cot_cell_count(v->rank, v->shape); i < count; i++)
        sum = cot_cell_get(v->element,
                           (const char *)v->data + (size_t)cot_cell_offset(v, i) * cot_element_size(v->element));
    (void)sum;
}

void fuzz_npy(const uint8_t *data, size_t size)
{
    char why[NPY_WHY_SIZE] = "";
    const char *path = fuzz_file(data, size);
    for (int element = 0; element <= COT_F64; element++) {
        cot_view v = { .rank = 0 };
        if (npy_read(path, (cot_element)element, &v, why)) {
            must(*why != 0);
            continue;
        }
        must(v.element == (element ? (cot_element)element : v.element));
        must(v.length == cot_cell_count(v.rank, v.shape));
        read_cells(&v);
        free(v.data);
    }
}

/* What is read is printed, and what is printed is read as the same. */
void fuzz_case(const uint8_t *data, size_t size)
{
    test_case c, again;
    char why[CASE_ID_SIZE] = "", id[CASE_ID_SIZE], once_more[CASE_ID_SIZE], *text = fuzz_text(data, size);
    if (case_parse(text, &c, why)) {
        must(*why != 0);
    } else {
        case_print(&c, id);
        must(!case_parse(id, &again, why));
        case_print(&again, once_more);
        must(!strcmp(id, once_more));
    }
    free(text);
}

void fuzz_vector(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    vector v;
    file_error wrong = vector_read(text, &v);
    must(!wrong.status == !*wrong.text);
    must(wrong.status || v.end < size);
    for (int o = COT_DY; o < OPERANDS && !wrong.status; o++)
        if (v.view[o].rank)
            read_cells(&v.view[o]);
    vector_free(&v);
    free(text);
}

static void read_waivers(const uint8_t *data, size_t size)
{
    char why[CASE_ID_SIZE] = "", *text = fuzz_text(data, size);
    waivers w = { 0 };
    result r = { .number = 0 };
    FILE *from = fmemopen(text, size ? size : 1, "r");
    _Static_assert((int)CASE_ID_SIZE >= (int)WAIVER_ERROR_SIZE, "one text for both");
    must(from != NULL && !case_parse("max/f32/5x37/1/contig/ties/7", &r.c, why));
    if (waivers_read_from(from, "a file", &w, why))
        must(*why != 0);
    else
        waivers_find(&w, &r);
    waivers_free(&w);
    fclose(from);
    free(text);
}

static void read_artefacts(const uint8_t *data, size_t size)
{
    artefacts a = { 0 };
    vector v = { .id = "torch/torch.amax/max/f32/tie/3" };
    file_error wrong = artefacts_read(fuzz_file(data, size), &a);
    must(!wrong.status == !*wrong.text);
    if (!wrong.status) {
        artefacts_apply(&a, &v);
        artefacts_find(&a, &v);
    }
    artefacts_free(&a);
}

void fuzz_waivers(const uint8_t *data, size_t size)
{
    read_waivers(data, size);
    read_artefacts(data, size);
}
