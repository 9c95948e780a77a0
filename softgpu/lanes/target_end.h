/* Ends what target_avx2.h began. */
#if SG_HAS_AVX2 && defined __clang__
#pragma clang attribute pop
#endif
