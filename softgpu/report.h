/* What the checkers found. */
#ifndef SG_REPORT_H
#define SG_REPORT_H

#include "device.h"

/* The other party of a race. */
typedef struct party { u64 cta; u32 thread; u32 pc; const char *verb; } party;

void report_at(worker *W, const warp *w, const ins *k, u32 lane, u32 check, u64 address, const party *other, const char *format, ...)
    PRINTF_LIKE(8, 9);
void report_plain(u32 check, u64 address, const char *format, ...) PRINTF_LIKE(3, 4);
void report_module(u32 check, const char *kernel_name, int line, const char *format, ...) PRINTF_LIKE(4, 5);
void report_at_exit(void);

/* lint.c */
void lint_module(module *m);

#endif
