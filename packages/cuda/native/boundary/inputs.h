// Inputs and outputs of calls that read no messages.
#pragma once
#include <node_api.h>

#include <cstddef>

#include "run/context.h"

namespace polybin {

/** Samples that a call can count at once: a resident by its number, or the bytes of a Uint8Array. @throws Failure */
Ready readyOf(napi_env env, const Context &context, napi_value of, napi_value pixels, const Job &job);

/** The memory of a Float64Array with `size` elements. @throws Failure */
double *countsOf(napi_env env, napi_value of, size_t size);

}  // namespace polybin
