/* What racecheck remembers of a cell of memory, and the rule by which two accesses race. */
#ifndef SG_RACE_CELLS_H
#define SG_RACE_CELLS_H

#include "race_order.h"
#include "race_sets.h"

/* The last weak store, and who read, and who wrote by atomics since. */
typedef struct cell {
    record stored, read, atomic;
} cell;
typedef struct race_map {
    cell *cells;
    u64 bytes;
    u32 generation;
    u8 shift;
} race_map;

typedef struct race_launch {
    race_clock clock;
    u32 start, generation; /* older records belong to earlier launches */
    ordering *orders;      /* of each instruction */
    race_sets sets;
    sync_table words;
} race_launch;

/* One lane's access, or that of several lanes that load the same address. */
typedef struct visit {
    watch *o;
    race_launch *launch;
    const warp *w;
    const race_warp *s;
    const ins *k;
    record me;
    u32 lane, start;
    u32 block_time, warp_time; /* up to which every lane of `me` knows its block and its warp */
    enum access_kind kind;
    bool writes;
    u64 address, word; /* word: the key of the cell */
    const u8 *R;
    alloc *a; /* NULL in shared memory */
} visit;

race_map *race_new(u64 bytes); /* NULL without memory */
void race_free(void *map);
bool race_refine(race_map *m, u8 shift); /* smaller cells from now on */

void visit_cell(const visit *v, cell *c);
void observe_cell(const visit *v, race_lane *l);   /* before a strong access that reads the cell */
u64 stored_value(const visit *v, u32 j, u32 lane); /* element j of what a store stores */

#endif
