#include "cli.h"
static int run(int argc, char **argv) { (void)argc; (void)argv; return 2; }
const cli_command cli_gradcheck = { "gradcheck", "[OP]", "Compares gradients with finite differences", run };
