// Reads the values that JavaScript passes in, and checks the type of each.
#pragma once
#include <napi.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "held.h"
#include "platform/arrays.h"
#include "platform/expect.h"

namespace polybin {

/**
 * A JavaScript value with a name. Every method that reads it @throws Failure ERR_INTERNAL if its type is different. The
 * reader of the enclosing object must outlive this one, because the full name is built only for an error message.
 */
class Reader {
 public:
  Reader(Napi::Value value, const char *name, Held &held) : Reader(value, nullptr, name, 0, held) {}

  /** A property of an object. */
  Reader operator[](const char *name) const;
  /** An element of an array. */
  Reader at(uint32_t i) const;
  /** The length of an array. */
  uint32_t length() const;
  /** Whether the value is neither undefined nor null. */
  bool isThere() const { return !value_.IsUndefined() && !value_.IsNull(); }

  template <typename Whole>
  Whole whole() const {
    using Of = std::numeric_limits<Whole>;
    constexpr double most = 9007199254740991;
    constexpr bool isLong = Of::digits > 53;
    return static_cast<Whole>(number(!Of::is_signed ? 0 : (isLong ? -most : static_cast<double>(Of::min())),
                                     isLong ? most : static_cast<double>(Of::max())));
  }
  template <typename Whole>
  Whole whole(Whole most) const {
    return static_cast<Whole>(number(0, static_cast<double>(most)));
  }
  bool boolean() const;
  std::string text() const;
  /** The memory of a typed array. */
  template <typename Number>
  Array<Number> array() const {
    constexpr bool isByte = sizeof(Number) == 1, isWord = std::is_same_v<Number, uint32_t>;
    static_assert(isByte || isWord || std::is_same_v<Number, double>);
    const Bytes of = held_.hold(typed(isByte ? napi_uint8_array : (isWord ? napi_uint32_array : napi_float64_array)));
    return {reinterpret_cast<const Number *>(of.data), of.size / sizeof(Number)};
  }
  /** The numbers of a Uint32Array. */
  std::vector<uint32_t> copied() const;
  /** The memory of an Int32Array or a Float32Array. */
  Numbers numbers() const;
  /** The memory of an array that is written to. */
  Written written() const;
  /** A struct of `bytes` bytes. Its words must be in their ranges. */
  template <size_t many>
  void packed(void *to, size_t bytes, const std::array<Range, many> &ranges) const {
    copy(to, bytes);
    checkRanges(name(), static_cast<const uint8_t *>(to), ranges.data(), many);
  }
  /** A struct of any size that fits. */
  void own(Own &) const;
  /** The numbers of an array, up to the capacity of `to`. */
  template <uint32_t most>
  void few(Few<most> &to) const {
    to.size = length();
    for (uint32_t i = 0; i < to.size && i < most; i++) to.of[i] = at(i).template whole<uint32_t>();
  }
  /** A message that is read once and then kept with its object. @param message its name */
  template <typename Message>
  std::shared_ptr<const Message> once(const char *message) const {
    using Kept = std::shared_ptr<const Message>;
    if (void *const kept = keptWith(message)) return *static_cast<Kept *>(kept);
    auto made = std::make_shared<Message>();
    read(*this, *made);
    auto own = std::make_unique<Kept>(std::move(made));
    const Kept of = *own;
    keep(message, own.get(), [](napi_env, void *kept, void *) { delete static_cast<Kept *>(kept); });
    own.release();
    return of;
  }
  /** One element in shared memory that is written to. */
  void *shared(napi_typedarray_type) const;

 private:
  /** An element has a null name. */
  Reader(Napi::Value value, const Reader *of, const char *name, uint32_t i, Held &held)
      : value_(value), of_(of), name_(name), i_(i), held_(held) {}

  [[noreturn]] void refuse(const std::string &what) const;
  std::string name() const;
  double number(double least, double most) const;
  Napi::TypedArray typed(napi_typedarray_type) const;
  bool is(napi_typedarray_type) const;
  void copy(void *to, size_t bytes) const;
  /** What `keep` kept with this object for this message; null: nothing. */
  void *keptWith(const char *message) const;
  void keep(const char *message, void *of, napi_finalize free) const;

  Napi::Value value_;
  const Reader *of_;
  const char *name_;
  uint32_t i_;
  Held &held_;
};

}  // namespace polybin
