/* The lane functions and the table of forms, compiled once per instruction set: SG_VARIANT names the compilation. */
#include "lanes.h"
#include "ptx.h"
#include "lanes_int.h"
#include "mem.h"

#include "lanes_int.inc"
#include "lanes_float.inc"
#include "lanes_cvt.inc"

#define H(name) f16_##name
#define WIDE h2f
#define NARROW f2h
#define HALF_FMT (&FMT_F16)
#include "lanes_half.inc"
#undef H
#undef WIDE
#undef NARROW
#undef HALF_FMT

#define H(name) bf16_##name
#define WIDE g2f
#define NARROW f2g
#define HALF_FMT (&FMT_BF16)
#include "lanes_half.inc"

#define ROW(pattern, sig, cls, kind, fn, flagged, arg) { pattern, sig, CL_##cls, K_##kind, fn, flagged, arg },
static const form forms[] = {
#include "forms.def"
};

#define JOIN(a, b) a##b
#define NAMED(v) JOIN(sg_forms_, v)
#define TEXT(v) #v
#define STRING(v) TEXT(v)
extern const form_table NAMED(SG_VARIANT);
const form_table NAMED(SG_VARIANT) = { STRING(SG_VARIANT), forms, COUNT(forms) };
