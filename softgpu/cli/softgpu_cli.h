/* The command. */
#ifndef SG_CLI_H
#define SG_CLI_H

#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"

/* Options that every form of the command shares. */
typedef struct options {
    const char *check, *counters, *report, *format, *trace, *thread, *breaks, *html, *watch, *seed, *threads;
} options;

enum taken { TAKEN_NOT, TAKEN, TAKEN_WRONG };
enum taken take_option(options *o, const char *arg); /* --check=, --counters=, ...; wrong ones with a message */
bool tell_device(const char *name, const char *value, int replace); /* by the environment; false with a message */
bool pass_options(const options *o); /* to the device, by the environment; false with a message */
char *slurp(const char *name);       /* a whole file, NULL with a message where it cannot be read */
int cmd_run(options *o, int argc, char **argv);
int cmd_nvcc(int argc, char **argv);
int run_program(const options *o, char **argv); /* does not return where the program starts */
int cmd_census(int argc, char **argv);

#endif
