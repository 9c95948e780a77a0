/* Text that was printed into memory: a stream there may end well and leave none, where memory has run out. */
#include "told.h"

#include <stdlib.h>

int told_end(FILE *to, char **text)
{
    int bad = !to || ferror(to);
    if (to && fclose(to))
        bad = 1;
    if (!bad && *text)
        return 0;
    if (to)
        free(*text);
    *text = NULL;
    return -1;
}
