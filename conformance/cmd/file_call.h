/* A gradient whose operands are .npy files: what the commands that take such files share. Functions return 0, or an
 * exit code once they have said what is wrong. */
#ifndef COT_FILE_CALL_H
#define COT_FILE_CALL_H

#include "request.h"
#include "conformance/file/tensors.h"

typedef struct file_call {
    const cot_op_info *op;
    cot_desc desc;
    request request;
    tensors tensors;
} file_call;

enum { FILE_CALL_OPTIONS = REQUEST_OPTIONS + 7 };

/* Adds the options of a problem and its inputs to a command's table; how many they are. */
int file_call_options(file_call *c, cli_option *rows);

/* The operands among `operands` (bits by cot_operand), read and checked. */
int file_call_read(file_call *c, unsigned operands);

/* y from x, or from a and b. */
int file_call_forward(file_call *c);

enum { CALL_OUTPUTS = 1u << COT_DX | 1u << COT_DA | 1u << COT_DB };

/* Every input that the gradient needs, and what `outputs` names: read, checked, and y computed from x where it is not
 * given. */
int file_call_operands(file_call *c, unsigned outputs);

#endif
