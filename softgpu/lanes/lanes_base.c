/* The lane functions for any processor. */
#define SG_VARIANT base
#include "lanes.inc"
