/* Rows of the op table by family or by kind of sum, for the preprocessor: COT_ONLY(REDUCE, family, code) is the code in
 * a row of that family and nothing in every other row. A new family or kind needs its line here. */
#ifndef COT_ONLY_H
#define COT_ONLY_H

#define COT_ONLY(wanted, word, ...) COT_ONLY_PICK(COT_ONLY_##wanted##_##word, COT_ONLY_DROP, )(__VA_ARGS__)
#define COT_ONLY_PICK(...) COT_ONLY_SECOND(__VA_ARGS__)
#define COT_ONLY_SECOND(first, second, ...) second
#define COT_ONLY_KEEP(...) __VA_ARGS__
#define COT_ONLY_DROP(...)

#define COT_ONLY_REDUCE_REDUCE , COT_ONLY_KEEP
#define COT_ONLY_BINARY_BINARY , COT_ONLY_KEEP
#define COT_ONLY_BINARY_PARAM_BINARY_PARAM , COT_ONLY_KEEP
#define COT_ONLY_SOFTMAX_FAMILY_SOFTMAX_FAMILY , COT_ONLY_KEEP
#define COT_ONLY_FOLD_FOLD , COT_ONLY_KEEP
#define COT_ONLY_SCAN_SCAN , COT_ONLY_KEEP
#define COT_ONLY_WINNER_WINNER , COT_ONLY_KEEP
#define COT_ONLY_RECURRENCE_RECURRENCE , COT_ONLY_KEEP

#endif
