/* Text inside JSON and XML. */
#include "report.h"

/* Bytes that are not ASCII come from somebody else's message, in an encoding that nobody knows. */
static int readable(char c) { return (unsigned char)c >= 32 && (unsigned char)c < 127; }

void print_json_string(FILE *to, const char *text)
{
    putc('"', to);
    for (; *text; text++)
        *text == '\n'                   ? fputs("\\n", to)
        : !readable(*text)              ? putc('?', to)
        : *text == '"' || *text == '\\' ? fprintf(to, "\\%c", *text)
                                        : putc(*text, to);
    putc('"', to);
}

void print_xml_string(FILE *to, const char *text)
{
    for (; *text; text++)
        *text == '<'   ? fputs("&lt;", to)
        : *text == '>' ? fputs("&gt;", to)
        : *text == '&' ? fputs("&amp;", to)
        : *text == '"' ? fputs("&quot;", to)
                       : putc(readable(*text) || *text == '\n' ? *text : '?', to);
}
