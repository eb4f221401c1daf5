// JavaScript's handles for prepared counts and for counts that stay on the device. Each has a type tag, so that one
// kind is not taken for the other.
#pragma once
#include <napi.h>

#include <memory>
#include <utility>

#include "platform/expect.h"
#include "run/context.h"

namespace polybin {

using JobOf = std::shared_ptr<Job>;
using TotalOf = std::shared_ptr<Total>;
inline constexpr napi_type_tag jobTag = {0x706f6c7962696e, 0x6a6f62}, totalTag = {0x706f6c7962696e, 0x746f74616c};

template <typename Of>
Napi::Value handleOf(Napi::Env env, Of of, const napi_type_tag &tag) {
  auto own = std::make_unique<Of>(std::move(of));
  const auto handle = Napi::External<Of>::New(env, own.get(), [](Napi::Env, Of *of) { delete of; });
  own.release();
  if (napi_type_tag_object(env, handle, &tag) != napi_ok) throw Napi::Error::New(env);
  return handle;
}

/** The object of a handle. @throws Failure */
template <typename Of>
Of &handled(const Napi::Value &of, const napi_type_tag &tag, const char *name) {
  bool is = false;
  if (of.IsExternal()) napi_check_object_type_tag(of.Env(), of, &tag, &is);
  expect(is, name, "what this addon made", 0);
  return *of.As<Napi::External<Of>>().Data();
}

inline JobOf jobOf(const Napi::Value &of) { return handled<JobOf>(of, jobTag, "prepared"); }

/** The total of a handle, which must belong to this job. @throws Failure */
inline TotalOf totalOf(const Napi::Value &of, const Job &job) {
  TotalOf total = handled<TotalOf>(of, totalTag, "total");
  exactly("total.size", total == nullptr ? 0 : total->size, job.size());
  return total;
}

}  // namespace polybin
