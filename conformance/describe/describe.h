/* A verdict in words: the only place that makes sentences of reasons, numbers and places, for every report and for the
 * page. */
#ifndef COT_DESCRIBE_H
#define COT_DESCRIBE_H

#include "conformance/judge/guess.h"
#include "conformance/judge/verdict.h"

#include <stdio.h>

/* A number as a person, a program and a bit-twiddler read it: "0.5", "0.5", "0x1p-1", "3f000000". A NaN has its sign in
 * its bits alone. */
typedef struct number_text {
    char decimal[32]; /* as many digits as tell the element type's numbers apart */
    char full[32];    /* 17 digits */
    char hex[32], bits[20];
} number_text;

number_text describe_number(cot_element element, double number);
number_text describe_want(cot_element element, double number); /* any NaN will do where one is wanted */
uint64_t number_bits(cot_element element, double number);      /* of a number that the type has */

void describe_place(const verdict *v, char *text, size_t size); /* the wrong cell: "dx[0,3]" */

enum { WHY_SIZE = 1024 };

void describe_why(const verdict *v, char why[WHY_SIZE]);   /* one sentence that stands alone */
void describe_rest(const verdict *v, char rest[WHY_SIZE]); /* what it adds to the cell's place and numbers; may be "" */

void describe_pattern(const verdict *v,
                      char text[WHY_SIZE]);  /* where the wrong cells lie; "" where there is one cell */
const char *describe_cure(const verdict *v); /* what to change, where that is known; else NULL */

/* "right for PyTorch and JAX (ties=split)", "it is right along axis 0, and axis 1 was asked for"; "" for nothing. And
 * the line about a whole gradient that has it: "differs from the spec in 4 of 10 cells; right for ...". */
enum { GUESS_SIZE = 192, HEADLINE_SIZE = GUESS_SIZE + 96 };

void describe_guess(const guessed *g, char sentence[GUESS_SIZE]);
void describe_headline(const headline *h, char line[HEADLINE_SIZE]);

/* The clause, or two words that stand for it where none is broken; and a sentence about that. */
const char *clause_or(const verdict *v);
const char *describe_no_clause(const verdict *v);

/* Prints words from `column` on, broken so that no line is wider than `width`; further lines begin with `indent`. */
void print_wrapped(FILE *to, const char *words, int column, int width, const char *indent);

/* Prints a command from `column` on. Where it is too wide it goes on below, before an option and after a backslash, so
 * that it stays one for the shell, and no option is parted from its value. */
void print_command(FILE *to, const char *command, int column, int width);

#endif
