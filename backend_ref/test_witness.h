/* A witness between the reference and its loops: what a test is told of a variant, it has seen. It stands in the place
 * of the loops of a backend, notes what they are asked for, and lets them work. */
#ifndef COT_TEST_WITNESS_H
#define COT_TEST_WITNESS_H

#include "core/internal.h"
#include "ref_problem.h"

#include <fenv.h>
#include <stdatomic.h>
#include <string.h>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

enum { FLUSHES = 0x8040 }; /* bits of MXCSR: flush to zero, subnormals are zeros */

typedef struct witness {
    ref_kernels seen; /* the first member: the backend takes it for its loops */
    const ref_kernels *loops;
    _Atomic unsigned threads;                            /* a bit each */
    atomic_int streamed, kept, default_mode, other_mode; /* calls of a thread */
    ref_problem last;
} witness;

static witness *watching; /* a test looks at one call at a time */

static void witness_work(const ref_problem *p, char *memory, int me, int team)
{
    int usual = fegetround() == FE_TONEAREST;
#ifdef __SSE2__
    usual &= !(_mm_getcsr() & FLUSHES);
#endif
    atomic_fetch_add(usual ? &watching->default_mode : &watching->other_mode, 1);
    atomic_fetch_add(p->stream ? &watching->streamed : &watching->kept, 1);
    atomic_fetch_or(&watching->threads, 1u << me);
    if (me == 0)
        watching->last = *p;
    watching->loops->work(p, memory, me, team);
}

static size_t witness_bytes(const ref_problem *p) { return watching->loops->bytes_each(p); }

/* From now on calls of this backend are seen. */
static inline void witness_watch(witness *w, cot_backend *backend)
{
    const ref_kernels **loops = backend->self; /* its first member */
    if (*loops != &w->seen) {
        memset(w, 0, sizeof *w);
        w->loops = *loops;
        w->seen = (ref_kernels){ w->loops->isa, witness_bytes, witness_work };
        *loops = &w->seen;
    }
    watching = w;
}

static inline int witness_threads(const witness *w) { return __builtin_popcount(w->threads); }

#endif
