/* Says of PTX files what loading says, a line each: "0 FILE" where all kernels can be had, "1 FILE KERNEL..." with the
 * refused ones, "2 FILE" where the module does not load. */
#include "softgpu/api/api.h"

static char *read_file(const char *name)
{
    static char text[1 << 22];
    FILE *f = fopen(name, "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (!f)
        return NULL;
    fclose(f);
    text[n] = 0;
    return text;
}

static void say_kernels(const char *name, CUmodule m)
{
    int refused = 0;
    for (int i = 0; i < m->nkernels; i++) {
        CUfunction f;
        if (!cuModuleGetFunction(&f, m, m->kernels[i].f->name))
            continue;
        printf(refused++ ? "" : "1 %s", name);
        printf(" %s", m->kernels[i].f->name);
    }
    printf(refused ? "\n" : "0 %s\n", name);
}

int main(int argc, char **argv)
{
    CUcontext c;
    if (cuInit(0) || cuCtxCreate_v2(&c, 0, 0))
        return 1;
    for (int i = 1; i < argc; i++) {
        CUmodule m;
        const char *text = read_file(argv[i]);
        if (!text)
            return 1;
        if (cuModuleLoadData(&m, text)) {
            printf("2 %s\n", argv[i]);
            continue;
        }
        say_kernels(argv[i], m);
        cuModuleUnload(m);
    }
    return 0;
}
