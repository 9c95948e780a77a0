/* Headings: what is in a word comes back, whatever it is; two of them are of one sweep, or not, for the right reason.
 */
#include "heading.h"
#include "conformance/case/words.h"
#include "conformance/tap/tap.h"

#include <stdio.h>
#include <string.h>

static int comes_back(const char *value, const char *as)
{
    char heading[HEADING_SIZE] = "cotangent-sweep 1", word[HEADING_SIZE] = "none";
    return !heading_add(heading, "first", "1") && !heading_add(heading, "name", value)
           && !heading_add(heading, "last", "9") && !heading_word(heading, "name", word, sizeof word)
           && !strcmp(word, as) && !strchr(strstr(heading, "name="), '\n')
           && !heading_word(heading, "last", word, sizeof word) && !strcmp(word, "9");
}

static void test_words(void)
{
    char heading[HEADING_SIZE] = "cotangent-sweep 1", before[HEADING_SIZE], word[8], large[HEADING_SIZE];
    ok(comes_back("cpu, AVX-512", "cpu, AVX-512"), "a blank in a word comes back");
    ok(comes_back("100% %20 %2520=x", "100% %20 %2520=x"), "so does a percent sign, whatever is behind it");
    ok(comes_back("a\nb\001", "a_b_"), "what is not printed does not");
    ok(comes_back("\303\274", "\303\274"), "letters beyond ASCII do");
    heading_add(heading, "op", "mul");
    memset(large, ' ', sizeof large - 1);
    large[400] = 0;
    strcpy(before, heading);
    ok(heading_add(heading, "name", large) && !strcmp(heading, before), "what has no room is not added in part");
    ok(heading_set(heading, "op", large) && !strcmp(heading, before), "nor set");
    ok(!heading_set(heading, "op", "d v") && !strcmp(heading, "cotangent-sweep 1 op=d%20v"), "a word is set");
    ok(heading_word(heading, "o", word, sizeof word) && heading_word(heading, "v", word, sizeof word),
       "a part of a key, or of a value, is no key");
}

/* The word that parts two headings, up to its end; "" where none does. */
static const char *parting(const char *one, const char *other)
{
    static char word[64];
    const char *left, *right;
    snprintf(word, sizeof word, "%s", "");
    if (heading_differs(one, other, &left, &right))
        snprintf(word, sizeof word, "%.*s|%.*s", (int)strcspn(left, " "), left, (int)strcspn(right, " "), right);
    return word;
}

static void test_sweeps(void)
{
    is(parting("s 1 op=a device=x judged=bits", "s 1 op=a device=yy judged=bits"), "", "bits are of any device");
    is(parting("s 1 op=a device=x judged=bound", "s 1 op=a device=yy judged=bound"), "device=x|device=yy",
       "a bound is of one");
    is(parting("s 1 op=a device=x judged=bits", "s 1 op=aa device=x judged=bits"), "op=a|op=aa", "another op");
    is(parting("s 1 op=a judged=bits", "s 1 op=a judged=bits z=1"), "|", "a word more");
    is(parting("s 1 device=x judged=bits", "s 1 backend=x judged=bits"), "device=x|backend=x", "another word");
    is(parting("s 1 device_option=x judged=bits", "s 1 device_option=y judged=bits"), "device_option=x|device_option=y",
       "a device that was asked for");
}

static const char *joined(const char *list, const char *more)
{
    static char all[24];
    snprintf(all, sizeof all, "%s", list);
    return list_join(all, sizeof all, more) ? "no room" : all;
}

static void test_lists(void)
{
    is(joined("", "b, 2"), "b, 2", "the first name of a list");
    is(joined("b, 2", "a"), "a; b, 2", "another is put in its order");
    is(joined("a; c", "b"), "a; b; c", "between two");
    is(joined("a; c", "d; a; b"), "a; b; c; d", "names that are there are not added");
    is(joined("ab", "a"), "a; ab", "the start of a name is another name");
    is(joined("abcdefghij; klmnopqrst", "z"), "no room", "a list that is full");
}

int main(void)
{
    plan(NO_PLAN);
    test_words();
    test_sweeps();
    test_lists();
    return done_testing();
}
