// Reads what JavaScript hands over: nothing is taken for a type that it does not have.
#pragma once
#include <napi.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "held.h"
#include "platform/arrays.h"
#include "platform/expect.h"

namespace polybin {

/**
 * A value of JavaScript's by its name. Every way to read it @throws Failure ERR_INTERNAL where it is something else. What
 * it was read of must outlive it: a name is put together only where it is told.
 */
class Reader {
 public:
  Reader(Napi::Value value, const char *name, Held &held) : Reader(value, nullptr, name, 0, held) {}

  /** An object's property. */
  Reader operator[](const char *name) const;
  /** An array's element. */
  Reader at(uint32_t i) const;
  /** Of an array. */
  uint32_t length() const;
  /** Is it neither undefined nor null? */
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
  /** A Uint8Array's memory, a Uint32Array's, or an Int32Array's or Float32Array's. */
  Bytes bytes() const;
  Words words() const;
  Numbers numbers() const;
  /** A Float64Array's memory; a Uint32Array's or a Float64Array's that is written to. */
  Doubles doubles() const;
  Written written() const;
  /** A struct of so many bytes, whose words are in their ranges. */
  template <size_t many>
  void packed(void *to, size_t bytes, const std::array<Range, many> &ranges) const {
    copy(to, bytes);
    checkRanges(name(), static_cast<const uint8_t *>(to), ranges.data(), many);
  }
  /** A struct of any bytes that fit. */
  void own(Own &) const;
  /** An array's numbers, as many as there is room for. */
  template <uint32_t most>
  void few(Few<most> &to) const {
    to.size = length();
    for (uint32_t i = 0; i < to.size && i < most; i++) to.of[i] = at(i).template whole<uint32_t>();
  }
  /** One element in memory that is shared, which is written to. */
  void *shared(napi_typedarray_type) const;

 private:
  /** A null name: an element. */
  Reader(Napi::Value value, const Reader *of, const char *name, uint32_t i, Held &held)
      : value_(value), of_(of), name_(name), i_(i), held_(held) {}

  [[noreturn]] void refuse(const std::string &what) const;
  std::string name() const;
  double number(double least, double most) const;
  Napi::TypedArray array(napi_typedarray_type) const;
  bool is(napi_typedarray_type) const;
  void copy(void *to, size_t bytes) const;

  Napi::Value value_;
  const Reader *of_;
  const char *name_;
  uint32_t i_;
  Held &held_;
};

}  // namespace polybin
