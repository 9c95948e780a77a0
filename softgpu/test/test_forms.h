/* Harness of the form tests: an opcode, its operands' types, and a reference that shares no code with the device. */
#ifndef SG_TEST_FORMS_H
#define SG_TEST_FORMS_H

#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/decode/form.h"
#include "softgpu/softgpu.h"
#include <math.h>

/* Operands and result as bits. */
typedef struct operands {
    u64 a, b, c, e;
} operands;
typedef u64 reference(operands o, const void *data);

enum { VALUES = 512 };

/* Runs the opcode on VALUES operands and compares bits. sig is the form's: "w=ww". A second result q of "p|q" is not
 * compared. */
void check_form(const char *opcode, const char *sig, reference *ref, const void *data);
/* ... within so many units in the last place of the result's type, or absolutely */
void check_near(const char *opcode, const char *sig, double (*f)(double), double ulps, double absolute, double low,
                double high);
void mark_form(const char *opcode); /* tested elsewhere in this program */
int forms_untested(void);           /* prints them */

bool open_device(void);
CUfunction build_kernel(const char *ptx, const char *name, CUmodule *m);

/* A kernel of one block, whose threads each leave a word. %r0 is the thread, %d0 and %d1 point to 1024 words
 * i*0x01010101+0x80 and to the results, %d2 and %d3 to the thread's own 8 bytes of them, %r1 to 16 bytes of shared
 * memory `sh`. */
typedef u64 expected(u32 thread);
typedef struct body_case {
    const char *name, *forms; /* forms: those that it tests, with blanks between */
    const char *body;
    unsigned threads;
    expected *want; /* the thread's word of the results */
} body_case;
bool run_body(const char *body, unsigned threads, u64 *result, size_t words);
void check_body(const body_case *c);

u64 random_bits(void);
u64 random_value(char type);

/* Independent arithmetic: the host's own, in the given rounding (0 nearest, 1 zero, 2 down, 3 up). */
u64 nan_of(char type);
double value_of(char type, u64 bits);
u64 bits_of(char type, long double exact, int rounding); /* rounds a value that is exact in long double */

/* Elements of matrices, by the names of their types. */
int bits_of_type(const char *t);
u64 encode_element(const char *t, int v);
int decode_element(const char *t, u64 bits);
int small_element(const char *t); /* a random one */

void test_integer_forms(void);
void test_float_forms(void);
void test_half_forms(void);
void test_compare_forms(void);
void test_convert_forms(void);
void test_approximate_forms(void);
void test_memory_forms(void);
void test_atomic_forms(void);
void test_warp_forms(void);
void test_matrix_forms(void);
void test_group_forms(void);
void test_bulk_forms(void);
void test_more_forms(void);
void test_video_forms(void);

#endif
