// Reads what JavaScript hands over: nothing is taken for a type that it does not have.
#pragma once
#include <napi.h>

#include <cstdint>
#include <limits>
#include <string>

#include "../lowering.h"
#include "../source.h"
#include "held.h"

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
    constexpr double least = Of::is_signed ? -most : 0;
    constexpr bool isLong = Of::digits > 53;
    return static_cast<Whole>(number(isLong ? least : static_cast<double>(Of::min()),
                                     isLong ? most : static_cast<double>(Of::max())));
  }
  double real() const;
  bool boolean() const;
  std::string text() const;
  /** A Uint32Array; what is not there has none. */
  Words words() const;
  /** A typed array's. */
  Bytes bytes(napi_typedarray_type) const;
  napi_typedarray_type type() const;
  /** One element in memory that is shared, which is written to. */
  void *shared(napi_typedarray_type) const;

 private:
  /** A null name: an element. */
  Reader(Napi::Value value, const Reader *of, const char *name, uint32_t i, Held &held)
      : value_(value), of_(of), name_(name), i_(i), held_(held) {}

  [[noreturn]] void refuse(const std::string &what) const;
  std::string name() const;
  double number(double least, double most) const;
  Napi::TypedArray array(int type) const;

  Napi::Value value_;
  const Reader *of_;
  const char *name_;
  uint32_t i_;
  Held &held_;
};

}  // namespace polybin
