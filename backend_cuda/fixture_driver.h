/* What a test and the failing driver share. */
#ifndef COT_TEST_FAULTY_H
#define COT_TEST_FAULTY_H

enum { FAULTY_CODE = 214 }; /* CUDA_ERROR_ECC_UNCORRECTABLE */

typedef struct faulty_state {
    int calls, fail_at;                                   /* the call that fails, counted from 1; 0: none */
    int stays;                                            /* and every one after it: a lost context */
    int nameless;                                         /* the driver does not know its own error */
    const char *failed;                                   /* the function that failed */
    int contexts, pushed, modules, allocations, launches; /* taken and not given back; made */
} faulty_state;

#endif
