/* cotangent submit: results, sweeps and waivers in one archive. */
#include "cli.h"
#include "conformance/archive/members.h"
#include "conformance/sweep/run.h"

#include <dirent.h>
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

static int add_file(members *m, const char *folder, const char *name, const char *path)
{
    char full[2 * TAR_NAME];
    size_t size;
    char *data = read_whole(path, &size);
    if (!data)
        return cli_fail(EXIT_USAGE, "%s: %s", path, strerror(errno));
    snprintf(full, sizeof full, "%s/%s", folder, name);
    int refused = member_add(m, full, data, size);
    free(data);
    return refused
               ? cli_fail(EXIT_USAGE,
                          "%s cannot be packed as %s: there is one, or the name has other than letters, digits, . _ -",
                          path, full)
               : EXIT_GOOD;
}

static int is_part(const struct dirent *entry) { return !strncmp(entry->d_name, "blocks-", 7); }

static int add_sweep(members *m, const char *path)
{
    struct dirent **names;
    char folder[TAR_NAME], file[4096];
    int count = scandir(path, &names, is_part, alphasort), status = EXIT_GOOD;
    if (count <= 0)
        return cli_fail(EXIT_USAGE, "%s holds no sweep", path);
    snprintf(folder, sizeof folder, "sweeps/%s", base_of(path));
    for (int i = 0; i < count; i++) {
        snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
        status = status ? status : add_file(m, folder, names[i]->d_name, file);
        free(names[i]);
    }
    free(names);
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

static int add_sample(members *m, const char *path)
{
    collection c = { .files = 0 };
    char name[HEADING_SIZE] = "";
    sweep s;
    cot_backend *backend;
    int status = EXIT_GOOD;
    if (collect_path(&c, path) || sweep_from_name(c.heading, &s)
        || heading_word(c.heading, "backend", name, sizeof name)) {
        status = cli_fail(EXIT_USAGE, "%s: %s", path, *c.error ? c.error : "is of another version or spec");
    } else if (cli_backend(name, &backend)) {
        cli_fail(0, "%s: its backend is not here, so no results are packed that could be judged again", path);
    } else {
        status = add_block(m, base_of(path), &c, &s, backend);
        cot_backend_close(backend);
    }
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
    if (S_ISDIR(about.st_mode)) {
        int status = add_sweep(m, path);
        return status || without_samples ? status : add_sample(m, path);
    }
    return add_file(m, "results", base_of(path), path);
}

static int add_environment(members *m)
{
    struct utsname host;
    char text[1024];
    if (uname(&host))
        memset(&host, 0, sizeof host);
    int length = snprintf(text, sizeof text, "version: %s\nsystem: %.80s %.80s\nmachine: %.80s\nprocessors: %ld\n",
                          COT_VERSION, host.sysname, host.release, host.machine, sysconf(_SC_NPROCESSORS_ONLN));
    return member_add(m, "ENVIRONMENT", text, (size_t)length) || manifest_make(m)
               ? cli_fail(EXIT_FAILED, "out of memory")
               : EXIT_GOOD;
}

static int write_archive(const members *m, const char *path)
{
    FILE *to = fopen(path, "wbx");
    int failed = !to;
    for (int i = 0; i < m->count && !failed; i++)
        failed = tar_add(to, m->at[i].name, m->at[i].data, m->at[i].size);
    failed = failed || tar_end(to);
    if (to && fclose(to))
        failed = 1;
    return failed ? cli_fail(EXIT_FAILED, "%s: %s", path, strerror(errno)) : EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    const char *out = NULL, *waivers = NULL;
    int without_samples = 0;
    const cli_option options[] = {
        { "-o", "FILE", "the archive, which must not be there yet", &out, NULL },
        { "--waivers", "FILE", "failures that are known, as for check", &waivers, NULL },
        { "--no-samples", NULL, "without results of a block of each sweep, which verify would judge again", NULL,
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
