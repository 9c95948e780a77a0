/* Functions that the device itself has: vprintf, malloc, free, __assertfail. They act lane by lane, in the order of
 * lanes; a kernel that calls one runs its blocks in order. */
#include "observer.h"

enum { TEXT_LIMIT = 4096 };

typedef struct caller {
    worker *W;
    warp *w;
    const ins *k;
    u32 lane;
} caller;

static u8 *thread_memory(const caller *c) { return c->w->local + (size_t)c->lane * c->W->L->local_stride; }

static u8 *local_of(const caller *c) { return thread_memory(c) + frame_base(c->W->L->k, c->w, c->k->func, c->lane); }

/* The i-th argument, from the local memory that the call named. */
static u64 argument(const caller *c, int i)
{
    u64 value = 0;
    const param_copy *in = &c->k->call->in[i];
    if (i < c->k->call->nin)
        memcpy(&value, local_of(c) + in->from, in->size < 8 ? in->size : 8);
    return value;
}

static void give(const caller *c, u64 value)
{
    const param_copy *out = c->k->call->out;
    u8 *at = local_of(c) + out->to;
    if (!c->k->call->nout)
        return;
    memcpy(at, &value, out->size < 8 ? out->size : 8);
    if (c->W->watchers)
        TELL(c->W, local_written, c->w, c->lane, (u32)(at - thread_memory(c)), out->size);
}

/* Host memory behind a generic address, and how many bytes of it there are. */
static const u8 *bytes_at(const caller *c, u64 address, u64 *left)
{
    const launch *L = c->W->L;
    const alloc *a;
    u64 at;
    *left = 0;
    switch (generic_space(address)) {
    case SP_SHARED:
        at = address - SHARED_WINDOW;
        *left = at < c->W->c.shared_size ? c->W->c.shared_size - at : 0;
        return c->W->c.shared + (*left ? at : 0);
    case SP_LOCAL:
        at = address - LOCAL_WINDOW;
        *left = at < L->local_size ? L->local_size - at : 0;
        return thread_memory(c) + (*left ? at : 0);
    case SP_PARAM:
        at = address - PARAM_WINDOW;
        *left = at < L->k->param_size ? L->k->param_size - at : 0;
        return L->params + (*left ? at : 0);
    default:
        a = memory_find(L->mem, address);
        *left = a ? a->size - (address - a->base) : 0;
        return a ? a->host + (address - a->base) : NULL;
    }
}

/* A string of the device, cut at TEXT_LIMIT. False where it leaves its memory. */
static bool read_string(const caller *c, u64 address, char out[TEXT_LIMIT])
{
    u64 left;
    const u8 *p = bytes_at(c, address, &left);
    for (u64 i = 0; i < left; i++) {
        out[i] = (char)p[i];
        if (!out[i])
            return true;
        if (i == TEXT_LIMIT - 2) {
            out[i + 1] = 0;
            return true;
        }
    }
    out[0] = 0;
    return false;
}

static void fault(const caller *c, enum fault f, const char *text)
{
    char where[200];
    describe(c->W, c->w, c->k, c->lane, where, sizeof where);
    raise_fault(c->W, f, "%.100s %s", text, where);
}

/* The arguments of vprintf lie one behind the other, each aligned to its size. */
typedef struct arguments {
    const caller *c;
    u64 address;
    bool good;
} arguments;

static u64 next_argument(arguments *a, u64 size)
{
    u64 value = 0, left;
    a->address = round_up(a->address, size);
    const u8 *p = bytes_at(a->c, a->address, &left);
    a->good = a->good && left >= size;
    if (a->good)
        memcpy(&value, p, (size_t)size);
    a->address += size;
    return value;
}

/* One conversion: "%", flags, width and precision (stars replaced by their arguments), without length and letter. */
typedef struct conversion {
    char spec[40];
    char letter;
    bool is_long;
} conversion;

