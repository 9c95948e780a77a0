/* The judge of a build without MPFR: it says so. */
#include "judge.h"
#include "judge_views.h"

#ifdef COT_WITHOUT_MPFR
const char *judge_unusable(void)
{
    return "results are judged against truth in MPFR, and this build has none: install libmpfr-dev (mpfr.h), then "
           "configure and make again";
}

cot_status judge_case(const court *seat, const test_case *c, verdict *v)
{
    (void)seat, (void)c;
    *v = (verdict){ .failed = 1, .reason = REASON_UNCHECKED };
    return COT_INTERNAL;
}

cot_status judge_views(const cot_desc *desc, const cot_view views[OPERANDS], verdict *v)
{
    (void)desc, (void)views;
    *v = (verdict){ .failed = 1, .reason = REASON_UNCHECKED };
    return COT_INTERNAL;
}

cot_status judge_claimed(const cot_desc *desc, const cot_view views[OPERANDS], cot_order claimed, verdict *v)
{
    (void)claimed;
    return judge_views(desc, views, v);
}

cot_status judge_and_mark(const cot_desc *desc, const cot_view views[OPERANDS], unsigned char *marks[OPERANDS],
                          verdict *v)
{
    (void)marks;
    return judge_views(desc, views, v);
}

void judge_end(void) {}
#endif
