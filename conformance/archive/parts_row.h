/* What a part's rows, failures and lists become in the tally of the whole run. */
#ifndef COT_PARTS_ROW_H
#define COT_PARTS_ROW_H

#include "parts.h"

/* NULL, or what is wrong with them. */
const char *parts_take_rows(parts *p, const char *text, const node *top);

unsigned parts_elements(const char *types); /* of case_range */

#endif
