/* Names that the command line knows: what was meant by one that it does not, and all that there are. */
#include "cli.h"
#include "conformance/case/words.h"
#include "conformance/innocent/innocent.h"
#include "conformance/mutant/mutant.h"
#include "conformance/port/adapter.h"

#include <stdio.h>
#include <string.h>

/* ---- suggestions ----------------------------------------------------------------------------- */

static int least(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Levenshtein's distance, for words of up to 31 letters. */
static int distance(const char *a, const char *b)
{
    int row[32];
    int n = (int)strlen(b);
    if (n > 31)
        return n;
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[n];
}

int cli_unknown(const char *kind, const char *given, const char *(*name_at)(int index), const char *how_to_list)
{
    const char *name, *best = NULL;
    int nearest = 3; /* further away is no suggestion */
    for (int i = 0; (name = name_at(i)); i++) {
        int d = strncmp(name, given, strlen(given)) || !*given ? distance(given, name) : 1;
        if (d < nearest)
            nearest = d, best = name;
    }
    if (!best)
        return cli_fail(EXIT_USAGE, "there is no %s \"%s\" (%s)", kind, given, how_to_list);
    return cli_fail(EXIT_USAGE, "there is no %s \"%s\"; did you mean \"%s\"? (%s)", kind, given, best, how_to_list);
}

/* The same, with all names in the list's place. */
static int unknown(const char *kind, const char *given, const char *(*name_at)(int index), const char *more)
{
    char all[1024];
    size_t used = 0;
    *all = 0;
    for (int i = 0; name_at(i) && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", name_at(i));
    if (used < sizeof all)
        snprintf(all + used, sizeof all - used, "%s", more);
    return cli_unknown(kind, given, name_at, all);
}

/* ---- types and conventions ------------------------------------------------------------------- */

const char *cli_op_name(int index)
{
    const cot_op_info *op = cot_op_at((size_t)index);
    return op ? op->name : NULL;
}

static const char *element_name(int index)
{
    return index < 4 ? cot_element_name((cot_element)(COT_F16 + index)) : NULL;
}

int cli_element(const char *name, cot_element *element)
{
    *element = cot_element_find(name);
    return *element ? EXIT_GOOD : unknown("element type", name, element_name, "");
}

static const char *convention_at(int index) { return convention_name((cot_convention)index); }

static const char *policy_name(int index)
{
    const cot_policy_info *policy = cot_policy_at((size_t)index);
    return policy ? policy->name : NULL;
}

static const char *const *values; /* what value_name walks; the command line is parsed by one thread */

static const char *value_name(int index) { return values[index]; }

/* One name=value, `length` characters of the list. */
static int set_policy(const char *pair, size_t length, cot_policies *policies)
{
    char text[64], kind[64];
    snprintf(text, sizeof text, "%.*s", (int)length, pair);
    char *value = strchr(text, '=');
    const cot_policy_info *policy = NULL;
    if (value)
        *value++ = 0;
    if (value && length < sizeof text && !parse_policy(text, value, policies))
        return EXIT_GOOD;
    for (size_t i = 0; (policy = cot_policy_at(i)) && strcmp(policy->name, text) != 0; i++)
        ;
    if (!policy)
        return unknown("policy", text, policy_name, "");
    values = policy->values;
    snprintf(kind, sizeof kind, "value of %s", policy->name);
    return unknown(kind, value ? value : "", value_name, "");
}

int cli_policies(const char *convention, const char *list, cot_policies *policies)
{
    int status = EXIT_GOOD;
    if (convention && parse_convention(convention, policies))
        return unknown("convention", convention, convention_at, "");
    for (const char *pair = list; pair && !status;) {
        size_t length = strcspn(pair, ",\n");
        status = set_policy(pair, length, policies);
        pair = pair[length] ? pair + length + 1 : NULL;
    }
    return status;
}

/* ---- backends -------------------------------------------------------------------------------- */

static const char *backend_name(int index)
{
    static const char *const others[] = { "wasm", "wasm-nosimd", NULL };
    int own = 0, adapters = 0;
    while (cot_backend_builtin((size_t)own))
        own++;
    while (adapter_name(adapters))
        adapters++;
    return index < own                  ? cot_backend_builtin((size_t)index)
           : index < own + adapters     ? adapter_name(index - own)
           : index < own + adapters + 2 ? others[index - own - adapters]
                                        : NULL;
}

static const char *mutant_name(int index) { return mutant_of_all(index) ? mutant_of_all(index)->name : NULL; }

static const char *innocent_name(int index) { return innocent_at(index) ? innocent_at(index)->name : NULL; }

static int is_among(const char *name, const char *(*name_at)(int index))
{
    const char *other;
    for (int i = 0; (other = name_at(i)); i++)
        if (!strcmp(name, other))
            return 1;
    return 0;
}

int cli_known_backend(const char *name)
{
    static const struct {
        const char *prefix, *kind, *list;
        const char *(*name_at)(int index);
    } families[] = {
        { "mutant:", "mutant", "cotangent spec --mutants lists them", mutant_name },
        { "innocent:", "innocent", "cotangent spec --innocents lists them", innocent_name },
    };
    if (!strncmp(name, "process:", 8) || !strncmp(name, "order:", 6) || strchr(name, '/') || !strcmp(name, "cuda")
        || is_among(name, backend_name)) /* cuda may not be built in, and the library says so */
        return EXIT_GOOD;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t prefix = strlen(families[i].prefix);
        if (strncmp(name, families[i].prefix, prefix) != 0)
            continue;
        if (is_among(name + prefix, families[i].name_at))
            return EXIT_GOOD;
        cli_unknown(families[i].kind, name + prefix, families[i].name_at, families[i].list);
        return EXIT_UNUSABLE;
    }
    unknown("backend", name, backend_name,
            ", mutant:NAME, innocent:NAME, order:NAME, process:COMMAND, or a shared "
            "library, which is named with a slash, as in ./port.so");
    return EXIT_UNUSABLE;
}
