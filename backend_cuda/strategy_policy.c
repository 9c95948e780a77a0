/* Other policies than the spec's own: none yet. */
#include "strategy.h"

const cuda_strategy cot_cuda_policy[] = { { 0 } };
