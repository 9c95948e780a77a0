/* Writing finished blocks: a line that cannot be written whole is taken back. */
#include "part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PARTS = 1000000 };

static int put(part *p, const char *text, size_t length)
{
    ssize_t written = write(p->fd, text, length);
    int why = written < 0 ? errno : ENOSPC;
    if (written == (ssize_t)length) {
        p->good += (int64_t)length;
        return 0;
    }
    if (ftruncate(p->fd, p->good) || lseek(p->fd, p->good, SEEK_SET) < 0)
        return why; /* readers leave out what has no end */
    return why;
}

int part_open(part *p, const char *directory, const char *heading)
{
    char line[HEADING_SIZE + 2];
    if (mkdir(directory, 0777) && errno != EEXIST)
        return errno;
    *p = (part){ .fd = -1, .key = text_digest(heading) };
    for (; p->fd < 0 && p->number < PARTS; p->number++) {
        int length = snprintf(p->path, sizeof p->path, "%s/blocks-%06d", directory, p->number);
        if (length >= (int)sizeof p->path)
            return ENAMETOOLONG;
        p->fd = open(p->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (p->fd < 0 && errno != EEXIST)
            return errno;
    }
    p->number--;
    return p->fd < 0 ? EEXIST : put(p, line, (size_t)snprintf(line, sizeof line, "%s\n", heading));
}

int part_add(part *p, const block_result *r)
{
    char line[LINE_SIZE];
    return put(p, line, (size_t)line_print(r, p->key, line));
}

/* What a run that has added nothing leaves is a heading, which holds no block. */
int part_close(part *p)
{
    int why = fsync(p->fd) && errno != EINVAL ? errno : 0;
    if (close(p->fd) && !why)
        why = errno;
    return why;
}
