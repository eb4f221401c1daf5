// Promises that a context's own thread settles.
#pragma once
#include <napi.h>

#include <memory>

#include "held.h"
#include "run/context.h"

namespace polybin {

/**
 * The promises of one context's calls: each is settled, once, several at a time. While there are some the event loop goes
 * on, and `owner` is not collected. An environment that closes waits for what the device is at, and settles nothing.
 */
class Answers {
 public:
  /** @throws Napi::Error */
  Answers(Napi::Env, Context &, Napi::Reference<Napi::Object> &owner);
  ~Answers();
  Answers(const Answers &) = delete;

  /** Counts a batch; a promise of its counts, those of one input behind those of the other. @throws Napi::Error */
  Napi::Value of(std::unique_ptr<Batch>);
  /**
   * The same of what goes piece by piece: a promise of {counts, kernelMs, uploadMs}. `held`, which keeps what is read, is
   * let go of when the promise is settled. @throws Napi::Error
   */
  Napi::Value of(const CountNow &, const Control *, Held held, std::unique_ptr<Batch>);
  /** Settles what is over, sooner than the event loop is woken. Are others under way? */
  bool look(Napi::Env);

 private:
  static void onClose(void *);
  static void onTold(napi_env, napi_value, void *of, void *);
  Napi::Value promiseOf(Batch &, std::optional<Held>);
  void settle(Napi::Env);
  void release();

  napi_env env_;
  Context &context_;
  Napi::Reference<Napi::Object> &owner_;
  napi_threadsafe_function told_ = nullptr;
  uint32_t open_ = 0;
};

}  // namespace polybin
