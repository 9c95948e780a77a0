/* Moving bytes over a descriptor, whatever interrupts it. */
#include "transfer.h"

#include <errno.h>
#include <unistd.h>

size_t read_all(int from, void *bytes, size_t size)
{
    size_t got = 0;
    for (ssize_t more = 1; got < size && (more > 0 || (more < 0 && errno == EINTR));) {
        more = read(from, (char *)bytes + got, size - got);
        got += more > 0 ? (size_t)more : 0;
    }
    return got;
}

int write_all(int to, const void *bytes, size_t size, write_some *how)
{
    for (size_t done = 0; done < size;) {
        ssize_t more = how(to, (const char *)bytes + done, size - done);
        if (more < 0 && errno != EINTR)
            return -1;
        done += more > 0 ? (size_t)more : 0;
    }
    return 0;
}
