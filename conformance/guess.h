/* What a wrong gradient is right for: another policy, direction, axis, correction, or its two outputs exchanged. */
#ifndef COT_GUESS_H
#define COT_GUESS_H

#include "operand.h"

enum { GUESS_SIZE = 192 };

/* Judges the same files as the result of other problems. 1, and a sentence, for the first that they are right for; else 0. */
int guess_mistake(const cot_desc *desc, const cot_view views[OPERANDS], char sentence[GUESS_SIZE]);

#endif
