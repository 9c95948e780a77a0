/* cotangent submit: results, sweeps and waivers in one archive. */
#include "cli.h"
#include "keep.h"
#include "conformance/archive/members.h"
#include "conformance/file/npy.h"
#include "conformance/sweep/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int add_bytes(members *m, const char *name, const char *path, const char *data, size_t size)
{
    if (!member_add(m, name, data, size))
        return EXIT_GOOD;
    if (m->count == MEMBERS)
        return cli_fail(EXIT_USAGE, "%s cannot be packed: an archive holds %d files; merge results, or make two", path,
                        MEMBERS);
    return cli_fail(EXIT_USAGE,
                    "%s cannot be packed as %s: there is one, or the name has other than letters, digits, . _ -", path,
                    name);
}

static int add_file(members *m, const char *folder, const char *name, const char *path)
{
    char full[2 * TAR_NAME];
    size_t size;
    char *data = read_whole(path, &size);
    if (!data)
        return cli_fail(EXIT_USAGE, "%s: %s", path, strerror(errno));
    snprintf(full, sizeof full, "%s/%s", folder, name);
    int status = add_bytes(m, full, path, data, size);
    free(data);
    return status;
}

/* The blocks of all its files as one, in their order: as many nodes as there were make one file. */
static int add_sweep(members *m, const char *path, const collection *c)
{
    char name[2 * TAR_NAME], line[LINE_SIZE], *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return cli_fail(EXIT_FAILED, "out of memory");
    fprintf(to, "%s\n", c->heading);
    for (int64_t block = c->first; block <= c->last; block++)
        if (collect_has(c, block)) {
            line_print(&c->block[block - c->first], text_digest(c->heading), line);
            fputs(line, to);
        }
    int failed = fclose(to);
    snprintf(name, sizeof name, "sweeps/%s/blocks-000000", base_of(path));
    int status = failed ? cli_fail(EXIT_FAILED, "out of memory") : add_bytes(m, name, path, text, size);
    free(text);
    return status;
}

/* ---- results as they were -------------------------------------------------------------------- */

