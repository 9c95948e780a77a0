/* Files that are there whole or not at all. */
#include "draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new file beside the target, with the permissions of the one that is there. */
static int create_beside(const char *target, char **name)
{
    const char *slash = strrchr(target, '/');
    int directory = slash ? (int)(slash - target + 1) : 0, fd = -1;
    size_t size = (size_t)directory + 48;
    struct stat old;
    *name = malloc(size);
    for (int i = 0; *name && fd < 0 && i < 1000; i++) {
        snprintf(*name, size, "%.*s.softgpu-%ld-%d.tmp", directory, target, (long)getpid(), i);
        fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0 && !stat(target, &old))
        (void)!fchmod(fd, old.st_mode & 0777);
    return fd;
}

static bool is_special(const char *name)
{
    struct stat there;
    return stat(name, &there) ? !lstat(name, &there) : !S_ISREG(there.st_mode);
}

/* Blocking signals would not do: threads that have computed would take them. */
static const int ends[DRAFT_ENDS] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static volatile sig_atomic_t asked;

static void ask(int number) { asked = number; }

static void hold_signals(struct sigaction before[DRAFT_ENDS])
{
    struct sigaction hold = { .sa_handler = ask, .sa_flags = SA_RESTART };
    asked = 0;
    for (int i = 0; i < DRAFT_ENDS; i++)
        if (!sigaction(ends[i], NULL, &before[i]) && before[i].sa_handler == SIG_DFL)
            sigaction(ends[i], &hold, NULL);
}

static void let_signals(const struct sigaction before[DRAFT_ENDS])
{
    for (int i = 0; i < DRAFT_ENDS; i++)
        sigaction(ends[i], &before[i], NULL);
    if (asked)
        raise(asked);
}

static FILE *open_draft(draft *d, const char *name)
{
    if (is_special(name))
        return fopen(name, "wb");
    d->target = realpath(name, NULL);
    if (!d->target && errno == ENOENT)
        d->target = strdup(name);
    int fd = d->target ? create_beside(d->target, &d->temporary) : -1;
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (file)
        return file;
    if (fd >= 0) {
        close(fd);
        unlink(d->temporary);
    }
    return NULL;
}

FILE *draft_begin(draft *d, const char *name)
{
    *d = (draft){ .file = NULL };
    hold_signals(d->before);
    d->file = open_draft(d, name);
    return d->file;
}

bool draft_end(draft *d, bool good)
{
    good = d->file && good && !fflush(d->file) && !(d->temporary && fsync(fileno(d->file)));
    if (d->file)
        good = !fclose(d->file) && good;
    if (good && d->temporary)
        good = !rename(d->temporary, d->target);
    if (d->file && !good && d->temporary)
        unlink(d->temporary);
    free(d->target);
    free(d->temporary);
    let_signals(d->before);
    return good;
}
