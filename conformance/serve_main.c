/* The reference behind the protocol, as a program of its own: what emcc makes the WebAssembly backends of. */
#include "serve.h"

static const cot_backend_api *unknown(const char *name)
{
    (void)name;
    return NULL;
}

int main(void)
{
    return serve("ref", unknown, 0, 1);
}
