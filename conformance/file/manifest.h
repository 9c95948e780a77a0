/* A case in a directory: the inputs as .npy files, and case.json, which says what they are and where the results are
 * expected. */
#ifndef COT_MANIFEST_H
#define COT_MANIFEST_H

#include "conformance/case/case.h"
#include "tensors.h"

enum { MANIFEST_PATH = 1024 };
#define MANIFEST_NAME "case.json"

/* The files of the operands that the op uses: DIRECTORY/dy.npy and so on, in `paths`, which must live as long as `t`.
 */
file_error manifest_paths(const char *directory, const cot_op_info *op, char paths[OPERANDS][MANIFEST_PATH],
                          tensors *t);

file_error manifest_write(const char *directory, const test_case *c);
file_error manifest_read(const char *directory, test_case *c);
int manifest_exists(const char *directory); /* a question: 1 or 0 */

#endif
