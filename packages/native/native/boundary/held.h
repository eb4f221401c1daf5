// JavaScript's memory, held while threads read it.
#pragma once
#include <napi.h>

#include <memory>
#include <vector>

#include "values.h"

namespace polybin {

/**
 * Holds the memory of typed arrays. If an ArrayBuffer is transferred meanwhile, its memory stays valid. Create and
 * release this on the environment's thread.
 */
class Held {
 public:
  explicit Held(napi_env env) : env_(env) {}
  ~Held();
  Held(const Held &) = delete;
  Held &operator=(const Held &) = delete;

  /** Keeps memory that only the addon knows, so that it is not collected. */
  void keep(napi_value array);
  /** The memory of a view. Memory that can shrink, or that this program cannot hold, is copied. @throws std::bad_alloc */
  const uint8_t *hold(napi_value array, const View &);

 private:
  napi_env env_;
  std::vector<napi_ref> arrays_;
  std::vector<std::shared_ptr<void>> memory_;
};

}  // namespace polybin
