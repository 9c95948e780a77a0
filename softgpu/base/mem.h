/* The address map and the operations on memory that forms name. */
#ifndef SG_MEM_H
#define SG_MEM_H

#include "base.h"

/* Generic addresses: shared, local and parameter memory each have a window; everything else is global. Device addresses
 * are numbers of this map. Only memory that host and device share (managed, page-locked) has the host's address as its
 * number; it too is reached through its allocation alone. */
#define SHARED_WINDOW 0x00007e0000000000u
#define LOCAL_WINDOW 0x00007e1000000000u
#define PARAM_WINDOW 0x00007e2000000000u
#define WINDOW_SIZE 0x0000001000000000u
/* Functions have addresses, but no bytes behind them. */
#define FUNC_BASE 0x00007e4000000000u
#define FUNC_END 0x00007e8000000000u
#define FUNC_ADDRESS(index) (FUNC_BASE + 16 * ((u64)(index) + 1))
#if UINTPTR_MAX \
    == 0xffffffffu /* a caller may keep a device address in a pointer; WebAssembly's memory ends below this one */
#define GLOBAL_BASE 0x80000000u
#else
#define GLOBAL_BASE 0x00000a0000000000u /* where no program has memory of its own: a copy tells the two apart */
#endif

enum atom_op { AT_ADD, AT_MIN, AT_MAX, AT_AND, AT_OR, AT_XOR, AT_INC, AT_DEC, AT_EXCH, AT_CAS };
enum atom_type {
    AT_U32,
    AT_S32,
    AT_U64,
    AT_S64,
    AT_F32,
    AT_F64,
    AT_F16,
    AT_F16X2,
    AT_BF16,
    AT_BF16X2,
    AT_B16,
    AT_B32,
    AT_B64
};
#define ATOM(op, type) (AT_##op | AT_##type << 8)

enum shfl_mode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum bar_mode { BAR_SYNC, BAR_ARRIVE, BAR_POPC, BAR_AND, BAR_OR, BAR_CLUSTER };
enum stack_op { STACK_ALLOC, STACK_SAVE, STACK_RESTORE };
enum mbarrier_op {
    MB_INIT = 16,
    MB_INVALIDATE,
    MB_ARRIVE,
    MB_ARRIVE_BYTES,
    MB_DROP,
    MB_DROP_BYTES,
    MB_EXPECT,
    MB_COMPLETE,
    MB_WAIT_STATE,
    MB_WAIT_PARITY,
    MB_COPIES, /* the thread's copies are counted and arrive: nothing changes */
    MB_COPIES_ARRIVE
};
enum bulk_op { BULK_LOAD, BULK_STORE, BULK_COMMIT, BULK_WAIT, TENSOR_LOAD, TENSOR_STORE, MAP_REPLACE, MAP_COPY };
enum set_result { SET_ONES, SET_F32, SET_F16, SET_BF16, SET_ONES16 };

/* Loads and stores: bytes of an element, and whether a load extends its sign. */
#define ELEM(size, is_signed) ((size) | (is_signed) << 8)

#endif
