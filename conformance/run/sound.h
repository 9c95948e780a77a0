/* What a worker has sent, before anybody believes it. */
#ifndef COT_SOUND_H
#define COT_SOUND_H

#include "worker.h"

/* Not 0: every text ends, every enumeration has one of its values, every count is one, and a failure has its reason. */
int greeting_is_sound(const greeting *g);
int answer_is_sound(const answer *a);

#endif
