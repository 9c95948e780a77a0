/* What the checkers found. */
#ifndef SG_FINDINGS_H
#define SG_FINDINGS_H

#include "softgpu/exec/device.h"
#include "softgpu/softgpu.h"

/* The other party of a race. */
typedef struct party {
    u64 cta;
    u32 thread;
    u32 pc;
    const char *verb;
} party;

/* A report of an instruction in a lane; the place is added to the text. */
void report_as(int severity, worker *W, const warp *w, const ins *k, u32 lane, u32 check, u64 address,
               const party *other, const char *format, ...) PRINTF_LIKE(9, 10);
#define report_at(...) report_as(SOFTGPU_ERROR, __VA_ARGS__)
void report_plain(u32 check, u64 address, const char *format, ...) PRINTF_LIKE(3, 4);
void report_module(u32 check, const char *kernel_name, int line, const char *format, ...) PRINTF_LIKE(4, 5);
/* A report that was put together elsewhere; its strings are copied. */
void add_report(const softgpuReport *r);
/* "in k at PTX line 7 (a.cu:3)": the place of an instruction without its thread. */
void place_of(const kernel *k, const ins *i, char *text, size_t size);
void set_source(const kernel *k, const ins *i, const char **file, int *line);
const char *severity_name(int severity);
bool reports_lost(void);      /* was there no memory for one? */
void set_report_log(bool on); /* prints each new report to stderr */

#endif
