/* Reading finished blocks. What a file's last line lacks its end is not there: its block is done again. */
#include "collect.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    c->block = calloc((size_t)(last - first + 1), sizeof *c->block);
    return c->block ? 0 : -1;
}

/* Both headings, from the first word that differs on. */
static int differs(collection *c, const char *path, const char *heading)
{
    char why[COLLECT_TEXT];
    size_t same = 0, word = 0;
    for (; c->heading[same] && c->heading[same] == heading[same]; same++)
        if (heading[same] == ' ')
            word = same + 1;
    int one = (int)strcspn(c->heading + word, " "), other = (int)strcspn(heading + word, " ");
    snprintf(why, sizeof why, "is of another sweep: %.*s, where the others have %.*s", other, heading + word, one,
             c->heading + word);
    return fail(c, path, why);
}

static int take_heading(collection *c, collect_file *f, const char *line)
{
    f->headed = 1;
    if (!*c->heading)
        return collect_begin(c, line) ? fail(c, f->path, "is not the result of a sweep") : 0;
    return strcmp(c->heading, line) ? differs(c, f->path, line) : 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

int collect_has(const collection *c, int64_t block)
{
    return block >= c->first && block <= c->last && c->block[block - c->first].cells;
}

static int take_block(collection *c, const collect_file *f, const char *line)
{
    block_result r;
    char left[LINE_SIZE], right[LINE_SIZE], why[COLLECT_TEXT];
    if (line_read(line, text_digest(c->heading), &r) || r.block < c->first || r.block > c->last) {
        snprintf(why, sizeof why, "a line is damaged: \"%.80s\"", line);
        return fail(c, f->path, why);
    }
    block_result *here = &c->block[r.block - c->first];
    if (here->cells) {
        line_print(here, 0, left);
        line_print(&r, 0, right);
        if (strcmp(left, right)) {
            snprintf(why, sizeof why, "block %lld is there twice, with different results", (long long)r.block);
            return fail(c, f->path, why);
        }
        c->twice++;
        c->one_twice = r.block;
    }
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
    for (int i = 0; i < c->files; i++)
        free(c->file[i].path);
    free(c->file);
    free(c->block);
}
