/* Video instructions against sums of their parts, worked out one by one. */
#include "test_forms.h"

typedef struct video_case {
    char name[12], d[4], a[4], b[4];
    bool sat, add;
} video_case;

static s64 part(u64 v, int i, int bits, const char *type)
{
    s64 x = (s64)(v >> bits * i & (((u64)1 << bits) - 1));
    return type[0] == 's' && x >= (s64)1 << (bits - 1) ? x - ((s64)1 << bits) : x;
}

static u64 reference_video(operands o, const void *data)
{
    const video_case *c = data;
    int bits = strchr(c->name, '4') ? 8 : 16;
    s64 least = c->d[0] == 's' ? -((s64)1 << (bits - 1)) : 0, most = ((s64)1 << (bits - (c->d[0] == 's'))) - 1;
    u64 all = 0, sum = o.c;
    for (int i = 0; i < 32 / bits; i++) {
        s64 x = part(o.a, i, bits, c->a), y = part(o.b, i, bits, c->b), r = x > y ? x : y;
        if (!strncmp(c->name, "vadd", 4))
            r = x + y;
        else if (!strncmp(c->name, "vsub", 4))
            r = x - y;
        else if (!strncmp(c->name, "vabs", 4))
            r = x > y ? x - y : y - x;
        else if (!strncmp(c->name, "vmin", 4))
            r = x < y ? x : y;
        r = !c->sat ? r : r < least ? least : r > most ? most : r;
        all |= ((u64)r & (((u64)1 << bits) - 1)) << bits * i;
        sum += (u64)r;
    }
    return c->add ? sum : all;
}

/* Every row of the table, plain, saturated and summed up. */
void test_video_forms(void)
{
    for (int i = 0; i < sg_forms()->count; i++) {
        video_case c = { .sat = false };
        const char *p = sg_forms()->forms[i].pattern;
        if (sscanf(p, "%11[a-z0-9].%3[us32].%3[us32].%3[us32][.sat][.add]", c.name, c.d, c.a, c.b) != 4
            || c.name[0] != 'v' || !strstr(p, "[.add]"))
            continue;
        for (int how = 0; how < 3; how++) {
            char opcode[60];
            c.sat = how == 1;
            c.add = how == 2;
            snprintf(opcode, sizeof opcode, "%s.%s.%s.%s%s", c.name, c.d, c.a, c.b,
                     c.sat   ? ".sat"
                     : c.add ? ".add"
                             : "");
            check_form(opcode, "w=www", reference_video, &c);
        }
    }
}
