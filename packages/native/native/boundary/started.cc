#include "started.h"

#include <algorithm>
#include <cstring>

#include "environment.h"

namespace polybin {

Started::Started(Napi::Env env, Environment &environment, napi_value counts, const View &of)
    : env_(env), environment_(environment), held_(env), counts_(reinterpret_cast<const double *>(of.data), reinterpret_cast<const double *>(of.data) + of.length) {
  if (napi_create_reference(env, counts, 1, &to_) != napi_ok) throw Napi::Error::New(env);
}

Started::~Started() {
  if (to_ != nullptr) napi_delete_reference(env_, to_);
}

napi_value Started::start(std::unique_ptr<Started> call, Make make, Control control) {
  Started &own = *call;
  control.closing = &own.stopped_;
  own.make_ = std::move(make);
  own.count_ = own.make_(own.counts_.data(), control);
  napi_value promise = nullptr;
  if (napi_create_promise(own.env_, &own.deferred_, &promise) != napi_ok) throw Napi::Error::New(own.env_);
  own.environment_.add(own);
  try {
    Pool::shared().start(own, own.count_->threads());
  } catch (...) {
    own.environment_.remove(own);
    napi_reject_deferred(own.env_, own.deferred_, errorOf(own.env_, failureCaught()));
    return promise;
  }
  static_cast<void>(call.release());
  return promise;
}

void Started::take(uint32_t place) noexcept { count_->take(place); }

void Started::end() noexcept {
  count_->conclude();
  environment_.ended(*this);
}

void Started::settle(napi_env env) {
  const Napi::HandleScope scope(env);
  napi_value to = nullptr;
  // The results of these calls do not matter: they fail only if the environment closes.
  if (count_->failure()) {
    napi_reject_deferred(env, deferred_, errorOf(env, *count_->failure()));
    return;
  }
  napi_get_reference_value(env, to_, &to);
  const View into = viewOf(env, to, napi_float64_array, "counts");
  const size_t bytes = std::min(into.bytes, counts_.size() * sizeof(double));
  if (bytes > 0) std::memcpy(into.data, counts_.data(), bytes);
  try {
    if (value_) to = value_(env, *count_);
    else napi_get_undefined(env, &to);
  } catch (...) {
    napi_reject_deferred(env, deferred_, errorOf(env, failureCaught()));
    return;
  }
  napi_resolve_deferred(env, deferred_, to);
}

}  // namespace polybin
