#include "environment.h"

#include <memory>

namespace polybin {

Environment::Environment(Napi::Env env) : env_(env) {
  const napi_value name = Napi::String::New(env, "polybin");
  const napi_status status = napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, this,
                                                             settle, &settling_);
  if (status != napi_ok || napi_unref_threadsafe_function(env, settling_) != napi_ok ||
      napi_add_env_cleanup_hook(env, close, this) != napi_ok) {
    throw Napi::Error::New(env);
  }
}

void Environment::add(Pending &call) {
  const std::lock_guard lock(mutex_);
  running_.insert(&call);
  if (open_++ == 0) napi_ref_threadsafe_function(env_, settling_);
}

void Environment::remove(Pending &call) {
  {
    const std::lock_guard lock(mutex_);
    running_.erase(&call);
  }
  settled(call);
}

void Environment::ended(Pending &call) {
  const napi_status status = napi_call_threadsafe_function(settling_, &call, napi_tsfn_nonblocking);
  const std::lock_guard lock(mutex_);
  // Nobody settles it after the environment has closed: it frees itself with the environment's memory.
  static_cast<void>(status);
  running_.erase(&call);
  idle_.notify_all();
}

void Environment::settle(napi_env env, napi_value, void *context, void *of) {
  const std::unique_ptr<Pending> call(static_cast<Pending *>(of));
  auto *const own = static_cast<Environment *>(context);
  {
    // The thread that ended the call may still be in `ended`.
    std::unique_lock lock(own->mutex_);
    own->idle_.wait(lock, [&] { return own->running_.count(call.get()) == 0; });
  }
  // A closing environment has no values.
  if (env == nullptr) return;
  own->settled(*call);
  call->settle(env);
}

void Environment::settled(Pending &) {
  if (--open_ == 0) napi_unref_threadsafe_function(env_, settling_);
}

void Environment::close(void *of) {
  auto *const own = static_cast<Environment *>(of);
  std::unique_lock lock(own->mutex_);
  for (Pending *const call : own->running_) call->stop();
  own->idle_.wait(lock, [&] { return own->running_.empty(); });
}

}  // namespace polybin
