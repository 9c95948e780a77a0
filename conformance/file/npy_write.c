/* Writing .npy files: first a complete file beside the target, then a rename, so that a target is the old file or the
 * new one. */
#include "npy.h"
#include "npy_header.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot_write(char why[NPY_WHY_SIZE]) { return npy_wrong(why, "it cannot be written: %s", strerror(errno)); }

/* ---- names ----------------------------------------------------------------------------------- */

static char *joined(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

static char *resolved_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!*name) {
        errno = *path ? EISDIR : ENOENT;
        return NULL;
    }
    char *directory = slash ? strndup(path, (size_t)(slash - path + 1)) : strdup(".");
    char *real = directory ? realpath(directory, NULL) : NULL;
    char *target = real ? joined(real, "/", name) : NULL;
    free(directory);
    free(real);
    return target;
}

/* Where a link leads that leads to nothing: malloc's, or NULL. A relative one starts from the link's directory. */
static char *link_target(const char *link)
{
    char text[PATH_MAX];
    ssize_t length = readlink(link, text, sizeof text - 1);
    if (length < 0)
        return NULL;
    text[length] = 0;
    char *directory = *text == '/' ? strdup("") : strndup(link, (size_t)(strrchr(link, '/') - link + 1));
    char *target = directory ? joined(directory, text, "") : NULL;
    free(directory);
    return target;
}

/* The path without symbolic links, so that a rename replaces the file and not the link. The file need not exist. */
static char *resolved(const char *path)
{
    enum { MOST_LINKS = 40 };
    char *whole = realpath(path, NULL);
    if (whole || errno != ENOENT)
        return whole;
    char *target = resolved_name(path), *next;
    for (int i = 0; target && (next = link_target(target)); i++) {
        free(target);
        target = i < MOST_LINKS ? resolved_name(next) : NULL;
        free(next);
    }
    return target;
}

/* A new name beside the target, and what makes it: `make` fails with EEXIST where the name is taken. It does not grow
 * out of the target's own name, which may be as long as names can be. */
static char *make_beside(const char *target, int (*make)(const char *name, const char *target))
{
    char *directory = strndup(target, (size_t)(strrchr(target, '/') - target + 1)), *name = NULL;
    for (int i = 0; directory && !name && i < 1000; i++) {
        char suffix[48];
        snprintf(suffix, sizeof suffix, ".cotangent-%ld-%d", (long)getpid(), i);
        name = joined(directory, suffix, ".tmp");
        if (!name || !make(name, target))
            break;
        free(name);
        name = NULL;
        if (errno != EEXIST)
            break;
    }
    free(directory);
    return name;
}

static int create(const char *name, const char *target)
{
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    struct stat old;
    if (file < 0)
        return -1;
    if (!stat(target, &old))
        (void)!fchmod(file, old.st_mode & 0777); /* the old file's permissions, where we may */
    return close(file);
}

/* ---- a draft --------------------------------------------------------------------------------- */

/* A rename would put a file in the place of a device or a pipe. */
static int check_target(const char *target, char why[NPY_WHY_SIZE])
{
    struct stat there;
    if (stat(target, &there) || S_ISREG(there.st_mode))
        return 0;
    return npy_wrong(why, "it cannot be written: it is %s, expected a file or a name for one",
                     S_ISDIR(there.st_mode) ? "a directory" : "a device or a pipe");
}

typedef int write_content(FILE *file, void *what);

static int write_cells(FILE *file, void *what)
{
    const cot_view *view = what;
    char header[NPY_TEXT_SIZE];
    size_t length = npy_header_print(view->element, view->rank, view->shape, header);
    size_t size = cot_element_size(view->element), count = (size_t)view->length;
    return fwrite(header, 1, length, file) < length || fwrite(view->data, size, count, file) < count;
}

static int write_file(const char *name, write_content *write, void *what, char why[NPY_WHY_SIZE])
{
    FILE *file = fopen(name, "wb");
    if (!file)
        return cannot_write(why);
    int bad = write(file, what) || fflush(file) || fsync(fileno(file)) ? cannot_write(why) : 0;
    return fclose(file) && !bad ? cannot_write(why) : bad;
}

int npy_draft_print(npy_draft *draft, const char *path, write_content *write, void *what, char why[NPY_WHY_SIZE])
{
    *draft = (npy_draft){ .target = resolved(path) };
    if (!draft->target)
        return cannot_write(why);
    if (check_target(draft->target, why))
        return -1;
    draft->temporary = make_beside(draft->target, create);
    return draft->temporary ? write_file(draft->temporary, write, what, why) : cannot_write(why);
}

int npy_draft_write(npy_draft *draft, const char *path, const cot_view *view, char why[NPY_WHY_SIZE])
{
    cot_view what = *view;
    return npy_draft_print(draft, path, write_cells, &what, why);
}

static void forget(char **name)
{
    if (*name)
        unlink(*name);
    free(*name);
    *name = NULL;
}

void npy_draft_drop(npy_draft *draft)
{
    forget(&draft->temporary);
    forget(&draft->backup);
    free(draft->target);
    draft->target = NULL;
}

/* ---- all or none ----------------------------------------------------------------------------- */

/* File systems without hard links move the old file away instead. */
static int set_aside(const char *name, const char *target)
{
    return link(target, name) && (errno == EEXIST || errno == ENOENT || rename(target, name)) ? -1 : 0;
}

static int back_up(npy_draft *draft)
{
    draft->backup = make_beside(draft->target, set_aside);
    return draft->backup || errno == ENOENT ? 0 : -1;
}

/* The last draft needs no backup: nothing can fail after it. */
static int keep(npy_draft *draft, int last)
{
    if ((!last && back_up(draft)) || rename(draft->temporary, draft->target))
        return -1;
    free(draft->temporary);
    draft->temporary = NULL;
    return 0;
}

/* What was there before, again. A backup that cannot go back stays: it is all that there is of the old file. */
static void undo(npy_draft *draft)
{
    if (draft->backup && !rename(draft->backup, draft->target))
        unlink(draft->backup); /* two links to one file do not move */
    else if (!draft->backup && !draft->temporary)
        unlink(draft->target);
    free(draft->backup);
    draft->backup = NULL;
}

static int same_target(const npy_draft *drafts, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(drafts[i].target, drafts[j].target))
                return i;
    return -1;
}

int npy_drafts_keep(npy_draft *drafts, int count, int *failed, char why[NPY_WHY_SIZE])
{
    *failed = same_target(drafts, count);
    if (*failed >= 0)
        return npy_wrong(why, "two outputs cannot be the same file");
    for (int i = 0; i < count; i++)
        if (keep(&drafts[i], i == count - 1)) {
            *failed = i;
            cannot_write(why);
            while (i >= 0)
                undo(&drafts[i--]);
            return -1;
        }
    return 0;
}
