/* The reference behind the protocol, as a program of its own: what emcc makes the WebAssembly backends of. */
#include "serve.h"

int main(void) { return serve("ref", cot_backend_open, NULL, 0, 1); }
