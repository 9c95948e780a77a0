/* Which rows of the op table heed a policy, for the preprocessor. COT_HEEDS(policies) is the word `under` for a row
 * with policies and `spec` for a row without; COT_ROW(PREFIX_, COT_HEEDS(policies)) names a macro by it. A table that
 * is made with these has an entry for every op with a policy, or does not compile. */
#ifndef COT_HEEDS_H
#define COT_HEEDS_H

#define COT_HEEDS(policies) COT_HEEDS_SECOND(COT_HEEDS_##policies, )
#define COT_HEEDS_0 , spec
#define COT_HEEDS_P(policy) , under,
#define COT_HEEDS_SECOND(...) COT_HEEDS_TAKE(__VA_ARGS__)
#define COT_HEEDS_TAKE(first, second, ...) second

#define COT_ROW(prefix, heeds) COT_ROW_OF(prefix, heeds)
#define COT_ROW_OF(prefix, heeds) prefix##heeds

#endif
