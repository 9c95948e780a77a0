/* The CUDA driver, found when the program runs: the system's, or the software device's, which has the same interface.
 */
#ifndef COT_CUDA_DRIVER_H
#define COT_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cotangent.h"

typedef int driver_result; /* 0 is success */

enum { ATTRIBUTE_PROCESSORS = 16, ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 };

typedef struct cuda_driver {
#define DRIVER(name, symbol, parameters) driver_result(*name) parameters;
#include "driver.def"
#undef DRIVER
    bool software;
    int devices;
} cuda_driver;

/* Opens the driver that `device` asks for: "real", "soft", a number (of a GPU), or NULL for a GPU where there is one
 * and else the software device, which `softgpu` names where it is not "". Says COT_UNSUPPORTED where there is none.
 * Drivers stay loaded until the process ends. */
cot_status cot_cuda_driver_open(const char *device, const char *softgpu, cuda_driver *driver, cot_error *error);

/* The driver's name for what it returned, and its number in error->native. `call` names the function, `after` what has
 * happened to the outputs, or is "". */
cot_status cot_cuda_fail(const cuda_driver *driver, driver_result result, const char *call, const char *after,
                         cot_error *error);

#endif
