/* Module images: fat binaries, and the compressions that their PTX comes in. */
#ifndef SG_IMAGE_H
#define SG_IMAGE_H

#include "softgpu/base/base.h"

enum image_kind { IMAGE_TEXT, IMAGE_FATBIN, IMAGE_ELF };
enum image_kind image_kind(const void *image); /* by its first bytes; a text ends with a zero */

/* The PTX of a fat binary (its container, or the wrapper that points to it) for a device of a capability, such as 80:
 * that of the highest capability which is not above. Text to be freed, or NULL with the reason. */
char *fatbin_ptx(const void *image, int cc, char *why, size_t size);

/* Decoders. They write at most `room` bytes and read at most `n`; the length, or -1 where the bytes are not theirs. */
s64 lz4_decode(const u8 *in, size_t n, u8 *out, size_t room);
s64 zstd_decode(const u8 *in, size_t n, u8 *out, size_t room);

#endif
