// Calls that return a promise: how they start, and how their results convert to JavaScript.
#pragma once
#include <napi.h>

#include <utility>
#include <vector>

#include "generated/boundary/readers.h"
#include "held.h"
#include "reader.h"
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
  } catch (const Napi::Error &thrown) {
    error = thrown.Value();
  } catch (...) {
    error = errorOf(env, failureCaught());
  }
  const auto deferred = Napi::Promise::Deferred::New(env);
  deferred.Reject(error);
  return deferred.Promise();
}

inline Napi::Value undefined(Napi::Env env, const int &) { return env.Undefined(); }

inline Napi::Value numberOf(Napi::Env env, const uint32_t &id) { return Napi::Number::New(env, id); }

inline Napi::Value millisecondsOf(Napi::Env env, const std::vector<double> &ms) {
  auto list = Napi::Array::New(env, ms.size());
  for (size_t i = 0; i < ms.size(); i++) list.Set(i, ms[i]);
  return list;
}

/** Converts a message from JavaScript (src/border/messages.ts) to its C++ form. @throws Failure */
template <typename Message>
Message readOf(const Reader &of) {
  Message to{};
  read(of, to);
  return to;
}

}  // namespace polybin
