/* NumPy's .npy files, versions 1.0, 2.0 and 3.0 (numpy.lib.format): read whole, and written so that nothing is lost.
 *
 * Elements are '<f2', '<f4', '<f8', and '<u2' or '<V2' for the bits of bf16, which NumPy has no type for
 * (ml_dtypes writes '<V2'); '>' is swapped on the
 * way in. Every function that can fail returns 0, or -1 with what is wrong and what was expected in `why`, without the
 * file's name. */
#ifndef COT_NPY_H
#define COT_NPY_H

#include "core/cotangent.h"

#include <stdio.h>

enum { NPY_WHY_SIZE = 512 };

/* Reads a file into memory of its own: free(view->data). Fortran order shows in the strides. `element` is what the file
 * must hold; 0 takes f16, f32 or f64 as the file says. Memory grows with what is really there, whatever the header
 * promises. */
int npy_read(const char *path, cot_element element, cot_view *view, char why[NPY_WHY_SIZE]);

/* A file that is complete, and not in its place yet. */
typedef struct npy_draft {
    char *target;    /* symbolic links resolved */
    char *temporary; /* beside it */
    char *backup;    /* the file that was there before, while another draft may still fail */
} npy_draft;

/* Writes a contiguous view beside `path`, which stays as it is. */
int npy_draft_write(npy_draft *draft, const char *path, const cot_view *view, char why[NPY_WHY_SIZE]);

/* Puts all drafts in their places, or none. `failed` is the one that could not be. */
int npy_drafts_keep(npy_draft *drafts, int count, int *failed, char why[NPY_WHY_SIZE]);

/* A draft of another file: what `write` prints. Not 0 from it, or what cannot be written, is a failure. */
int npy_draft_print(npy_draft *draft, const char *path, int (*write)(FILE *to, void *what), void *what,
                    char why[NPY_WHY_SIZE]);

/* Frees a draft, and removes its file unless it was kept. */
void npy_draft_drop(npy_draft *draft);

#endif
