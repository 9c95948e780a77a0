/* Matching of whole opcodes against the patterns of the form table. */
#include "form.h"
#include "softgpu/base/softfloat.h"
#include "softgpu/base/mem.h"
#include "softgpu/ptx/ptx.h"

/* Classes of modifiers that patterns name in upper case. */
enum word_class { W_RND, W_IRND, W_SPACE, W_SEM, W_SCOPE, W_CACHE, W_LEVEL, W_VEC, W_BOOL, W_RESULT };
static const char *const class_name[] = { "RND",   "IRND",  "SPACE", "SEM",  "SCOPE",
                                          "CACHE", "LEVEL", "VEC",   "BOOL", "RESULT" };

static const struct {
    const char *word;
    u8 cls, value;
} words[] = {
    { "rn", W_RND, RND_NEAREST },
    { "rz", W_RND, RND_ZERO },
    { "rm", W_RND, RND_DOWN },
    { "rp", W_RND, RND_UP },
    { "rni", W_IRND, RND_NEAREST },
    { "rzi", W_IRND, RND_ZERO },
    { "rmi", W_IRND, RND_DOWN },
    { "rpi", W_IRND, RND_UP },
    { "global", W_SPACE, SP_GLOBAL },
    { "shared", W_SPACE, SP_SHARED },
    { "shared::cta", W_SPACE, SP_SHARED },
    { "shared::cluster", W_SPACE, SP_SHARED },
    { "const", W_SPACE, SP_CONST },
    { "local", W_SPACE, SP_LOCAL },
    { "param", W_SPACE, SP_PARAM },
    { "param::entry", W_SPACE, SP_PARAM },
    { "param::func", W_SPACE, SP_PARAM },
    { "weak", W_SEM, SEM_WEAK },
    { "relaxed", W_SEM, SEM_RELAXED },
    { "acquire", W_SEM, SEM_ACQUIRE },
    { "release", W_SEM, SEM_RELEASE },
    { "acq_rel", W_SEM, SEM_ACQ_REL },
    { "sc", W_SEM, SEM_SC },
    { "volatile", W_SEM, SEM_VOLATILE },
    { "cta", W_SCOPE, 1 },
    { "cluster", W_SCOPE, 2 },
    { "gpu", W_SCOPE, 3 },
    { "sys", W_SCOPE, 4 },
    { "ca", W_CACHE, 1 },
    { "cg", W_CACHE, 2 },
    { "cs", W_CACHE, 3 },
    { "lu", W_CACHE, 4 },
    { "cv", W_CACHE, 5 },
    { "wb", W_CACHE, 6 },
    { "wt", W_CACHE, 7 },
    { "L1::evict_normal", W_LEVEL, 0 },
    { "L1::evict_unchanged", W_LEVEL, 0 },
    { "L1::evict_first", W_LEVEL, 0 },
    { "L1::evict_last", W_LEVEL, 0 },
    { "L1::no_allocate", W_LEVEL, 0 },
    { "L2::evict_normal", W_LEVEL, 0 },
    { "L2::evict_first", W_LEVEL, 0 },
    { "L2::evict_last", W_LEVEL, 0 },
    { "L2::64B", W_LEVEL, 0 },
    { "L2::128B", W_LEVEL, 0 },
    { "L2::256B", W_LEVEL, 0 },
    { "L2::cache_hint", W_LEVEL, 0 },
    { "unified", W_LEVEL, 0 },
    { "mmio", W_LEVEL, 0 },
    { "v2", W_VEC, 2 },
    { "v4", W_VEC, 4 },
    { "v8", W_VEC, 8 },
    { "and", W_BOOL, BOOL_AND },
    { "or", W_BOOL, BOOL_OR },
    { "xor", W_BOOL, BOOL_XOR },
    { "u32", W_RESULT, SET_ONES },
    { "s32", W_RESULT, SET_ONES },
    { "f32", W_RESULT, SET_F32 },
    { "f16", W_RESULT, SET_F16 },
    { "bf16", W_RESULT, SET_BF16 },
    { "u16", W_RESULT, SET_ONES16 },
    { "s16", W_RESULT, SET_ONES16 },
};

