/* Digests of the spec's clauses, and of any text (FNV-1a). */
#include "clauses.h"

static uint64_t digest_text(uint64_t digest, const char *text)
{
    for (; *text; text++)
        digest = (digest ^ (unsigned char)*text) * 0x100000001b3u;
    return digest;
}

uint64_t text_digest(const char *text) { return digest_text(0xcbf29ce484222325u, text); }

uint64_t clauses_digest(void)
{
    uint64_t digest = text_digest("");
    const clause *c;
    for (int i = 0; (c = clause_at(i)); i++)
        digest = digest_text(digest_text(digest_text(digest, c->id), c->scope), c->text);
    return digest;
}