static const char *read_conversion(const char *f, arguments *a, conversion *v)
{
    int n = 0;
    *v = (conversion){ .spec = "%" };
    for (n = 1, f++; *f && strchr("-+ #0123456789.*", *f) && n < 24; f++) {
        if (*f == '*')
            n += snprintf(v->spec + n, sizeof v->spec - (size_t)n, "%d", (int)(s32)next_argument(a, 4));
        else
            v->spec[n++] = *f;
    }
    v->spec[n] = 0;
    for (; *f && strchr("hlLjzt", *f); f++)
        v->is_long |= *f != 'h';
    v->letter = *f;
    return *f ? f + 1 : f;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int convert(char *out, size_t size, const conversion *v, arguments *a)
{
    char spec[48], text[TEXT_LIMIT];
    const char *length = strchr("diouxX", v->letter) ? "ll" : "";
    if (v->letter == '%')
        return snprintf(out, size, "%%");
    u64 value = next_argument(a, strchr("diouxXc", v->letter) && !v->is_long ? 4 : 8);
    snprintf(spec, sizeof spec, "%s%s%c", v->spec, length, v->letter);
    switch (v->letter) {
    case 'd':
    case 'i': return snprintf(out, size, spec, (long long)(v->is_long ? (s64)value : (s64)(s32)value));
    case 'o':
    case 'u':
    case 'x':
    case 'X': return snprintf(out, size, spec, (unsigned long long)value);
    case 'c': return snprintf(out, size, spec, (int)value);
    case 's': return snprintf(out, size, spec, read_string(a->c, value, text) ? text : "(bad address)");
    case 'p':
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
        spec[strlen(spec) - 1] = 's';
        return snprintf(out, size, spec, text);
    default: return snprintf(out, size, spec, bits_f64(value));
    }
}

static void run_vprintf(const caller *c)
{
    char format[TEXT_LIMIT], out[TEXT_LIMIT];
    size_t n = 0;
    int count = 0;
    arguments a = { c, argument(c, 1), true };
    if (!read_string(c, argument(c, 0), format)) {
        fault(c, FAULT_ADDRESS, "the format of printf lies outside memory");
        return;
    }
    for (const char *f = format; *f && n + 1 < sizeof out && a.good;) {
        conversion v;
        if (*f != '%') {
            out[n++] = *f++;
            continue;
        }
        f = read_conversion(f, &a, &v);
        if (!v.letter || !strchr("diouxXcsp%aAeEfFgG", v.letter))
            continue;
        int wrote = convert(out + n, sizeof out - n, &v, &a);
        n = wrote < 0 ? n : n + (size_t)wrote < sizeof out ? n + (size_t)wrote : sizeof out - 1;
        count += v.letter != '%';
    }
    if (!a.good) {
        fault(c, FAULT_ADDRESS, "the arguments of printf lie outside memory");
        return;
    }
    fwrite(out, 1, n, stdout);
    fflush(stdout);
    give(c, (u64)(u32)count);
}

static void run_malloc(const caller *c)
{
    memory *m = c->W->L->mem;
    u64 size = argument(c, 0);
    alloc *a = size && size <= HEAP_LIMIT - m->heap_used ? memory_alloc(m, size, 16) : NULL;
    if (a) {
        a->in_heap = true;
        m->heap_used += size;
        TELL_DEVICE(m->observers, IS_ON(m->observers), allocated, slot, a);
    }
    give(c, a ? a->base : 0);
}

static void run_free(const caller *c)
{
    memory *m = c->W->L->mem;
    u64 address = argument(c, 0), size;
    const alloc *a = address ? memory_find(m, address) : NULL;
    if (!address)
        return;
    if (!a || !a->in_heap || a->base != address) {
        fault(c, FAULT_ADDRESS, "free of an address that malloc did not give");
        return;
    }
    size = a->size;
    memory_free(m, address);
    m->heap_used -= size;
    memset(c->W->cache, 0, sizeof c->W->cache);
}

static void run_assert(const caller *c)
{
    char message[TEXT_LIMIT], file[TEXT_LIMIT], function[TEXT_LIMIT], text[100];
    u32 t[3];
    const u32 *id = c->W->c.id;
    read_string(c, argument(c, 0), message);
    read_string(c, argument(c, 1), file);
    read_string(c, argument(c, 3), function);
    thread_of(c->W->L, c->w->index * WARP + c->lane, t);
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
            (u32)argument(c, 2), function, id[0], id[1], id[2], t[0], t[1], t[2], message);
    snprintf(text, sizeof text, "assertion `%.70s` failed", message);
    fault(c, FAULT_ASSERT, text);
}

void exec_builtin(worker *W, warp *w, const ins *k, u32 m)
{
    static void (*const run[])(const caller *) = { run_vprintf, run_malloc, run_free, run_assert };
    for (u32 lanes = m; lanes && !W->fault; lanes &= lanes - 1) {
        caller c = { W, w, k, (u32)__builtin_ctz(lanes) };
        run[k->arg](&c);
    }
}
