/* Words of headings. */
#include "heading.h"

#include <stdio.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

static size_t word_length(const char *word) { return strcspn(word, " "); }

static int is_coded(const char *text, char letter)
{
    char code[4];
    snprintf(code, sizeof code, "%%%02x", (unsigned)letter);
    return !strncmp(text, code, 3);
}

static void decode(const char *word, size_t length, char *value, size_t size)
{
    size_t used = 0;
    for (const char *end = word + length; word < end && used + 1 < size; word++) {
        int blank = is_coded(word, ' '), percent = is_coded(word, '%');
        value[used++] = (char)(blank ? ' ' : (unsigned char)*word < ' ' ? '_' : *word);
        word += blank || percent ? 2 : 0;
    }
    value[used] = 0;
}

const char *heading_next(const char *at, heading_pair *pair)
{
    for (at = strchr(at, ' '); at; at = strchr(at, ' ')) {
        const char *word = ++at;
        size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz_");
        if (!length || length >= sizeof pair->key || word[length] != '=')
            continue;
        snprintf(pair->key, sizeof pair->key, "%.*s", (int)length, word);
        decode(word + length + 1, word_length(word + length + 1), pair->value, sizeof pair->value);
        return word;
    }
    return NULL;
}

int heading_word(const char *heading, const char *key, char *value, size_t size)
{
    heading_pair pair;
    for (const char *at = heading; (at = heading_next(at, &pair));)
        if (!strcmp(pair.key, key))
            return snprintf(value, size, "%s", pair.value) < (int)size ? 0 : -1;
    return -1;
}

int heading_claims_bits(const char *heading)
{
    char judged[16];
    return !heading_word(heading, "judged", judged, sizeof judged) && !strcmp(judged, "bits");
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Words are parted by blanks, so what is in them has none. */
int heading_add(char heading[HEADING_SIZE], const char *key, const char *value)
{
    size_t before = strlen(heading), used = before;
    used += (size_t)snprintf(heading + used, HEADING_SIZE - used, " %s=", key);
    for (; *value && used + 4 < HEADING_SIZE; value++) {
        int coded = *value == ' ' || *value == '%', odd = *value > 0 && *value < ' ';
        used += (size_t)snprintf(heading + used, HEADING_SIZE - used, coded ? "%%%02x" : "%c", odd ? '_' : *value);
    }
    if (!*value && used + 1 < HEADING_SIZE)
        return 0;
    heading[before] = 0;
    return -1;
}

int heading_set(char heading[HEADING_SIZE], const char *key, const char *value)
{
    char changed[HEADING_SIZE];
    heading_pair pair;
    int lost = 0;
    const char *at = heading_next(heading, &pair);
    snprintf(changed, sizeof changed, "%.*s", at ? (int)(at - heading) - 1 : 0, heading); /* what is before the first */
    for (; at; at = heading_next(at, &pair))
        lost |= heading_add(changed, pair.key, strcmp(pair.key, key) ? pair.value : value);
    if (!lost)
        memcpy(heading, changed, sizeof changed);
    return lost;
}

/* ---- of one sweep ---------------------------------------------------------------------------- */

static int is_device(const char *word) { return !strncmp(word, "device=", 7); }

int heading_differs(const char *one, const char *other, const char **left, const char **right)
{
    int any_device = heading_claims_bits(one);
    for (*left = one, *right = other;; ++*left, ++*right) {
        size_t length = word_length(*left);
        int same = length == word_length(*right) && !strncmp(*left, *right, length);
        if (!same && !(any_device && is_device(*left) && is_device(*right)))
            return 1;
        *left += length, *right += word_length(*right);
        if (!**left || !**right)
            return **left != **right;
    }
}
