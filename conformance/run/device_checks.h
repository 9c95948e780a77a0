/* The software device's checkers: while a case runs there, every access, race and barrier of its kernels is on trial
 * too. */
#ifndef COT_DEVICE_CHECKS_H
#define COT_DEVICE_CHECKS_H

#include "conformance/judge/judge.h"
#include "softgpu/softgpu.h"

typedef struct device_checks {
    void (*set)(uint32_t checks);
    size_t (*count)(void);
    int (*get)(size_t index, softgpuReport *report);
    void (*clear)(void);
    void (*order)(uint64_t seed); /* of blocks and warps; 0 is the natural one */
} device_checks;

/* A function of the software device's own, in the driver that a backend has loaded, whichever file it came from. 0:
 * there is none. */
int device_function(const char *symbol, void *slot);

/* 0: no software device is loaded. */
int device_checks_find(device_checks *device);

/* Switches all checks on; for a plan that does not claim the spec's bits all but the lint: whether a product may be
 * fused with a sum is its own affair, for the same bits come on every run. */
void device_checks_start(const device_checks *device, int claims_bits);

/* Switches all checks on, where the backend on trial runs on the software device. 0: it does not. */
int device_checks_on(device_checks *device, cot_backend *backend);

/* A report since the last call, for who serves a backend to another process: a code, and what it says. 0: there is
 * none. And what the other process makes of a call that failed with such a code: the verdict of a report. */
int device_checks_report(const device_checks *device, char *message, size_t bytes);
void device_checks_served(verdict *v);

/* A report since the last call fails the case. */
void device_checks_judge(const device_checks *device, verdict *v);

#endif
