/* What a wrong gradient is right for: another policy, direction, axis, correction, or its two outputs exchanged. */
#ifndef COT_GUESS_H
#define COT_GUESS_H

#include "conformance/case/case.h"
#include "conformance/case/operand.h"
#include "verdict.h"

/* Wrong cells that a guess has to explain, so that it does not hit by chance: each of them is right in the other
 * problem, and that problem leaves no cell unjudged. */
enum { GUESS_SIZE = 192, HEADLINE_SIZE = GUESS_SIZE + 96, ENOUGH_TO_GUESS = 4 };

/* Judges the same files as the result of other problems. 1, and a sentence, for the first that they are right for; else
 * 0. */
int guess_mistake(const cot_desc *desc, const cot_view views[OPERANDS], char sentence[GUESS_SIZE]);

/* "differs from the spec in 4 of 10 cells; right for PyTorch and JAX (ties=split)", by the verdict on the views; 0 and
 * "" where too few cells are wrong, or the views are right for nothing that is known. */
int guess_headline(const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v, char line[HEADLINE_SIZE]);

/* The same of what the backend returns for a case. */
int guess_case(cot_backend *backend, const test_case *c, char line[HEADLINE_SIZE]);

#endif
