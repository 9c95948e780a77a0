/* The result of a check or a sweep as one page that needs nothing else: no script, no network. */
#ifndef COT_HTML_H
#define COT_HTML_H

#include "tree.h"

#include <stdio.h>

enum { HTML_UNKNOWN = -1, HTML_DIFFERS = -2 };

/* `before` is an earlier result to compare with, or NULL. 0; HTML_UNKNOWN where the result is none that is known;
 * HTML_DIFFERS where one is of a check and the other of a sweep. */
int html_report(FILE *to, const node *result, const node *before);

/* ---- parts, each a section or nothing ------------------------------------------------------- */

void html_matrix(FILE *to, const node *result);   /* op by type: levels, grades */
void html_plot(FILE *to, const node *result);     /* errors over their bounds */
void html_failures(FILE *to, const node *result); /* with pictures of where the wrong cells lie */
void html_difference(FILE *to, const node *result, const node *before);
void html_sweep(FILE *to, const node *result, const node *before);

/* Text with what HTML needs escaped. */
void html_text(FILE *to, const char *text);

/* The value of a member, escaped; a dash for null. */
void html_member(FILE *to, const node *object, const char *key);

/* A whole number with its thousands parted. */
void html_count(FILE *to, double number);

const node *row_of(const node *result, const char *op, const char *dtype);

#endif
