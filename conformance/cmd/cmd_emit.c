/* cotangent emit: the inputs of a case as files, for a kernel that cannot be linked or spoken to. */
#include "cli.h"
#include "conformance/file/manifest.h"
#include "conformance/file/npy_header.h"
#include "conformance/case/problem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files have no layout: whatever the case's is, its cells are written in C order. */
static int gather(const problem *p, tensors *t)
{
    size_t size = cot_element_size(p->c.desc.element);
    int status = EXIT_GOOD;
    for (int o = COT_DY; o < COT_DX && !status; o++) {
        const cot_view *from = &p->tensors[o].view;
        if (!p->tensors[o].memory)
            continue;
        status = cli_file(tensors_make(t, (cot_operand)o, &p->c.desc));
        for (int64_t i = 0, n = status ? 0 : cell_count(from); i < n; i++)
            memcpy((char *)t->view[o].data + (size_t)i * size,
                   (char *)from->data + (size_t)cot_cell_offset(from, i) * size, size);
    }
    return status;
}

/* The results of another case must not be taken for this one's. */
static int check_directory(const char *directory, const test_case *c, const tensors *t)
{
    char here[CASE_ID_SIZE], there[CASE_ID_SIZE] = "";
    test_case old;
    if (mkdir(directory, 0777) && errno != EEXIST)
        return cli_fail(EXIT_FAILED, "%s: the directory cannot be made: %s", directory, strerror(errno));
    case_print(c, here);
    if (manifest_exists(directory) && !cli_file(manifest_read(directory, &old)))
        case_print(&old, there);
    for (int o = COT_DX; o < OPERANDS && strcmp(here, there); o++)
        if (t->path[o] && !access(t->path[o], F_OK))
            return cli_fail(
                EXIT_USAGE,
                "%s is there already, and is no result of this case: remove it, or choose another directory",
                t->path[o]);
    return EXIT_GOOD;
}

static void say_what_next(const char *directory, const test_case *c, const tensors *t)
{
    int32_t shape[COT_MAX_RANK];
    char text[NPY_TEXT_SIZE];
    printf("%s: %s\n", cot_op_get(c->desc.op)->name, cot_op_get(c->desc.op)->gradient);
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!t->path[o])
            continue;
        cot_operand_shape(&c->desc, (cot_operand)o, shape);
        printf("  %-8s %s  %s%s %s\n", cot_is_output((cot_operand)o) ? "expected" : "written", t->path[o],
               cot_element_name(c->desc.element), c->desc.element == COT_BF16 ? " as uint16" : "",
               npy_shape_print(c->desc.rank, shape, text));
    }
    printf("then: cotangent judge %s\n", directory);
}

static int emit(const char *directory, const test_case *c)
{
    char paths[OPERANDS][MANIFEST_PATH];
    tensors t = { 0 };
    problem p;
    int status = cli_file(manifest_paths(directory, cot_op_get(c->desc.op), paths, &t));
    if (!status)
        status = check_directory(directory, c, &t);
    if (!status && problem_make(&p, c))
        return cli_fail(EXIT_FAILED, "there is no memory for the case");
    if (status)
        return status;
    status = gather(&p, &t);
    if (!status)
        status = cli_file(tensors_write(&t, ~(unsigned)(1u << COT_DX | 1u << COT_DA | 1u << COT_DB)));
    if (!status)
        status = cli_file(manifest_write(directory, c));
    if (!status)
        say_what_next(directory, c, &t);
    problem_free(&p);
    tensors_free(&t);
    return status;
}

static int run(int argc, char **argv)
{
    const char *id = NULL, *directory = NULL;
    test_case c;
    char why[CASE_ID_SIZE];
    int status;
    const cli_option options[] = {
        { "--case", "ID", "the case, as in softmax/f32/5x37/1/contig/uniform/1", &id, NULL },
        { "--dir", "DIRECTORY", "where its files go; it is made where it is not there", &directory, NULL },
        { 0 },
    };
    if (cli_parse(argc, argv, &cli_emit, options, 0, &status) < 0)
        return status;
    if (!id || !directory)
        return cli_fail(EXIT_USAGE, "emit needs %s",
                        id ? "--dir DIRECTORY" : "--case ID, as in softmax/f32/5x37/1/contig/uniform/1");
    if (case_parse(id, &c, why))
        return cli_fail(EXIT_USAGE, "%s: %s", id, why);
    if (c.bad[0].row)
        return cli_fail(EXIT_USAGE, "%s: it is a call that must be refused, and has no results: files cannot show that",
                        id);
    return emit(directory, &c);
}

const cli_command cli_emit = { "emit", "", "Writes the inputs of a case as .npy files, for judge", run };
