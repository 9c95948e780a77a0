/* From the number of a line to where it lies in each of several operands. Divisions are made in I; offsets are counted
 * in O, which may be wider. Offsets that a kernel does not use cost nothing. */
#ifndef COT_CUDA_PLACES_H
#define COT_CUDA_PLACES_H

#include "element.h"

template <typename O, typename I, int N>
COT_FN void add_group(const cuda_launch &k, I group, const cuda_operand *const (&list)[N], O (&at)[N])
{
    UNROLLED for (uint32_t d = 0; d < LAUNCH_OUTER; d++)
    {
        if (d < k.outer_rank) {
            I next = group / (I)k.outer_shape[d], digit = group - next * (I)k.outer_shape[d];
            UNROLLED for (int i = 0; i < N; i++) at[i] += (O)digit * (O)list[i]->outer[d];
            group = next;
        }
    }
}

template <typename O, typename I, int N>
COT_FN void find_line(const cuda_launch &k, I line, const cuda_operand *const (&list)[N], O (&at)[N])
{
    I inner = line;
    UNROLLED for (int i = 0; i < N; i++) at[i] = 0;
    if (k.outer_rank) {
        I group = line / (I)k.inner;
        inner = line - group * (I)k.inner;
        add_group(k, group, list, at);
    }
    UNROLLED for (int i = 0; i < N; i++) at[i] += (O)inner * (O)list[i]->across;
}

#endif
