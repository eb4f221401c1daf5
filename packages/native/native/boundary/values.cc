#include "values.h"

#include <cstring>

#include <cmath>

namespace polybin {
namespace {

Failure unexpected(const char *name, const char *what) {
  return {"ERR_INTERNAL", std::string("expected ") + what + " for " + name};
}

size_t bytesOf(napi_typedarray_type type) {
  switch (type) {
    case napi_uint8_array:
      return 1;
    case napi_uint32_array:
    case napi_float32_array:
      return 4;
    default:
      return 8;
  }
}

}  // namespace

napi_value errorOf(napi_env env, const Failure &failure) {
  napi_value code = nullptr, message = nullptr, error = nullptr;
  napi_create_string_utf8(env, failure.code.c_str(), failure.code.size(), &code);
  napi_create_string_utf8(env, failure.message.c_str(), failure.message.size(), &message);
  napi_create_error(env, code, message, &error);
  return error;
}

napi_value numberOf(napi_env env, double number) {
  napi_value value = nullptr;
  napi_create_double(env, number, &value);
  return value;
}

napi_value bufferOf(napi_env env, const void *from, size_t bytes) {
  void *data = nullptr;
  napi_value buffer = nullptr;
  if (napi_create_arraybuffer(env, bytes, &data, &buffer) != napi_ok) throw Napi::Error::New(env);
  if (bytes > 0) std::memcpy(data, from, bytes);
  return buffer;
}

View viewOf(napi_env env, napi_value of, napi_typedarray_type type, const char *name) {
  napi_typedarray_type found;
  size_t offset = 0;
  void *data = nullptr;
  View view;
  if (napi_get_typedarray_info(env, of, &found, &view.length, &data, &view.buffer, &offset) != napi_ok ||
      found != type) {
    throw unexpected(name, "an array of another type");
  }
  view.data = static_cast<uint8_t *>(data);
  view.bytes = view.length * bytesOf(type);
  return view;
}

uint64_t wholeOf(napi_env env, napi_value of, const char *name) {
  double number = 0;
  const bool isNumber = napi_get_value_double(env, of, &number) == napi_ok;
  if (!isNumber || !(number >= 0) || number > 9007199254740992.0 || number != std::floor(number)) {
    throw unexpected(name, "a whole number");
  }
  return static_cast<uint64_t>(number);
}

Pixels pixelsOf(const View &bytes, uint64_t width, uint64_t height, uint64_t pitch, uint32_t pixelBytes) {
  const bool isNone = width == 0 || height == 0;
  const unsigned __int128 row = static_cast<unsigned __int128>(width) * pixelBytes;
  const unsigned __int128 needed = isNone ? 0 : static_cast<unsigned __int128>(height - 1) * pitch + row;
  if (needed > bytes.bytes || (height > 1 && pitch < row)) {
    throw Failure{"ERR_INPUT", "expected the bytes of all pixels but the memory is shorter"};
  }
  return {bytes.data, width, height, pitch};
}

}  // namespace polybin
