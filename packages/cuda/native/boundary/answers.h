// Promises that a context's own thread settles.
#pragma once
#include <napi.h>

#include <memory>

#include "run/calls.h"

namespace polybin {

/**
 * The promises of one context's calls: each is settled, once, several at a time. While there are some the event loop goes
 * on, and `owner` is not collected. An environment that closes waits for what the device is at, and settles nothing.
 */
class Answers {
 public:
  /** @throws Napi::Error */
  Answers(Napi::Env, Calls &, Napi::Reference<Napi::Object> &owner);
  ~Answers();
  Answers(const Answers &) = delete;

  /** Counts a batch; a promise of its counts, those of one input behind those of the other. @throws Napi::Error */
  Napi::Value of(std::unique_ptr<Batch>);

 private:
  static void onClose(void *);
  static void onTold(napi_env, napi_value, void *of, void *);
  void settle(Napi::Env);
  void release();

  napi_env env_;
  Calls &calls_;
  Napi::Reference<Napi::Object> &owner_;
  napi_threadsafe_function told_ = nullptr;
  uint32_t open_ = 0;
};

}  // namespace polybin