/* Literal modifiers that an instruction's behaviour depends on. */
static const struct {
    const char *word;
    u32 flag;
} flag_words[] = {
    { "ftz", F_FTZ },
    { "sat", F_SAT },
    { "relu", F_RELU },
    { "NaN", F_NAN },
    { "xorsign", F_XORSIGN },
    { "cc", F_CC },
    { "approx", F_APPROX },
    { "full", F_FULL },
    { "nc", F_NC },
    { "aligned", F_ALIGNED },
    { "uni", F_UNI },
    { "shiftamt", F_ABS },
    { "satfinite", F_SATFINITE },
    { "trans", F_TRANS },
    { "col", F_COL },
    { "abs", F_ABSOLUTE },
    { "add", F_ACCUMULATE },
};

typedef struct word {
    const char *s;
    int len;
} word;

/* The modifier at *p, which stands at a dot: without the dot, up to the next one or the pattern's punctuation. */
static word next_word(const char **p)
{
    word w = { ++*p, 0 };
    while (**p && !strchr(".[]()|", **p))
        ++*p;
    w.len = (int)(*p - w.s);
    return w;
}

static bool same(word a, word b) { return a.len == b.len && !memcmp(a.s, b.s, (size_t)a.len); }
static bool word_is(word a, const char *s) { return a.s[0] == s[0] && !strncmp(a.s, s, (size_t)a.len) && !s[a.len]; }

static void take(match *m, int cls, u8 value)
{
    switch (cls) {
    case W_RND:
        m->rnd = value;
        m->has_rnd = true;
        break;
    case W_IRND:
        m->irnd = value;
        m->has_rnd = true;
        break;
    case W_SPACE:
        m->space = value;
        m->has_space = true;
        break;
    case W_SEM: m->sem = value; break;
    case W_SCOPE: m->scope = value; break;
    case W_VEC: m->vec = value; break;
    case W_BOOL:
    case W_RESULT: m->combine |= (u8)(cls == W_BOOL ? value : value << 4); break;
    default: break;
    }
}

/* m64nNkK: N is kept in steps of 8, the form's elements say which K there is. */
static bool take_shape(match *m, word w)
{
    int n = 0, k = 0, end = 0;
    char text[16];
    if (w.len > 12)
        return false;
    snprintf(text, sizeof text, "%.*s", w.len, w.s);
    if (sscanf(text, "m64n%dk%d%n", &n, &k, &end) != 2 || end != w.len || n < 8 || n > 256 || n % 8)
        return false;
    m->vec = (u8)(n / 8);
    m->depth = (u16)k;
    return k > 0 && k <= 256;
}

static bool take_class(match *m, word name, word w)
{
    if (word_is(name, "MNK"))
        return take_shape(m, w);
    for (size_t i = 0; i < COUNT(words); i++)
        if (word_is(name, class_name[words[i].cls]) && word_is(w, words[i].word)) {
            take(m, words[i].cls, words[i].value);
            return true;
        }
    return false;
}

static void take_flag(match *m, word w)
{
    for (size_t i = 0; i < COUNT(flag_words); i++)
        if (word_is(w, flag_words[i].word))
            m->flags |= flag_words[i].flag;
}

/* One pattern word at *pattern against the opcode at *op; both move on where they agree. */
static bool match_word(const char **pattern, const char **op, match *m)
{
    word want = next_word(pattern);
    if (**op != '.')
        return false;
    const char *after = *op;
    word have = next_word(&after);
    bool is_class = want.s[0] >= 'A' && want.s[0] <= 'Z' && want.s[1] >= 'A' && want.s[1] <= 'Z';
    if (is_class ? !take_class(m, want, have) : !same(want, have))
        return false;
    if (!is_class)
        take_flag(m, have);
    *op = after;
    return true;
}

static bool match_choice(const char **pattern, const char **op, match *m)
{
    bool found = false;
    do {
        ++*pattern; /* '(' or '|' */
        const char *here = *pattern;
        if (found)
            next_word(&here);
        else
            found = match_word(&here, op, m);
        *pattern = here;
    } while (**pattern == '|');
    ++*pattern; /* ')' */
    return found;
}

