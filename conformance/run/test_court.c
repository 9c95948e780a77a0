/* A court opens what a trial needs, or nothing. */
#include "court.h"
#include "conformance/tap/tap.h"

int main(void)
{
    court seat;
    cot_error error;
    plan(NO_PLAN);
    ok(!court_open(&seat, "ref", NULL, "ref", LEVEL_X, &error) && seat.twins[0] && seat.twins[1] && !seat.against,
       "a court for the reference has twins, and nobody to equal but truth");
    court_close(&seat);
    ok(court_open(&seat, "nothing", NULL, NULL, LEVEL_X, &error) && !seat.backend,
       "there is no court for a backend that is not there");
    return done_testing();
}
