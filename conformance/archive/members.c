/* The files of a submission, and the list of them. */
#include "members.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const size_t largest = (size_t)1 << 31;

int member_add(members *m, const char *name, const char *data, size_t size)
{
    if (!tar_name_is_sound(name) || member_find(m, name) || m->count == MEMBERS)
        return -1;
    member *one = &m->at[m->count];
    one->data = malloc(size + 1);
    if (!one->data)
        return -1;
    memcpy(one->data, data, size);
    one->data[size] = 0;
    one->size = size;
    snprintf(one->name, sizeof one->name, "%s", name);
    m->count++;
    return 0;
}

const member *member_find(const members *m, const char *name)
{
    for (int i = 0; i < m->count; i++)
        if (!strcmp(m->at[i].name, name))
            return &m->at[i];
    return NULL;
}

void members_free(members *m)
{
    for (int i = 0; m && i < m->count; i++)
        free(m->at[i].data);
    free(m);
}

char *read_whole(const char *path, size_t *size)
{
    FILE *from = fopen(path, "rb");
    char *data = NULL, *more;
    size_t room = 1 << 15, got = 1;
    *size = 0;
    errno = from ? 0 : errno;
    while (from && got && !errno) {
        more = room < largest ? realloc(data, room *= 2) : NULL;
        data = more ? more : data;
        got = more ? fread(data + *size, 1, room - *size - 1, from) : 0;
        errno = !more ? EFBIG : ferror(from) ? EIO : 0;
        *size += got;
    }
    if (from)
        fclose(from);
    if (!from || errno || !data) {
        free(data);
        return NULL;
    }
    data[*size] = 0;
    return data;
}

/* ---- the manifest ---------------------------------------------------------------------------- */

static uint64_t digest_of(const member *one)
{
    uint64_t digest = 0xcbf29ce484222325u;
    for (size_t i = 0; i < one->size; i++)
        digest = (digest ^ (unsigned char)one->data[i]) * 0x100000001b3u;
    return digest;
}

static int print_line(const member *one, char line[MANIFEST_LINE])
{
    return snprintf(line, MANIFEST_LINE, "%zu %016llx %s\n", one->size, (unsigned long long)digest_of(one), one->name);
}

int manifest_make(members *m)
{
    char *text = malloc((size_t)m->count * MANIFEST_LINE + 1);
    size_t used = 0;
    for (int i = 0; text && i < m->count; i++)
        used += (size_t)print_line(&m->at[i], text + used);
    int status = text ? member_add(m, "MANIFEST", text, used) : -1;
    free(text);
    return status;
}

/* The lines are those of the other files, in their order: nothing is missing, changed or added. */
int manifest_check(const members *m, const char **wrong)
{
    const member *list = member_find(m, "MANIFEST");
    const char *at = list ? list->data : "";
    char line[MANIFEST_LINE];
    *wrong = "MANIFEST";
    for (int i = 0; list && i < m->count; i++) {
        if (&m->at[i] == list)
            continue;
        size_t length = (size_t)print_line(&m->at[i], line);
        *wrong = m->at[i].name;
        if (strncmp(at, line, length))
            return -1;
        at += length;
    }
    return list && !*at ? 0 : -1;
}
