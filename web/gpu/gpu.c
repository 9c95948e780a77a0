/* The CUDA backend on the software device, beside the reference: the line that is looked at, every bit compared. */
#include "gpu.h"
#include "conformance/case/device_run.h"
#include "web/engine/kernels.h"
#include "softgpu/softgpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------- */

enum { MOST_MODULES = 64 };
static struct {
    char name[48], *text;
} modules[MOST_MODULES];

const char *kernel_text(const char *name)
{
    for (int i = 0; i < MOST_MODULES && modules[i].text; i++)
        if (!strcmp(modules[i].name, name))
            return modules[i].text;
    return NULL;
}

EXPORT int web_gpu_module(const char *name, const char *text)
{
    for (int i = 0; i < MOST_MODULES; i++)
        if (!modules[i].text) {
            snprintf(modules[i].name, sizeof modules[i].name, "%s", name);
            modules[i].text = strdup(text);
            return !modules[i].text;
        }
    return -1;
}

/* ---- the line, twice ------------------------------------------------------------------------- */

typedef struct side {
    cot_view view[OPERANDS];
} side;

static void free_side(side *s)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(s->view[o].data);
}

static cot_desc line_desc(void)
{
    cot_desc desc = web_scene.c.desc;
    desc.rank = 1;
    desc.axis = 0;
    desc.shape[0] = (int32_t)web_scene.n;
    return desc;
}

static int make_side(side *s, const cot_desc *desc)
{
    memset(s, 0, sizeof *s);
    for (int o = COT_DY; o < OPERANDS; o++) {
        cot_view *view = &s->view[o];
        if (!cot_operand_used(cot_op_get(desc->op), (cot_operand)o))
            continue;
        if (operand_make(desc, (cot_operand)o, view))
            return -1;
        for (int64_t i = 0; o < COT_DX && i < view->length; i++)
            cot_cell_set(desc->element, (char *)view->data + (size_t)i * cot_element_size(desc->element),
                         web_scene.values[o][i]);
    }
    return 0;
}

static cot_backend *open_device(cot_error *error)
{
    static cot_backend *device;
    if (!device)
        cot_backend_open("cuda", "device=soft", &device, error);
    return device;
}

static cot_status run_both(const cot_desc *desc, side *reference, side *device, cot_error *error)
{
    cot_backend *gpu = open_device(error);
    if (!gpu)
        return error->code;
    if (make_side(reference, desc) || make_side(device, desc))
        return COT_INTERNAL;
    cot_status status = device_execute(web_reference(), desc, reference->view, error);
    softgpuSetChecks(SOFTGPU_ALL_CHECKS | SOFTGPU_COUNTERS);
    softgpuClearReports();
    softgpuResetCounters();
    return status ? status : device_execute(gpu, desc, device->view, error);
}

/* ---- what there is to say -------------------------------------------------------------------- */

static void add_bits(text *t, const char *key, const cot_view *view)
{
    size_t size = cot_element_size(view->element);
    json_open(t, key, '[');
    for (int64_t i = 0; i < view->length; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (char *)view->data + (size_t)i * size, size);
        json_bits(t, NULL, bits, size);
    }
    json_close(t, ']');
}

/* Any NaN is any NaN; everything else by its bits. */
static int64_t differing(const cot_view *a, const cot_view *b)
{
    size_t size = cot_element_size(a->element);
    int64_t count = 0;
    for (int64_t i = 0; i < a->length; i++) {
        const char *left = (const char *)a->data + (size_t)i * size, *right = (const char *)b->data + (size_t)i * size;
        double l = cot_cell_get(a->element, left), r = cot_cell_get(b->element, right);
        count += memcmp(left, right, size) && !(l != l && r != r);
    }
    return count;
}

static void add_outputs(text *t, const side *reference, const side *device)
{
    int64_t cells = 0, wrong = 0;
    json_open(t, "outputs", '{');
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!reference->view[o].rank)
            continue;
        json_open(t, cot_operand_name((cot_operand)o), '{');
        add_bits(t, "reference", &reference->view[o]);
        add_bits(t, "device", &device->view[o]);
        json_close(t, '}');
        cells += reference->view[o].length;
        wrong += differing(&reference->view[o], &device->view[o]);
    }
    json_close(t, '}');
    json_integer(t, "cells", cells);
    json_integer(t, "differing", wrong);
}

static void add_lines(text *t, const char *kernel)
{
    size_t count = softgpuGetLines(kernel, NULL, 0);
    softgpuLine *lines = malloc((count + 1) * sizeof *lines);
    json_open(t, "lines", '[');
    count = lines ? softgpuGetLines(kernel, lines, count) : 0;
    for (size_t i = 0; i < count; i++) {
        json_integer(t, NULL, lines[i].line);
        json_integer(t, NULL, (int64_t)lines[i].threads);
    }
    json_close(t, ']');
    free(lines);
}

void gpu_add_launches(text *t)
{
    const char *kernel;
    softgpuCounters counters;
    json_open(t, "launches", '[');
    for (size_t i = 0; !softgpuGetLaunch(i, &kernel, &counters); i++) {
        json_open(t, NULL, '{');
        json_string(t, "kernel", kernel);
        json_integer(t, "blocks", (int64_t)counters.ctas);
        json_integer(t, "threads", (int64_t)counters.threads);
        json_integer(t, "warp instructions", (int64_t)counters.warp_instructions);
        json_integer(t, "thread instructions", (int64_t)counters.thread_instructions);
        json_integer(t, "global load sectors", (int64_t)counters.global_load_sectors);
        json_integer(t, "global store sectors", (int64_t)counters.global_store_sectors);
        json_integer(t, "shared bank conflicts",
                     (int64_t)(counters.shared_load_conflicts + counters.shared_store_conflicts));
        json_integer(t, "branches", (int64_t)counters.branches);
        json_integer(t, "divergent branches", (int64_t)counters.divergent_branches);
        json_integer(t, "barriers", (int64_t)counters.barriers);
        add_lines(t, kernel);
        json_close(t, '}');
    }
    json_close(t, ']');
}

void gpu_add_reports(text *t)
{
    softgpuReport report;
    json_open(t, "reports", '[');
    for (size_t i = 0; !softgpuGetReport(i, &report); i++) {
        json_open(t, NULL, '{');
        json_string(t, "kernel", report.kernel);
        json_integer(t, "line", report.line);
        json_string(t, "text", report.text);
        json_close(t, '}');
    }
    json_close(t, ']');
}

/* Runs the line on both. "refused" says why the device did not. */
EXPORT const char *web_gpu_run(void)
{
    side reference = { .view = { { .rank = 0 } } }, device = reference;
    cot_error error = { .code = COT_OK };
    cot_desc desc = line_desc();
    text *t = web_answer();
    json_open(t, NULL, '{');
    if (run_both(&desc, &reference, &device, &error))
        json_string(t, "refused", error.message);
    else
        add_outputs(t, &reference, &device);
    gpu_add_launches(t);
    gpu_add_reports(t);
    json_close(t, '}');
    free_side(&reference);
    free_side(&device);
    return t->data;
}
