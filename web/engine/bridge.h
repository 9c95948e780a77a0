/* What the page's files in C share. Everything that JavaScript may call is marked EXPORT and named web_*; strings that
 * are returned live until the next call that returns one. */
#ifndef COT_WEB_BRIDGE_H
#define COT_WEB_BRIDGE_H

#include "scene.h"
#include "page_text.h"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#define EXPORT EMSCRIPTEN_KEEPALIVE
#else
#define EXPORT
#endif

extern scene web_scene;
text *web_answer(void); /* cleared */
cot_backend *web_reference(void);
cot_error *web_last_error(void);

#endif
