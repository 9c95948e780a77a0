/* Under which policies a backend can be asked: the spec's, or where it refuses them a framework's. */
#ifndef COT_ASKED_H
#define COT_ASKED_H

#include "core/cotangent.h"

/* Gives the descriptor the policies of the first convention that the backend takes it with. Where it takes it with
 * none, they are the spec's, and the error is what it says of its own convention, as far as that can be told: the first
 * that is not what it said under the spec. */
cot_status asked_under(cot_backend *backend, cot_desc *desc, cot_error *error);

/* The convention with whose policies a descriptor is asked; the spec's for an op that heeds none. */
cot_convention asked_convention(const cot_desc *desc);

#endif
