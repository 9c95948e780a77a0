/* JSON that is read as a tree, and what is refused. */
#include "conformance/tap/tap.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static void refused(const char *text, const char *why)
{
    size_t at;
    node *n = tree_read(text, &at);
    ok(!n, "%s is refused", why);
    tree_free(n);
}

static void test_values(void)
{
    size_t at;
    node *n = tree_read(" { \"a\": [1, -2.5e3, true, null], \"b\": \"x\\n\\u00e9\\\"\", \"c\": { } } ", &at);
    ok(n != NULL, "an object is read");
    cmp_ok(node_count(n), "==", 3, "it has three members");
    cmp_ok(node_count(node_get(n, "a")), "==", 4, "a list has four");
    is(node_text(node_get(n, "a")->child->next), "-2.5e3", "a number stays as it is written");
    is(text_at(n, "b"), "x\n\xc3\xa9\"", "escapes are what they stand for");
    cmp_ok(node_count(node_get(n, "c")), "==", 0, "an empty object");
    is(text_at(n, "d"), "", "what is not there is empty");
    is(text_at(NULL, "d"), "", "also in nothing");
    tree_free(n);
}

static void test_depth(void)
{
    char deep[401];
    memset(deep, '[', 200);
    memset(deep + 200, ']', 200);
    deep[400] = 0;
    refused(deep, "a list 200 deep");
}

int main(void)
{
    plan(NO_PLAN);
    test_values();
    refused("", "nothing");
    refused("{ \"a\": 1", "an object without its end");
    refused("[1, 2,]", "a list that ends with a comma");
    refused("{ \"a\" 1 }", "a member without its colon");
    refused("{ a: 1 }", "a key without quotes");
    refused("\"abc", "a string without its end");
    refused("\"\\q\"", "an escape that there is not");
    refused("\"\\u12\"", "an escape that is too short");
    refused("1 2", "two values");
    refused("1e", "half a number");
    refused("nul", "half a word");
    test_depth();
    return done_testing();
}
