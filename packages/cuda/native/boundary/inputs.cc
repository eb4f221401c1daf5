#include "inputs.h"

#include "platform/expect.h"
#include "run/checks.h"

namespace polybin {

Ready readyOf(napi_env env, const Context &context, napi_value of, napi_value many, const Job &job) {
  double pixels = 0, id = 0;
  const bool isWhole = napi_get_value_double(env, many, &pixels) == napi_ok && pixels >= 0 &&
                       pixels <= limits::U32_MAX * 65536.0 && pixels == static_cast<double>(static_cast<uint64_t>(pixels));
  expect(isWhole, "pixels", "a whole number", 0);
  if (napi_get_value_double(env, of, &id) == napi_ok) {
    expect(id >= 1 && id <= limits::U32_MAX, "resident", "its number", 0);
    return context.resident(static_cast<uint32_t>(id), static_cast<uint64_t>(pixels), job);
  }
  void *data = nullptr;
  size_t bytes = 0;
  napi_typedarray_type type = napi_float64_array;
  const bool isArray = napi_get_typedarray_info(env, of, &type, &bytes, &data, nullptr, nullptr) == napi_ok;
  expect(isArray && type == napi_uint8_array, "input", "a resident's number or a Uint8Array", 0);
  checkFew(static_cast<uint64_t>(pixels), bytes, job.shape);
  return {static_cast<uint64_t>(pixels), nullptr, nullptr, static_cast<const uint8_t *>(data)};
}

double *countsOf(napi_env env, napi_value of, size_t size) {
  void *data = nullptr;
  size_t length = 0;
  napi_typedarray_type type = napi_uint8_array;
  const bool isArray = napi_get_typedarray_info(env, of, &type, &length, &data, nullptr, nullptr) == napi_ok;
  expect(isArray && type == napi_float64_array, "into", "a Float64Array", 0);
  exactly("into.length", length, size);
  return static_cast<double *>(data);
}

}  // namespace polybin
