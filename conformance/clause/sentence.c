/* The sentences of a clause's text. */
#include "clauses.h"

#include <string.h>

int sentence_length(const char *text)
{
    size_t length = 0;
    while (text[length] && !(text[length] == '.' && text[length + 1] == ' '))
        length++;
    return (int)length + (text[length] == '.');
}

int clause_sentence(const clause *c, const char *begins)
{
    for (const char *at = c->text; *at; at += strspn(at, " ")) {
        if (!strncmp(at, begins, strlen(begins)))
            return (int)(at - c->text);
        at += sentence_length(at);
    }
    return 0;
}
