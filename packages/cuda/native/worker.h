// Work off the main thread, as a promise.
#pragma once
#include <napi.h>

#include <functional>
#include <memory>

#include "failure.h"

namespace polybin {

inline Napi::Error errorOf(Napi::Env env, const Failure &failure) {
  auto error = Napi::Error::New(env, failure.message);
  error.Value().Set("code", failure.code);
  return error;
}

/** Runs `work` off the main thread and settles a promise with what `settle` makes of its result. */
template <typename Result>
class Worker : public Napi::AsyncWorker {
 public:
  using Work = std::function<Result()>;
  using Settle = std::function<Napi::Value(Napi::Env, const Result &)>;

  /** `keepAlive` is not collected before the work is done. */
  static Napi::Promise start(Napi::Env env, const Napi::Object &keepAlive, Work work, Settle settle) {
    auto *const worker = new Worker(env, keepAlive, std::move(work), std::move(settle));
    worker->Queue();
    return worker->deferred_.Promise();
  }

 protected:
  void Execute() override {
    try {
      result_ = work_();
    } catch (const Failure &failure) {
      failure_ = std::make_unique<Failure>(failure);
      SetError(failure.message);
    } catch (const std::bad_alloc &) {
      failure_ = std::make_unique<Failure>(Failure{"ERR_OUT_OF_MEMORY", "the process has no memory left"});
      SetError(failure_->message);
    } catch (const std::exception &error) {
      SetError(error.what());
    }
  }

  void OnOK() override {
    Napi::HandleScope scope(Env());
    deferred_.Resolve(settle_(Env(), result_));
  }

  void OnError(const Napi::Error &error) override {
    Napi::HandleScope scope(Env());
    deferred_.Reject(failure_ ? errorOf(Env(), *failure_).Value() : error.Value());
  }

 private:
  Worker(Napi::Env env, const Napi::Object &keepAlive, Work work, Settle settle)
      : Napi::AsyncWorker(env), deferred_(env), keep_(Napi::Persistent(keepAlive)), work_(std::move(work)),
        settle_(std::move(settle)) {}

  Napi::Promise::Deferred deferred_;
  Napi::ObjectReference keep_;
  Work work_;
  Settle settle_;
  Result result_{};
  std::unique_ptr<Failure> failure_;
};

}  // namespace polybin
