/* Reading finished blocks. What a file's last line lacks its end is not there: its block is done again. */
#include "collect.h"
#include "conformance/case/words.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char no_device[] = "-";

static int fail(collection *c, const char *path, const char *why)
{
    snprintf(c->error, sizeof c->error, "%.200s: %.1100s", path, why);
    return -1;
}

/* ---- the heading ----------------------------------------------------------------------------- */

int collect_begin(collection *c, const char *heading)
{
    const char *range = strstr(heading, " blocks=");
    long long first, last, all;
    if (strncmp(heading, "cotangent-sweep 1 ", 18) || !range
        || sscanf(range, " blocks=%lld-%lld/%lld", &first, &last, &all) != 3 || first < 0 || last < first || last >= all
        || all > (int64_t)1 << 24)
        return -1;
    snprintf(c->heading, sizeof c->heading, "%s", heading);
    c->first = first;
    c->last = last;
    if (heading_claims_bits(heading) && heading_set(c->heading, "device", no_device))
        return -1;
    c->block = calloc((size_t)(last - first + 1), sizeof *c->block);
    return c->block ? 0 : -1;
}

static int same_sweep(collection *c, const char *path, const char *heading)
{
    char why[COLLECT_TEXT];
    const char *is, *others;
    if (!heading_differs(heading, c->heading, &is, &others))
        return 0;
    snprintf(why, sizeof why, "is of another sweep: %.*s, where the others have %.*s", (int)strcspn(is, " "), is,
             (int)strcspn(others, " "), others);
    return fail(c, path, why);
}

static int take_heading(collection *c, collect_file *f, const char *line)
{
    char device[HEADING_SIZE];
    f->headed = 1;
    f->key = text_digest(line);
    if (!*c->heading && collect_begin(c, line))
        return fail(c, f->path, "is not the result of a sweep");
    if (same_sweep(c, f->path, line))
        return -1;
    if (heading_claims_bits(line) && !heading_word(line, "device", device, sizeof device))
        return (f->device = strdup(device)) ? 0 : fail(c, f->path, "out of memory");
    return 0;
}

/* A device has taken part where a block of it is there. */
static int take_device(collection *c, collect_file *f)
{
    char all[HEADING_SIZE] = "";
    int lost = heading_word(c->heading, "device", all, sizeof all);
    *all = strcmp(all, no_device) ? *all : 0;
    lost = lost || list_join(all, sizeof all, f->device) || heading_set(c->heading, "device", all);
    free(f->device);
    f->device = NULL;
    return lost ? fail(c, f->path, "with its device, the list of devices is too long for a heading") : 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

int collect_has(const collection *c, int64_t block)
{
    return block >= c->first && block <= c->last && c->block[block - c->first].cells;
}

/* In whatever order two findings of a block come, the same one stays. */
static int take_again(collection *c, const collect_file *f, block_result *here, const block_result *r)
{
    char why[COLLECT_TEXT];
    if (!same_finding(here, r)) {
        snprintf(why, sizeof why, "block %lld is there twice, with different results", (long long)r->block);
        return fail(c, f->path, why);
    }
    c->twice++;
    c->one_twice = r->block;
    if (r->worst > here->worst || (r->worst == here->worst && r->close > here->close))
        *here = *r;
    return 0;
}

static int take_block(collection *c, collect_file *f, const char *line)
{
    block_result r;
    char why[COLLECT_TEXT];
    if (line_read(line, f->key, &r) || r.block < c->first || r.block > c->last) {
        snprintf(why, sizeof why, "a line is damaged: \"%.80s\"", line);
        return fail(c, f->path, why);
    }
    if (f->device && take_device(c, f))
        return -1;
    block_result *here = &c->block[r.block - c->first];
    if (here->cells)
        return take_again(c, f, here, &r);
    *here = r;
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int read_lines(collection *c, collect_file *f, FILE *from)
{
    char line[HEADING_SIZE + 2];
    int status = 0;
    while (!status && fgets(line, sizeof line, from)) {
        size_t length = strlen(line);
        if (!length || line[length - 1] != '\n') {
            status = length + 1 == sizeof line ? fail(c, f->path, "is not the result of a sweep") : 0;
            break; /* its writer is at it, or has been stopped */
        }
        f->taken += (int64_t)length;
        line[length - 1] = 0;
        status = f->headed ? take_block(c, f, line) : take_heading(c, f, line);
    }
    return status;
}

static int read_file(collection *c, collect_file *f)
{
    FILE *from = fopen(f->path, "r");
    if (!from)
        return fail(c, f->path, strerror(errno));
    int status = fseek(from, (long)f->taken, SEEK_SET) ? fail(c, f->path, strerror(errno)) : read_lines(c, f, from);
    fclose(from);
    return status;
}

int collect_stream(collection *c, const char *name, FILE *from)
{
    char *path = strdup(name);
    collect_file f = { .path = path };
    int status = path ? read_lines(c, &f, from) : fail(c, name, "out of memory");
    free(f.device);
    free(path);
    return status;
}

static int collect_one(collection *c, const char *path)
{
    for (int i = 0; i < c->files; i++)
        if (!strcmp(c->file[i].path, path))
            return read_file(c, &c->file[i]);
    collect_file *more = realloc(c->file, (size_t)(c->files + 1) * sizeof *more);
    if (more)
        c->file = more;
    char *copy = more ? strdup(path) : NULL;
    if (!copy)
        return fail(c, path, "out of memory");
    c->file[c->files] = (collect_file){ .path = copy };
    return read_file(c, &c->file[c->files++]);
}

static int is_part(const struct dirent *entry) { return !strncmp(entry->d_name, "blocks-", 7); }

static int collect_directory(collection *c, const char *path)
{
    struct dirent **names;
    int count = scandir(path, &names, is_part, alphasort), status = 0;
    if (count < 0)
        return fail(c, path, strerror(errno));
    for (int i = 0; i < count; i++) {
        char file[4096];
        if (!status && snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name) < (int)sizeof file)
            status = collect_one(c, file);
        free(names[i]);
    }
    free(names);
    return status;
}

int collect_path(collection *c, const char *path)
{
    struct stat about;
    if (stat(path, &about))
        return fail(c, path, strerror(errno));
    return S_ISDIR(about.st_mode) ? collect_directory(c, path) : collect_one(c, path);
}

void collect_free(collection *c)
{
    for (int i = 0; i < c->files; i++) {
        free(c->file[i].device);
        free(c->file[i].path);
    }
    free(c->file);
    free(c->block);
}
