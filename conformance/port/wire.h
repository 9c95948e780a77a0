/* Messages between the suite and a backend in another process (doc/porting.md, "The protocol").
 *
 * A message is a frame: 8 bytes of length, then so many bytes. All numbers are 64 bits, little-endian: integers in
 * two's complement, reals as binary64. Text is its length and its bytes, memory likewise. Each function here either
 * puts what it is given into a message or takes it out, as `writing` says, so that the two sides cannot disagree. */
#ifndef COT_WIRE_H
#define COT_WIRE_H

#include "conformance/case/operand.h"

enum { PROTOCOL_VERSION = 1, WIRE_TEXT = 256, WIRE_BLOCKS = 16, FRAME_HEAD = 8 };

typedef enum ask { ASK_HELLO = 1, ASK_SELECT, ASK_CHECK, ASK_RUN } ask;

typedef struct wire {
    unsigned char *bytes; /* malloc's; the frame's head is not in it */
    size_t used, capacity, at;
    int writing;
    int bad; /* out of memory, or a message that ends too soon or holds what it must not */
} wire;

/* Memory that operands lie in. */
typedef struct block {
    unsigned char *memory;
    int64_t bytes;
} block;

/* Where a view's data is: a block and bytes into it; -1: nowhere, and `offset` is the address. */
typedef struct place {
    int64_t block, offset;
} place;

/* A call's operands. */
typedef struct remote_call {
    cot_desc desc;
    int64_t growth;  /* of the descriptor's size over sizeof(cot_desc); */
    int64_t unknown; /* not 0: and a byte past those known is set */
    int64_t present[OPERANDS];
    cot_view view[OPERANDS]; /* without data */
    place place[OPERANDS];
    int64_t blocks; /* how many */
    block block[WIRE_BLOCKS];
    place workspace;
    int64_t workspace_bytes;
} remote_call;

/* What a plan is. */
typedef struct plan_facts {
    cot_sku sku;
    char backend[WIRE_TEXT], device[WIRE_TEXT];
    int64_t workspace;
} plan_facts;

/* What a backend is. */
typedef struct backend_facts {
    cot_backend_info info;
    char name[WIRE_TEXT], device[WIRE_TEXT];
} backend_facts;

void wire_start(wire *w, ask kind); /* a new message, to be written */
void wire_free(wire *w);

void wire_int(wire *w, int64_t *value);
void wire_text(wire *w, char text[WIRE_TEXT]);
void wire_memory(wire *w, void *memory, int64_t bytes);

void wire_error(wire *w, cot_error *error); /* the code, which is the call's status, included */
void wire_desc(wire *w, remote_call *c);
void wire_views(wire *w, remote_call *c);
void wire_sizes(wire *w, remote_call *c); /* how many blocks, and of how many bytes */
void wire_plan(wire *w, plan_facts *facts);
void wire_backend(wire *w, backend_facts *facts); /* an older process leaves out what comes after `validates` */

void frame_head(size_t bytes, unsigned char head[FRAME_HEAD]);
size_t frame_bytes(const unsigned char head[FRAME_HEAD]);
int wire_reserve(wire *w, size_t bytes); /* room for a message to be read: 0, or -1 */

#endif
