// Work off the main thread, as a promise.
#pragma once
#include <napi.h>

#include <functional>
#include <memory>
#include <utility>

#include "held.h"
#include "platform/failure.h"

namespace polybin {

/** An Error with a code. Throws nothing, not even if the environment closes. */
inline napi_value errorOf(napi_env env, const Failure &failure) {
  napi_value code = nullptr, message = nullptr, error = nullptr;
  napi_create_string_utf8(env, failure.code.c_str(), failure.code.size(), &code);
  napi_create_string_utf8(env, failure.message.c_str(), failure.message.size(), &message);
  napi_create_error(env, code, message, &error);
  return error;
}

/** The JavaScript error of the C++ exception that is being caught. */
inline napi_value errorCaught(napi_env env) {
  try {
    throw;
  } catch (const Napi::Error &thrown) {
    return thrown.Value();
  } catch (...) {
    return errorOf(env, failureCaught());
  }
}

/** Settles a promise with the value that `make` returns, or with the error that it throws. */
template <typename Make>
void settle(napi_env env, napi_deferred deferred, const Make &make) {
  napi_value value = nullptr, error = nullptr;
  try {
    value = make();
  } catch (...) {
    error = errorCaught(env);
  }
  // The results of these calls do not matter: they fail only if the environment closes.
  if (error == nullptr) napi_resolve_deferred(env, deferred, value);
  else napi_reject_deferred(env, deferred, error);
}

/**
 * Runs `work` off the main thread, and settles a promise once with the value that `settle` makes of its result. An
 * exception of either function rejects the promise. If the environment closes, the promise stays open, because no
 * caller waits.
 */
template <typename Result>
class Work {
 public:
  using Run = std::function<Result()>;
  using Settle = std::function<Napi::Value(Napi::Env, const Result &)>;

  /** Releases `held` when the promise has been settled. @throws Napi::Error if the work cannot be started */
  static Napi::Value start(Napi::Env env, Held held, Run run, Settle settle) {
    std::unique_ptr<Work> own(new Work(env, std::move(held), std::move(run), std::move(settle)));
    napi_value promise = nullptr;
    napi_status status = napi_create_promise(env, &own->deferred_, &promise);
    if (status == napi_ok) {
      status = napi_create_async_work(env, nullptr, Napi::String::New(env, "polybin"), execute, complete, own.get(),
                                      &own->work_);
    }
    if (status == napi_ok) status = napi_queue_async_work(env, own->work_);
    if (status != napi_ok) throw Napi::Error::New(env);
    own.release();
    return {env, promise};
  }

  ~Work() {
    if (work_ != nullptr) napi_delete_async_work(env_, work_);
  }
  Work(const Work &) = delete;
  Work &operator=(const Work &) = delete;

 private:
  Work(Napi::Env env, Held held, Run run, Settle settle)
      : env_(env), held_(std::move(held)), run_(std::move(run)), settle_(std::move(settle)) {}

  static void execute(napi_env, void *of) {
    auto *const own = static_cast<Work *>(of);
    try {
      own->result_ = own->run_();
    } catch (...) {
      own->failure_ = std::make_unique<Failure>(failureCaught());
    }
  }

  static void complete(napi_env env, napi_status status, void *of) {
    const std::unique_ptr<Work> own(static_cast<Work *>(of));
    const Napi::HandleScope scope(env);
    if (status == napi_cancelled) own->failure_ = std::make_unique<Failure>(Failure{"ERR_STOPPED", "stopped"});
    settle(env, own->deferred_, [&]() -> napi_value {
      if (own->failure_) throw Failure(*own->failure_);
      own->held_.giveBack();
      return own->settle_(env, own->result_);
    });
  }

  napi_env env_;
  napi_deferred deferred_ = nullptr;
  Held held_;
  Run run_;
  Settle settle_;
  Result result_{};
  std::unique_ptr<Failure> failure_;
  napi_async_work work_ = nullptr;
};

}  // namespace polybin
