// Calls from JavaScript: those that return a promise, and those that throw their errors.
#pragma once
#include <napi.h>

#include <type_traits>
#include <utility>

#include "generated/boundary/readers.h"
#include "held.h"
#include "reader.h"
#include "values.h"
#include "work.h"

namespace polybin {

/** Starts a call with its parsed argument. Errors in the argument reject the promise. */
template <typename Call>
Napi::Value promised(const Napi::CallbackInfo &info, Call call) {
  const Napi::Env env = info.Env();
  napi_value error = nullptr;
  try {
    Held held(env);
    const Reader argument(info[0], "job", held);
    return call(argument, held);
  } catch (...) {
    error = errorCaught(env);
  }
  const auto deferred = Napi::Promise::Deferred::New(env);
  deferred.Reject(error);
  return deferred.Promise();
}

/** A call that returns at once. It throws its errors. */
template <typename Call>
auto thrown(const Napi::CallbackInfo &info, Call call) {
  try {
    return call();
  } catch (...) {
    throw Napi::Error(info.Env(), errorCaught(info.Env()));
  }
}

/** Runs a call off the main thread. Returns a promise of its result as `valueOf` converts it, or of undefined. */
template <typename Run>
Napi::Value started(Napi::Env env, Held held, Run run) {
  using Result = std::invoke_result_t<Run>;
  if constexpr (std::is_void_v<Result>) {
    return Work<int>::start(
        env, std::move(held), [run] { return run(), 0; }, [](Napi::Env env, const int &) { return env.Undefined(); });
  } else {
    return Work<Result>::start(env, std::move(held), std::move(run),
                               [](Napi::Env env, const Result &of) { return valueOf(env, of); });
  }
}

/** Converts an argument to its C++ form: a number, or a message of src/border/messages.ts. @throws Failure */
template <typename Message>
Message readOf(const Reader &of) {
  if constexpr (std::is_same_v<Message, uint32_t>) {
    return of.whole<uint32_t>();
  } else {
    Message to{};
    read(of, to);
    return to;
  }
}

}  // namespace polybin
