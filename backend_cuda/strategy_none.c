/* Families without kernels. */
#include "strategy.h"

const cuda_strategy cot_cuda_fold[] = { { 0 } };
const cuda_strategy cot_cuda_scan[] = { { 0 } };
