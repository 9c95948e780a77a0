/* Which pairs a sweep is about, in blocks of 65,536. */
#ifndef COT_SWEEP_PAIRS_H
#define COT_SWEEP_PAIRS_H

#include "conformance/clause/clauses.h"
#include "core/cotangent.h"
#include "heading.h"

enum { BLOCK = 65536, SWEEP_DYS = 16 };

/* What a pair is to an op: its two operands; x and y of a reduction's line of one cell; or y of a softmax's line of
 * two. Ops whose cells depend on other numbers, or on none but dy, have no pairs. */
typedef enum pairing { PAIRS_NONE, PAIRS_AB, PAIRS_XY, PAIRS_LINE } pairing;

pairing pairing_of(cot_op op);
int results_of(cot_op op); /* of a pair: 1 in a reduction, else 2 */

cot_desc pairs_desc(cot_op op, cot_element element); /* of a block */

/* A block's pairs of f16 and bf16 share a, and have every b: 65,536 blocks are all pairs. f32 has as many blocks as are
 * asked for, of a sequence of low discrepancy over the bits of a and b. Each dy has blocks of its own. */
typedef struct sweep {
    cot_desc desc; /* of a block */
    int dys;
    double dy[SWEEP_DYS];
    int64_t blocks;      /* of each dy */
    int64_t first, last; /* the blocks that are swept, both included, of dys * blocks */
    int shard, shards;   /* every shards-th of them is this run's, from the shard-th on */
    char heading[HEADING_SIZE];
} sweep;

int64_t sweep_all(const sweep *s); /* blocks of all dys, whatever is swept of them */
int sweep_is_own(const sweep *s, int64_t block);

/* A block's operands, in the element type. */
void block_operands(const sweep *s, int64_t block, void *dy, void *a, void *b);

/* Two arrays as lines of two cells each, and back. */
void weave(cot_element element, int64_t lines, const void *first, const void *second, void *line);
void unweave(cot_element element, int64_t lines, const void *line, void *first, void *second);

/* What two results must share to be of one sweep, as a heading: the versions, the op, the pairs, the backend, by its
 * name and the device that was asked for (NULL: none). 0, or -1 where names are too long. */
int sweep_name(sweep *s, const cot_backend *backend, const char *name, const char *option, const char *claim);

/* The same from its name: the op, the type, the pairs. 0, or -1 where the name is not one of this version and spec, or
 * a sweep that there is not. */
int sweep_from_name(const char *heading, sweep *s);

#endif
