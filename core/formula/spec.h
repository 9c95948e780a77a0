/* The numbers of the spec's orders of sums (clauses FOLD-ORDER, FOLD-TILES, SCAN-ORDER), for every compiler alike. */
#ifndef COT_SPEC_H
#define COT_SPEC_H

enum {
    COT_LANES = 32,   /* partial sums of a fold's tile */
    COT_SEGMENT = 32, /* terms of a scan's segment; a tile has as many segments */
    COT_TILE = 1024   /* terms of a tile */
};

#endif
