/* What a command line says about a problem, for the commands that run one. Functions return 0, or an exit code once
 * they have said what is wrong. */
#ifndef COT_REQUEST_H
#define COT_REQUEST_H

#include "cli.h"

typedef struct request {
    const char *dtype, *shape, *axis, *correction, *param, *convention, *policy; /* NULL: not given */
    int reverse;
} request;

enum { REQUEST_OPTIONS = 6 };

/* Adds the options to a command's table; how many they are. --dtype and --shape mean something else to each command. */
int request_options(request *r, cli_option *rows);

/* Everything but the axis. Element and rank stay 0 where they are not given. */
int request_desc(const request *r, const cot_op_info *op, cot_desc *desc);

/* Once the rank is known: the axis, counted from the end where it is negative; the last one where it is not given. */
int request_axis(const request *r, cot_desc *desc);

#endif
