#include "reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>

#include "platform/failure.h"

namespace polybin {
namespace {

std::string shown(const Napi::Value &value) {
  if (value.IsString()) return "\"" + value.As<Napi::String>().Utf8Value().substr(0, 60) + "\"";
  if (value.IsNumber() || value.IsBoolean() || value.IsUndefined() || value.IsNull()) return value.ToString();
  if (value.IsTypedArray()) return "a typed array of another type";
  if (value.IsBigInt()) return "a bigint";
  return value.IsArray()      ? "an array"
         : value.IsFunction() ? "a function"
         : value.IsObject()   ? "an object"
                              : "a symbol";
}

const char *nameOf(int type) {
  switch (type) {
    case napi_uint8_array: return "a Uint8Array";
    case napi_int32_array: return "an Int32Array";
    case napi_uint32_array: return "a Uint32Array";
    case napi_bigint64_array: return "a BigInt64Array";
    case napi_float32_array: return "a Float32Array";
    case napi_float64_array: return "a Float64Array";
    default: return "a typed array";
  }
}

/** The tag of an object with which a message is kept. */
napi_type_tag tagOf(const char *message) { return {0x706f6c7962696e, std::hash<std::string_view>()(message)}; }

}  // namespace

void Reader::refuse(const std::string &what) const {
  throw Failure{"ERR_INTERNAL", "expected " + what + " for " + name() + " but received " + shown(value_)};
}

std::string Reader::name() const {
  if (of_ == nullptr) return name_;
  return of_->name() + (name_ != nullptr ? std::string(".") + name_ : "[" + std::to_string(i_) + "]");
}

Reader Reader::operator[](const char *name) const {
  if (!value_.IsObject()) refuse("an object");
  return {value_.As<Napi::Object>().Get(name), this, name, 0, held_};
}

Reader Reader::at(uint32_t i) const {
  return {value_.As<Napi::Array>().Get(i), this, nullptr, i, held_};
}

uint32_t Reader::length() const {
  if (!value_.IsArray()) refuse("an array");
  return value_.As<Napi::Array>().Length();
}

double Reader::number(double least, double most) const {
  const double number = value_.IsNumber() ? value_.As<Napi::Number>().DoubleValue() : NAN;
  if (!(number >= least && number <= most) || number != std::trunc(number)) {
    const auto whole = [](double of) { return std::to_string(static_cast<int64_t>(of)); };
    refuse("a whole number from " + whole(least) + " to " + whole(most));
  }
  return number;
}

bool Reader::boolean() const {
  if (!value_.IsBoolean()) refuse("a boolean");
  return value_.As<Napi::Boolean>().Value();
}

std::string Reader::text() const {
  if (!value_.IsString()) refuse("a string");
  return value_.As<Napi::String>().Utf8Value();
}

bool Reader::is(napi_typedarray_type type) const {
  return value_.IsTypedArray() && value_.As<Napi::TypedArray>().TypedArrayType() == type;
}

Napi::TypedArray Reader::typed(napi_typedarray_type type) const {
  if (!is(type)) refuse(nameOf(type));
  return value_.As<Napi::TypedArray>();
}

std::vector<uint32_t> Reader::copied() const {
  size_t length = 0;
  void *data = nullptr;
  const Napi::TypedArray of = typed(napi_uint32_array);
  if (napi_get_typedarray_info(of.Env(), of, nullptr, &length, &data, nullptr, nullptr) != napi_ok) {
    throw Napi::Error::New(of.Env());
  }
  const auto *const words = static_cast<const uint32_t *>(data);
  return {words, words + length};
}

Numbers Reader::numbers() const {
  const bool floats = is(napi_float32_array);
  if (!floats && !is(napi_int32_array)) refuse("an Int32Array or a Float32Array");
  const Bytes of = held_.hold(value_.As<Napi::TypedArray>());
  return {of.data, of.size, floats};
}

Written Reader::written() const {
  const bool doubles = is(napi_float64_array);
  if (!doubles && !is(napi_uint32_array) && !is(napi_uint8_array)) refuse("a Uint32Array, a Float64Array or a Uint8Array");
  const Bytes of = held_.holdWritten(value_.As<Napi::TypedArray>());
  return {const_cast<uint8_t *>(of.data), of.size, doubles};
}

void Reader::copy(void *to, size_t bytes) const {
  const Napi::TypedArray of = typed(napi_uint8_array);
  void *data = nullptr;
  // Napi::TypedArray assumes that its buffer is an ArrayBuffer, but it may be a SharedArrayBuffer.
  if (napi_get_typedarray_info(of.Env(), of, nullptr, nullptr, &data, nullptr, nullptr) != napi_ok) {
    throw Napi::Error::New(of.Env());
  }
  if (of.ByteLength() != bytes) {
    throw Failure{"ERR_INTERNAL", "expected " + std::to_string(bytes) + " bytes for " + name() + " but received " +
                                      std::to_string(of.ByteLength())};
  }
  if (bytes > 0) std::memcpy(to, data, bytes);
}

void Reader::own(Own &to) const {
  const size_t bytes = typed(napi_uint8_array).ByteLength();
  to.size = static_cast<uint32_t>(std::min(bytes, sizeof to.bytes));
  copy(to.bytes, std::min(bytes, sizeof to.bytes));
}

void *Reader::shared(napi_typedarray_type type) const {
  const Napi::TypedArray of = typed(type);
  if (of.ElementLength() == 0 || of.Get("buffer").IsArrayBuffer()) refuse("an element in shared memory");
  return const_cast<uint8_t *>(held_.hold(of).data);
}

void *Reader::keptWith(const char *message) const {
  if (!value_.IsObject()) refuse("an object");
  const napi_type_tag tag = tagOf(message);
  bool is = false;
  void *kept = nullptr;
  if (napi_check_object_type_tag(value_.Env(), value_, &tag, &is) != napi_ok || !is) return nullptr;
  return napi_unwrap(value_.Env(), value_, &kept) == napi_ok ? kept : nullptr;
}

void Reader::keep(const char *message, void *of, napi_finalize free) const {
  const napi_type_tag tag = tagOf(message);
  const napi_env env = value_.Env();
  if (napi_wrap(env, value_, of, free, nullptr, nullptr) != napi_ok) throw Napi::Error::New(env);
  if (napi_type_tag_object(env, value_, &tag) == napi_ok) return;
  napi_remove_wrap(env, value_, nullptr);
  throw Napi::Error::New(env);
}

}  // namespace polybin
