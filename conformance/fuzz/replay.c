/* Inputs that are kept, once more: replay TARGET FILE... */
#include "targets.h"

#include <stdio.h>

enum { MOST = 1 << 20 };

int main(int argc, char **argv)
{
    fuzz_target *target = argc > 1 ? fuzz_find(argv[1]) : NULL;
    uint8_t *data = malloc(MOST);
    if (!target || !data) {
        fprintf(stderr, "usage: replay TARGET FILE...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        FILE *from = fopen(argv[i], "rb");
        if (!from) {
            perror(argv[i]);
            return 2;
        }
        size_t size = fread(data, 1, MOST, from);
        fclose(from);
        printf("%s\n", argv[i]);
        fflush(stdout); /* the last one said is the one that is wrong */
        target(data, size);
    }
    free(data);
    return 0;
}
