/* The kernels' PTX, as the page hands it over. */
#ifndef COT_WEB_KERNELS_H
#define COT_WEB_KERNELS_H

const char *kernel_text(const char *name); /* "fold_f32"; NULL where the page has none */

#endif
