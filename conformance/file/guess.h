/* What a wrong gradient is right for: another policy, direction, axis, correction, or its two outputs exchanged. */
#ifndef COT_GUESS_H
#define COT_GUESS_H

#include "conformance/case/operand.h"

/* Wrong cells that a guess has to explain, so that it does not hit by chance: each of them is right in the other
 * problem, and that problem leaves no cell unjudged. */
enum { GUESS_SIZE = 192, ENOUGH_TO_GUESS = 4 };

/* Judges the same files as the result of other problems. 1, and a sentence, for the first that they are right for; else
 * 0. */
int guess_mistake(const cot_desc *desc, const cot_view views[OPERANDS], char sentence[GUESS_SIZE]);

#endif
