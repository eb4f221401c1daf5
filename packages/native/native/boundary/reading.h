// A file's content that is read on another thread.
#pragma once
#include <napi.h>

#include <functional>
#include <memory>
#include <optional>

#include "environment.h"
#include "held.h"
#include "values.h"

namespace polybin {

/** What is read on another thread. */
class Reading : public Pending {
 public:
  /** Reads on any thread, and makes a value of it on the environment's. */
  using Read = std::function<void(const std::atomic<uint32_t> *stopped)>;
  using Value = std::function<napi_value(napi_env)>;

  Reading(napi_env env, Environment &environment) : environment_(environment), held_(env) {}

  Held &held() { return held_; }

  /** Starts the call, which deletes itself when it has been settled. */
  static napi_value start(napi_env env, std::unique_ptr<Reading> call, uint32_t threads, Read read, Value value) {
    Reading &own = *call;
    own.reading_ = std::move(read);
    own.value_ = std::move(value);
    napi_value promise = nullptr;
    if (napi_create_promise(env, &own.deferred_, &promise) != napi_ok) throw Napi::Error::New(env);
    own.environment_.add(own);
    try {
      Pool::shared().startOne(own, threads);
    } catch (...) {
      own.environment_.remove(own);
      napi_reject_deferred(env, own.deferred_, errorOf(env, failureCaught()));
      return promise;
    }
    static_cast<void>(call.release());
    return promise;
  }

  void take(uint32_t) noexcept override {
    try {
      reading_(&stopped_);
    } catch (...) {
      failure_ = failureCaught();
    }
  }

  void end() noexcept override { environment_.ended(*this); }

  void settle(napi_env env) override {
    const Napi::HandleScope scope(env);
    try {
      if (failure_) throw Failure(*failure_);
      napi_resolve_deferred(env, deferred_, value_(env));
    } catch (...) {
      napi_reject_deferred(env, deferred_, errorOf(env, failureCaught()));
    }
  }

 private:
  Environment &environment_;
  Held held_;
  Read reading_;
  Value value_;
  std::optional<Failure> failure_;
  napi_deferred deferred_ = nullptr;
};

inline Environment &environmentOf(const Napi::CallbackInfo &info) { return *static_cast<Environment *>(info.Data()); }

}  // namespace polybin
