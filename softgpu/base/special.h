/* Special registers. Those from CLOCK on are read when the instruction runs; the others are filled beforehand. */
#ifndef SG_SPECIAL_H
#define SG_SPECIAL_H

#define SPECIAL(name, id, size) SR_##id,
enum special {
#include "special.def"
    SR_COUNT
};
#undef SPECIAL

int sg_special(const char *name, int len); /* -1 for an unknown name */
int sg_special_size(int special);

#endif
