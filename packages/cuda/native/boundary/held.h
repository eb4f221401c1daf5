// JavaScript's memory, held so that work off the main thread may read it.
#pragma once
#include <napi.h>

#include <memory>
#include <vector>

#include "platform/arrays.h"

namespace polybin {

/**
 * Holds the memory of typed arrays, so that JavaScript cannot free it meanwhile. If an ArrayBuffer is transferred, its
 * memory stays valid until then. Create, move and release this on the main thread.
 */
class Held {
 public:
  explicit Held(Napi::Env env) : arrays_(Napi::Persistent(Napi::Array::New(env))) {}
  Held(Held &&) noexcept = default;
  /** To replace a reference can throw, which a move must not. */
  Held &operator=(Held &&) = delete;

  /**
   * The memory of a typed array. Memory that can shrink is copied. If this program cannot hold memory, all memory is
   * copied that is neither shared nor page-locked by the addon.
   */
  Bytes hold(const Napi::TypedArray &);
  /**
   * The same for memory that is written to. If it cannot be held, the work writes to a copy, and `giveBack` copies the
   * data back.
   */
  Bytes holdWritten(const Napi::TypedArray &);
  /**
   * Call this on the main thread after everything is written.
   * @throws Failure ERR_INPUT if an array is shorter than before
   */
  void giveBack() const;

 private:
  /** A copy, and the index of its array. */
  struct Copy {
    uint32_t array;
    const uint8_t *memory;
    size_t size;
  };
  bool isHeld(const Napi::TypedArray &, Bytes &);

  /** Keeps shared buffers, which cannot be transferred, from being collected. */
  Napi::Reference<Napi::Array> arrays_;
  std::vector<std::shared_ptr<void>> memory_;
  std::vector<Copy> copies_;
};

}  // namespace polybin