/* Any block that is done: those who make up a result do not know which. */
static int64_t draw_block(const collection *c)
{
    uint64_t all = (uint64_t)(c->last - c->first + 1), from = (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u >> 16;
    for (uint64_t i = 0; i < all; i++) {
        int64_t block = c->first + (int64_t)((from + i) % all);
        if (collect_has(c, block))
            return block;
    }
    return -1;
}

/* One block's results once more from the backend, which must have the digest that is written down. */
static int add_block(members *m, const char *folder, const collection *c, const sweep *s, cot_backend *backend)
{
    size_t size = sweep_raw_size(s);
    char *raw = malloc(size), name[2 * TAR_NAME];
    int64_t block = draw_block(c);
    block_result again = { 0 };
    cot_error error = { .message = "out of memory" };
    int status = EXIT_GOOD;
    snprintf(name, sizeof name, "samples/%s/%lld", folder, (long long)block);
    if (!raw || block < 0 || sweep_one(backend, s, block, &again, raw, &error))
        status = cli_fail(EXIT_FAILED, "%s: block %lld: %s", folder, (long long)block, error.message);
    else if (again.digest != c->block[block - c->first].digest)
        status = cli_fail(EXIT_FAILED, "%s: block %lld has other bits now than when it was swept: nothing is packed",
                          folder, (long long)block);
    else if (member_add(m, name, raw, size))
        status = cli_fail(EXIT_FAILED, "%s cannot be packed", name);
    free(raw);
    return status;
}

static int add_sample(members *m, const char *path, const collection *c)
{
    char name[HEADING_SIZE] = "", device[HEADING_SIZE] = "";
    sweep s;
    cot_backend *backend;
    cot_error error;
    if (sweep_from_name(c->heading, &s) || heading_word(c->heading, "backend", name, sizeof name))
        return cli_fail(EXIT_USAGE, "%s: is of another version or spec", path);
    heading_word(c->heading, "device_option", device, sizeof device);
    if (cli_open(name, device, &backend, &error)) {
        cli_fail(0, "%s: its backend is not here, so no results are packed that could be judged again: %s", path,
                 error.message);
        return EXIT_GOOD;
    }
    int status = add_block(m, base_of(path), c, &s, backend);
    cot_backend_close(backend);
    return status;
}

static int add_directory(members *m, const char *path, int without_samples)
{
    collection c = { .files = 0 };
    int status = EXIT_GOOD;
    if (collect_path(&c, path))
        status = cli_fail(EXIT_USAGE, "%s", c.error);
    else if (!*c.heading)
        status = cli_fail(EXIT_USAGE, "%s holds no sweep", path);
    status = status ? status : add_sweep(m, path, &c);
    status = status || without_samples ? status : add_sample(m, path, &c);
    collect_free(&c);
    return status;
}

static int add_path(members *m, char *path, int without_samples)
{
    struct stat about;
    for (size_t length = strlen(path); length > 1 && path[length - 1] == '/'; length--)
        path[length - 1] = 0;
    if (stat(path, &about))
        return cli_fail(EXIT_USAGE, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return add_directory(m, path, without_samples);
    int status = add_file(m, "results", base_of(path), path);
    return status || without_samples ? status : keep_cells(m, base_of(path), m->at[m->count - 1].data);
}

static int add_environment(members *m)
{
    struct utsname host;
    char text[1024];
    if (uname(&host))
        memset(&host, 0, sizeof host);
    int length = snprintf(text, sizeof text, "version: %s\nsystem: %.80s %.80s\nmachine: %.80s\nprocessors: %ld\n",
                          COT_VERSION, host.sysname, host.release, host.machine, sysconf(_SC_NPROCESSORS_ONLN));
    int status = add_bytes(m, "ENVIRONMENT", "the environment", text, (size_t)length);
    if (!status && m->count == MEMBERS)
        return add_bytes(m, "MANIFEST", "the manifest", "", 0);
    return !status && manifest_make(m) ? cli_fail(EXIT_FAILED, "out of memory") : status;
}

static int print_archive(FILE *to, void *packed)
{
    const members *m = packed;
    int failed = 0;
    for (int i = 0; i < m->count && !failed; i++)
        failed = tar_add(to, m->at[i].name, m->at[i].data, m->at[i].size);
    return failed || tar_end(to);
}

/* Whole or not at all, and in nobody's place. */
static int write_archive(members *m, const char *path)
{
    char why[NPY_WHY_SIZE];
    npy_draft draft = { 0 };
    int which;
    if (!access(path, F_OK))
        return cli_fail(EXIT_FAILED, "%s: %s", path, strerror(EEXIST));
    int bad = npy_draft_print(&draft, path, print_archive, m, why) || npy_drafts_keep(&draft, 1, &which, why);
    npy_draft_drop(&draft);
    return bad ? cli_fail(EXIT_FAILED, "%s: %s", path, why) : EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    const char *out = NULL, *waivers = NULL;
    int without_samples = 0;
    const cli_option options[] = {
        { "-o", "FILE", "the archive, which must not be there yet", &out, NULL },
        { "--waivers", "FILE", "failures that are known, as for check", &waivers, NULL },
        { "--no-samples", NULL, "without results of blocks and cases, which verify would judge again", NULL,
          &without_samples },
        { 0 },
    };
    int status, arguments = cli_parse(argc, argv, &cli_submit, options, 4096, &status);
    if (arguments < 0)
        return status;
    if (!arguments || !out)
        return cli_fail(EXIT_USAGE, "submit needs results (JSON of check, directories of sweep) and -o FILE");
    members *m = calloc(1, sizeof *m);
    status = m ? EXIT_GOOD : cli_fail(EXIT_FAILED, "out of memory");
    for (int i = 0; i < arguments && !status; i++)
        status = add_path(m, argv[i], without_samples);
    if (!status && waivers)
        status = add_file(m, "waivers", base_of(waivers), waivers);
    if (!status)
        status = add_environment(m);
    if (!status)
        status = write_archive(m, out);
    members_free(m);
    return status;
}

const cli_command cli_submit = { "submit", "RESULT...", "Packs results, sweeps and waivers into one archive", run };
