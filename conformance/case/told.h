/* Text that was printed into memory. */
#ifndef COT_TOLD_H
#define COT_TOLD_H

#include <stdio.h>

/* Ends what open_memstream began, which may be NULL. 0 where the text is whole; else it is freed, and NULL. */
int told_end(FILE *to, char **text);

#endif
