/* A small TAP 13 producer with the interface of libtap.
 *
 *     plan(3);                                    or plan(NO_PLAN), or plan(SKIP_ALL, "no device")
 *     ok(answer == 42, "the answer");
 *     is(cot_element_name(COT_F16), "f16", "a name");
 *     cmp_ok(n, ">=", 2, "at least two");
 *     skip(!have_device, 2, "no device"); ... two tests ... end_skip;
 *     todo("later"); ... end_todo;
 *     return done_testing();                      the process's exit status
 *
 * Every test takes a printf format for its name; a failure says where it is and what was there, as YAML. */
#ifndef COT_TAP_H
#define COT_TAP_H

#include <stddef.h>

#define NO_PLAN (-1)
#define SKIP_ALL (-2)

#define TAP_HERE __FILE__, __LINE__
#define plan(...) tap_plan(__VA_ARGS__, NULL)
#define ok(...) tap_ok(TAP_HERE, __VA_ARGS__, NULL)
#define pass(...) tap_ok(TAP_HERE, 1, "" __VA_ARGS__)
#define fail(...) tap_ok(TAP_HERE, 0, "" __VA_ARGS__)
#define is(...) tap_is(TAP_HERE, __VA_ARGS__, NULL)
#define isnt(...) tap_isnt(TAP_HERE, __VA_ARGS__, NULL)
#define cmp_ok(...) tap_cmp(TAP_HERE, __VA_ARGS__, NULL)
#define cmp_mem(...) tap_mem(TAP_HERE, __VA_ARGS__, NULL)
#define diag(...) tap_diag("" __VA_ARGS__)
#define note(...) tap_note("" __VA_ARGS__)
// clang-format off
#define skip(test, count, ...) do { if (test) { tap_skip(count, "" __VA_ARGS__); break; }
// clang-format on
#define end_skip \
    } \
    while (0)
#define todo(...) tap_todo("" __VA_ARGS__)
#define end_todo tap_end_todo()
#define BAIL_OUT(...) tap_bail_out("" __VA_ARGS__)
#define done_testing() tap_done()
#define exit_status() tap_exit_status()

/* Behind the macros. A NULL at the end stands in for a name that was left out. */
void tap_plan(int tests, ...);
int tap_ok(const char *file, int line, int test, ...);
int tap_is(const char *file, int line, const char *got, const char *expected, ...);
int tap_isnt(const char *file, int line, const char *got, const char *unexpected, ...);
int tap_cmp(const char *file, int line, long long a, const char *op, long long b, ...);
int tap_mem(const char *file, int line, const void *got, const void *expected, size_t bytes, ...);
int tap_diag(const char *format, ...) __attribute__((format(printf, 1, 2)));
int tap_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tap_skip(int count, const char *reason, ...) __attribute__((format(printf, 2, 3)));
void tap_todo(const char *reason, ...) __attribute__((format(printf, 1, 2)));
void tap_end_todo(void);
void tap_bail_out(const char *reason, ...) __attribute__((format(printf, 1, 2), noreturn));
int tap_done(void);
int tap_exit_status(void);

#endif
