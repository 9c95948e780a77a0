/* What a sweep has found, told without anything that differs from run to run: a merged sweep has the bytes of one that
 * was run in one piece. */
#ifndef COT_SUMMARY_H
#define COT_SUMMARY_H

#include "collect.h"

#include <stdio.h>

enum { SUMMARY_MISSES = 32 };

typedef struct summary {
    int shard, shards; /* of which blocks; 1/1 for all */
    int64_t planned, done;
    int64_t cells, edges, bounded, close, failed;
    int64_t worst_block, failed_blocks;
    double worst;
    uint64_t digest; /* of the blocks' digests, in their order */
    const block_result *miss[SUMMARY_MISSES];
    int misses; /* that are kept; failed_blocks counts all */
} summary;

summary summarize(const collection *c, int shard, int shards);
int summary_is_good(const summary *s); /* nothing is missing, nothing has failed */

void summary_text(FILE *to, const collection *c, const summary *s);
void summary_json(FILE *to, const collection *c, const summary *s);

/* Blocks that are not there, as ranges: "3-7, 12"; at most a line of them. "" for none. */
void missing_blocks(const collection *c, int shard, int shards, char *text, size_t size);

#endif
