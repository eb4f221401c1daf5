// Promises that a context's own thread settles.
#pragma once
#include <napi.h>

#include <memory>

#include "held.h"
#include "run/context.h"

namespace polybin {

/**
 * The promises of one context's calls. Each is settled once, and several may be settled at a time. While a promise is
 * open, the event loop stays alive and `owner` is not collected. A closing environment waits for the device's current
 * work and settles nothing.
 */
class Answers {
 public:
  /** @throws Napi::Error */
  Answers(Napi::Env, Context &, Napi::Reference<Napi::Object> &owner);
  ~Answers();
  Answers(const Answers &) = delete;

  /**
   * Counts a batch. Returns a promise of its counts: the counts of the inputs follow each other in order.
   * @throws Napi::Error
   */
  Napi::Value of(std::unique_ptr<Batch>);
  /**
   * The same for a call that is counted piece by piece. Returns a promise of {counts, kernelMs, uploadMs}. `held` keeps
   * the memory that is read, and is released when the promise is settled.
   * @throws Napi::Error
   */
  Napi::Value of(const CountJob &, Held held, std::unique_ptr<Batch>);
  /** Settles finished calls before the event loop is woken. Returns whether other calls are under way. */
  bool look(Napi::Env);

 private:
  static void onClose(void *);
  static void onTold(napi_env, napi_value, void *of, void *);
  Napi::Value promiseOf(Batch &, std::optional<Held>);
  void settleAll(Napi::Env);
  void release();

  napi_env env_;
  Context &context_;
  Napi::Reference<Napi::Object> &owner_;
  napi_threadsafe_function told_ = nullptr;
  uint32_t open_ = 0;
};

}  // namespace polybin
