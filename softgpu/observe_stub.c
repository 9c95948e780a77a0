#include "observe.h"
#include "initcheck.h"
#include "report.h"
#include "api_proto.h"
bool observer_start(worker *W){(void)W;return true;} void observer_end(worker *W){(void)W;} void observe_cta(worker *W){(void)W;}
void observe_instruction(worker *W, warp *w, const ins *k, u32 m){(void)W;(void)w;(void)k;(void)m;}
void observe_alu(worker *W, warp *w, const ins *k, const u8 *R, u32 m){(void)W;(void)w;(void)k;(void)m;(void)R;}
void observe_access(worker *W, warp *w, const ins *k, const u8 *R, u32 m, const u64 *addr, enum observed_access what){(void)W;(void)w;(void)k;(void)m;(void)R;(void)addr;(void)what;}
void observe_branch(worker *W, warp *w, const ins *k, const u8 *R, u32 active, u32 taken){(void)W;(void)w;(void)k;(void)active;(void)R;(void)taken;}
void observe_barrier(worker *W, warp *w, const ins *k, const u8 *R, u32 m){(void)W;(void)w;(void)k;(void)m;(void)R;}
void observe_spin(worker *W, warp *w, const ins *k){(void)W;(void)w;(void)k;}
void observe_call(worker *W, warp *w, const ins *k, u32 m){(void)W;(void)w;(void)k;(void)m;}
void observe_return(worker *W, warp *w, const call *c, u32 m){(void)W;(void)w;(void)c;(void)m;}
void observe_collective(worker *W, warp *w, const ins *k, u32 m, u32 missing, u32 poisoned){(void)W;(void)w;(void)k;(void)m;(void)missing;(void)poisoned;}
void init_watch(alloc *a){(void)a;} void init_mark(alloc *a, u64 o, u64 s){(void)a;(void)o;(void)s;}
void init_copy(alloc *to, u64 o, const alloc *f, u64 p, u64 s){(void)to;(void)o;(void)f;(void)p;(void)s;}
void init_check_copy(const alloc *a, u64 o, u64 s){(void)a;(void)o;(void)s;}
void report_at(worker *W, const warp *w, const ins *k, u32 lane, u32 check, u64 address, const party *other, const char *format, ...){(void)W;(void)w;(void)k;(void)lane;(void)check;(void)address;(void)other;(void)format;}
void report_plain(u32 check, u64 address, const char *format, ...){(void)check;(void)address;(void)format;}
void report_at_exit(void){} void lint_module(module *m){(void)m;}
uint32_t softgpuParseChecks(const char*t){(void)t;return 0;}
