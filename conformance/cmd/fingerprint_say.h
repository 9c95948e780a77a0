/* A fingerprint as text, and as one JSON object. */
#ifndef COT_FINGERPRINT_SAY_H
#define COT_FINGERPRINT_SAY_H

#include "conformance/fingerprint/fingerprint.h"

void fingerprint_text(const fingerprint *f, const char *backend, cot_element element);
void fingerprint_json(const fingerprint *f, const char *backend, cot_element element);

#endif
