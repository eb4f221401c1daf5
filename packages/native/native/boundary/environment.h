// The calls of an environment of JavaScript (the main thread, or a worker). It closes only when none runs.
#pragma once
#include <napi.h>

#include <condition_variable>
#include <mutex>
#include <unordered_set>

#include "pending.h"

namespace polybin {

class Environment {
 public:
  /** @throws Napi::Error */
  explicit Environment(Napi::Env);
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

  /** Keeps the event loop alive until the call is settled. On the environment's thread. */
  void add(Pending &);
  /** Takes back a call that could not be started. */
  void remove(Pending &);
  /** On any thread: the call has ended, and its promise may be settled. */
  void ended(Pending &);

 private:
  static void settle(napi_env, napi_value, void *context, void *of);
  /** Stops all calls and waits for their ends, because memory of JavaScript is freed afterwards. */
  static void close(void *of);
  void settled(Pending &);

  napi_env env_;
  napi_threadsafe_function settling_ = nullptr;
  std::mutex mutex_;
  std::condition_variable idle_;
  /** Calls that threads work on. */
  std::unordered_set<Pending *> running_;
  /** Calls whose promise is open. */
  uint32_t open_ = 0;
};

}  // namespace polybin
