/* Reading JSON (RFC 8259). A text that is not JSON is refused, whatever it is. */
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

typedef struct reader {
    const char *text;
    size_t at;
    int depth;
} reader;

static void skip_blanks(reader *r) { r->at += strspn(r->text + r->at, " \t\r\n"); }

static int take(reader *r, char c)
{
    skip_blanks(r);
    if (r->text[r->at] != c)
        return 0;
    r->at++;
    return 1;
}

/* ---- strings --------------------------------------------------------------------------------- */

static int hex4(const char *text, unsigned *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdefABCDEF", *found = text[i] ? strchr(digits, text[i]) : NULL;
        if (!found)
            return -1;
        unsigned digit = (unsigned)(found - digits);
        *value = *value * 16 + (digit > 15 ? digit - 6 : digit);
    }
    return 0;
}

/* UTF-8 of a code point; a half of a pair of surrogates becomes the replacement character. */
static size_t put_utf8(char *to, unsigned code)
{
    if (code >= 0xd800 && code < 0xe000)
        code = 0xfffd;
    if (code < 0x80) {
        to[0] = (char)(code ? code : 0x20);
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xc0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    to[0] = (char)(0xe0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 0x3f));
    to[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

/* One escape; how many bytes it became, or 0. */
static size_t read_escape(reader *r, char *to)
{
    static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    char c = r->text[r->at];
    unsigned code;
    r->at += c != 0; /* a text may end here */
    const char *found = c ? strchr(names, c) : NULL;
    if (found) {
        *to = means[found - names];
        return 1;
    }
    if (c != 'u' || hex4(r->text + r->at, &code))
        return 0;
    r->at += 4;
    return put_utf8(to, code);
}

/* Bytes up to the closing quote. */
static size_t string_length(const char *text)
{
    size_t length = 0;
    for (; text[length] && text[length] != '"'; length++)
        if (text[length] == '\\' && text[length + 1])
            length++;
    return length;
}

/* Without its quotes; NULL where it is none. Escapes are longer than what they stand for. */
static char *read_string(reader *r)
{
    size_t used = 0, more = 1;
    char *to = take(r, '"') ? malloc(string_length(r->text + r->at) + 4) : NULL;
    while (to && more && r->text[r->at] != '"') {
        more = (unsigned char)r->text[r->at] >= 0x20;
        if (more && r->text[r->at] != '\\')
            to[used] = r->text[r->at++];
        else if (more)
            r->at++, more = read_escape(r, to + used);
        used += more;
    }
    if (!to || !more) {
        free(to);
        return NULL;
    }
    r->at++;
    to[used] = 0;
    return to;
}

/* ---- values ---------------------------------------------------------------------------------- */

static node *read_value(reader *r);

static node *new_node(node_kind kind, char *text)
{
    node *n = calloc(1, sizeof *n);
    if (n)
        *n = (node){ .kind = kind, .text = text };
    else
        free(text);
    return n;
}

static node *read_number(reader *r)
{
    size_t length = strspn(r->text + r->at, "+-0123456789.eE");
    char *end, *text = length && length < 64 ? strndup(r->text + r->at, length) : NULL;
    if (!text)
        return NULL;
    strtod(text, &end);
    if (*end) {
        free(text);
        return NULL;
    }
    r->at += length;
    return new_node(NODE_NUMBER, text);
}

static node *read_word(reader *r)
{
    static const char *const words[] = { "null", "false", "true" };
    for (int i = 0; i < 3; i++)
        if (!strncmp(r->text + r->at, words[i], strlen(words[i]))) {
            r->at += strlen(words[i]);
            return new_node((node_kind)i, NULL);
        }
    return read_number(r);
}

/* A member of a list or an object; NULL where it is none. */
static node *read_member(reader *r, node_kind kind)
{
    char *key = kind == NODE_OBJECT ? read_string(r) : NULL;
    node *member = kind == NODE_OBJECT && (!key || !take(r, ':')) ? NULL : read_value(r);
    if (member)
        member->key = key;
    else
        free(key);
    return member;
}

static node *read_members(reader *r, node_kind kind, char close)
{
    node *n = new_node(kind, NULL), **last = n ? &n->child : NULL;
    int more = n && !take(r, close);
    while (more) {
        *last = read_member(r, kind);
        int ended = *last && take(r, close);
        if (!*last || (!ended && !take(r, ','))) {
            tree_free(n);
            return NULL;
        }
        last = &(*last)->next;
        more = !ended;
    }
    return n;
}

static node *read_value(reader *r)
{
    node *n = NULL;
    if (r->depth++ < DEEPEST) {
        skip_blanks(r);
        size_t from = r->at;
        if (take(r, '{'))
            n = read_members(r, NODE_OBJECT, '}');
        else if (take(r, '['))
            n = read_members(r, NODE_LIST, ']');
        else if (r->text[r->at] == '"') {
            char *text = read_string(r);
            n = text ? new_node(NODE_TEXT, text) : NULL;
        } else
            n = read_word(r);
        if (n)
            n->from = from, n->to = r->at;
    }
    r->depth--;
    return n;
}

node *tree_read(const char *text, size_t *at)
{
    reader r = { text, 0, 0 };
    node *n = read_value(&r);
    skip_blanks(&r);
    *at = r.at;
    if (n && text[r.at]) {
        tree_free(n);
        return NULL;
    }
    return n;
}

void tree_free(node *n)
{
    while (n) {
        node *next = n->next;
        tree_free(n->child);
        free(n->key);
        free(n->text);
        free(n);
        n = next;
    }
}

/* ---- looking --------------------------------------------------------------------------------- */

const node *node_get(const node *object, const char *key)
{
    for (const node *n = object ? object->child : NULL; n; n = n->next)
        if (n->key && !strcmp(n->key, key))
            return n;
    return NULL;
}

const char *node_text(const node *n) { return n && n->text ? n->text : ""; }

const char *text_at(const node *object, const char *key) { return node_text(node_get(object, key)); }

double number_at(const node *object, const char *key, double otherwise)
{
    const node *n = node_get(object, key);
    return n && n->kind == NODE_NUMBER ? strtod(n->text, NULL) : otherwise;
}

int node_count(const node *n)
{
    int count = 0;
    for (const node *child = n ? n->child : NULL; child; child = child->next)
        count++;
    return count;
}
