/* From the number of a line to where it lies. Divisions are made in I; offsets are counted in O, which may be wider. */
#ifndef COT_CUDA_PLACES_H
#define COT_CUDA_PLACES_H

#include "element.h"

template <typename I> struct place {
    I inner, group[LAUNCH_OUTER]; /* indices, the fastest dimension first */
};

/* The first line of a group. */
template <typename I> COT_FN place<I> find_group(const cuda_launch &k, I group)
{
    place<I> p = {};
    UNROLLED for (uint32_t d = 0; d < LAUNCH_OUTER; d++) {
        if (d < k.outer_rank) {
            I next = group / (I)k.outer_shape[d];
            p.group[d] = group - next * (I)k.outer_shape[d];
            group = next;
        }
    }
    return p;
}

template <typename I> COT_FN place<I> find_line(const cuda_launch &k, I line)
{
    place<I> p = {};
    I group = 0;
    if (k.outer_rank) {
        group = line / (I)k.inner;
        p = find_group(k, group);
    }
    p.inner = line - group * (I)k.inner;
    return p;
}

template <typename O, typename I> COT_FN O offset_of(const cuda_launch &k, const cuda_operand &o, const place<I> &p)
{
    O at = (O)p.inner * (O)o.across;
    if (k.outer_rank)
        UNROLLED for (uint32_t d = 0; d < LAUNCH_OUTER; d++) at += (O)p.group[d] * (O)o.outer[d];
    return at;
}

#endif
