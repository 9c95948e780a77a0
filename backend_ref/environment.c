/* A caller may round upwards or flush subnormals; a library built for speed may have switched the whole process.
 * Inside, the environment is the default one, in every thread. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "ref_problem.h"

#include <fenv.h>
#include <string.h>

_Static_assert(sizeof(fenv_t) <= COT_REF_ENVIRONMENT_SIZE, "an environment fits");

void cot_ref_enter(void *saved)
{
    fenv_t environment;
    fegetenv(&environment);
    memcpy(saved, &environment, sizeof environment);
    fesetenv(FE_DFL_ENV);
}

void cot_ref_leave(const void *saved)
{
    fenv_t environment;
    memcpy(&environment, saved, sizeof environment);
    fesetenv(&environment);
}
