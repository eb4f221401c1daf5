// JavaScript's memory, as work off the main thread may read it.
#pragma once
#include <napi.h>

#include <memory>
#include <vector>

#include "platform/arrays.h"

namespace polybin {

/**
 * Holds memory of typed arrays, so that nothing JavaScript does meanwhile takes it away: an ArrayBuffer that is
 * transferred leaves its memory behind for as long. Made, moved and let go of on the main thread.
 */
class Held {
 public:
  explicit Held(Napi::Env env) : arrays_(Napi::Persistent(Napi::Array::New(env))) {}
  Held(Held &&) noexcept = default;
  /** To replace a reference can throw, which a move must not. */
  Held &operator=(Held &&) = delete;

  /**
   * The memory of a typed array. What can be made smaller is copied; and where this program cannot hold memory, all that
   * is neither shared nor page-locked memory of ours.
   */
  Bytes hold(const Napi::TypedArray &);
  /** The same of memory that is written to: into a copy of what cannot be held, which `giveBack` copies back. */
  Bytes holdWritten(const Napi::TypedArray &);
  /** On the main thread, when all is written. @throws Failure ERR_INPUT where an array is shorter than it was */
  void giveBack() const;

 private:
  /** A copy, and which of the arrays it is of. */
  struct Copy {
    uint32_t array;
    const uint8_t *memory;
    size_t size;
  };
  bool isHeld(const Napi::TypedArray &, Bytes &);

  /** Keeps what is shared, which cannot be transferred, from being collected. */
  Napi::Reference<Napi::Array> arrays_;
  std::vector<std::shared_ptr<void>> memory_;
  std::vector<Copy> copies_;
};

}  // namespace polybin
