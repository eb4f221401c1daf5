// Arguments of JavaScript, and errors for it.
#pragma once
#include <napi.h>

#include "platform/failure.h"
#include "run/pixels.h"

namespace polybin {

/** An Error with a code. Throws nothing, not even if the environment closes. */
napi_value errorOf(napi_env, const Failure &);

/** The memory of a typed array. */
struct View {
  uint8_t *data = nullptr;
  size_t bytes = 0;
  /** Elements. */
  size_t length = 0;
  napi_value buffer = nullptr;
};

napi_value numberOf(napi_env, double);

/** An ArrayBuffer with a copy of bytes. */
napi_value bufferOf(napi_env, const void *from, size_t bytes);

/** @throws Failure unless it is a typed array of this type */
View viewOf(napi_env, napi_value, napi_typedarray_type, const char *name);
/** @throws Failure unless it is a whole number from 0 to 2^53 */
uint64_t wholeOf(napi_env, napi_value, const char *name);

/**
 * The bytes of pixels, which must all be there. This is the last check before the memory is read.
 * @throws Failure
 */
Pixels pixelsOf(const View &bytes, uint64_t width, uint64_t height, uint64_t pitch, uint32_t pixelBytes);

/** Runs a call and throws its failures as errors of JavaScript. */
template <typename Made>
auto thrown(Napi::Env env, Made call) {
  try {
    return call();
  } catch (const Napi::Error &) {
    throw;
  } catch (...) {
    throw Napi::Error(env, errorOf(env, failureCaught()));
  }
}

}  // namespace polybin