static bool match_pattern(const char *pattern, const char *op, match *m)
{
    while (*pattern && *pattern != '.' && *pattern != '[' && *pattern != '(')
        if (*pattern++ != *op++)
            return false;
    while (*pattern) {
        if (*pattern == '[') {
            pattern++;
            match_word(&pattern, &op, m);
            pattern++; /* ']' */
        } else if (*pattern == '(') {
            if (!match_choice(&pattern, &op, m))
                return false;
        } else if (!match_word(&pattern, &op, m)) {
            return false;
        }
    }
    return *op == 0;
}

enum { MAX_WORDS = 16 };
typedef struct opcode_words {
    word list[MAX_WORDS];
    int n;
    u32 used;
} opcode_words;

/* Types keep their order (cvt.u8.s32), and so does what distinguishes one instruction from another (mul.wide). */
static bool is_type(word w)
{
    bool letter = w.len > 1 && strchr("bsufe", w.s[0]), digit = w.len > 1 && w.s[1] >= '0' && w.s[1] <= '9';
    return (letter && digit) || (w.len > 3 && (!strncmp(w.s, "bf16", 4) || !strncmp(w.s, "tf32", 4)));
}

/* Does the j-th word stand before every type that is not used yet? A modifier may move, a type only in front of no
 * other. */
static bool may_use(const opcode_words *o, int j)
{
    for (int i = 0; i < j; i++)
        if (!(o->used >> i & 1) && is_type(o->list[j]) && is_type(o->list[i]))
            return false;
    return !(o->used >> j & 1);
}

/* One pattern word against any word that is left. */
static bool use_word(const char **pattern, opcode_words *o, match *m)
{
    const char *after = *pattern;
    for (int j = 0; j < o->n; j++) {
        const char *here = *pattern, *op = o->list[j].s - 1;
        if (!may_use(o, j) || !match_word(&here, &op, m))
            continue;
        o->used |= 1u << j;
        *pattern = here;
        return true;
    }
    next_word(&after);
    *pattern = after;
    return false;
}

static bool use_choice(const char **pattern, opcode_words *o, match *m)
{
    bool found = false;
    do {
        ++*pattern;
        const char *here = *pattern;
        if (found)
            next_word(&here);
        else
            found = use_word(&here, o, m);
        *pattern = here;
    } while (**pattern == '|');
    ++*pattern;
    return found;
}

/* The pattern's words in any order, as ptxas takes them. */
static bool match_loosely(const char *pattern, opcode_words o, const char *op, match *m)
{
    while (*pattern && *pattern != '.' && *pattern != '[' && *pattern != '(')
        if (*pattern++ != *op++)
            return false;
    while (*pattern) {
        bool optional = *pattern == '[', found;
        pattern += optional;
        found = *pattern == '(' ? use_choice(&pattern, &o, m) : use_word(&pattern, &o, m);
        pattern += optional;
        if (!found && !optional)
            return false;
    }
    return (*op == 0 || *op == '.') && o.used == (1u << o.n) - 1;
}

static match match_any_order(const form_table *t, const char *opcode)
{
    opcode_words o = { .n = 0 };
    for (const char *p = strchr(opcode, '.'); p && *p == '.' && o.n < MAX_WORDS;)
        o.list[o.n++] = next_word(&p);
    for (int i = 0; i < t->count && o.n > 1 && o.n < MAX_WORDS; i++) {
        match m = { .form = &t->forms[i] };
        if (match_loosely(t->forms[i].pattern, o, opcode, &m))
            return m;
    }
    return (match){ 0 };
}

match sg_match(const form_table *t, const char *opcode)
{
    for (int i = 0; i < t->count; i++) {
        match m = { .form = &t->forms[i] };
        if (match_pattern(t->forms[i].pattern, opcode, &m))
            return m;
    }
    return match_any_order(t, opcode);
}

#if SG_HAS_AVX2
extern const form_table sg_forms_avx2;
const form_table *sg_forms(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt")
               ? &sg_forms_avx2
               : &sg_forms_base;
}
#else
const form_table *sg_forms(void) { return &sg_forms_base; }
#endif
