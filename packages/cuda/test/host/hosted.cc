// The addon of the tests: the real boundary over the host's runtime, with hooks for the tests.
#include <napi.h>

#include <new>
#include <stdexcept>
#include <string>

#include "boundary/addon.h"
#include "boundary/work.h"
#include "hooks.h"

#define backingStoreOf backingStoreOfV8
// The one file whose function is needed under another name.
#include "boundary/backing-store.cc"  // NOLINT(bugprone-suspicious-include)
#undef backingStoreOf

namespace polybin {

/** Simulates a program that does not export the functions that hold memory, if a test requests it. */
BackingStore backingStoreOf(napi_value arrayBuffer) {
  return hooks().holdsMemory ? backingStoreOfV8(arrayBuffer) : BackingStore{nullptr, false};
}

}  // namespace polybin

namespace {

void fail(Napi::Env env, const std::string &how) {
  if (how == "an error of JavaScript's") throw Napi::RangeError::New(env, "too long");
  if (how == "a failure") throw polybin::Failure{"ERR_LIMIT", "too much"};
  if (how == "no memory") throw std::bad_alloc();
  if (how == "an exception") throw std::runtime_error("odd");
  if (how == "something else") throw 1;
}

/**
 * settle(work, result) -> promise of "fine". `work` is the error that the work throws, and `result` is the error of the
 * conversion. "" throws none.
 */
Napi::Value settle(const Napi::CallbackInfo &info) {
  const std::string work = info[0].ToString(), result = info[1].ToString();
  return polybin::Work<int>::start(
      info.Env(), polybin::Held(info.Env()), [work] { return fail(nullptr, work), 0; },
      [result](Napi::Env env, const int &) -> Napi::Value {
        fail(env, result);
        return Napi::String::New(env, "fine");
      });
}

Napi::Object load(Napi::Env env, Napi::Object exports) {
  using Napi::CallbackInfo;
  const auto set = [&](const char *name, auto call) { exports.Set(name, Napi::Function::New(env, call, name)); };
  set("settle", settle);
  set("closeGate", [](const CallbackInfo &) { hooks().close(); });
  set("openGate", [](const CallbackInfo &) { hooks().open(); });
  set("waiting", [](const CallbackInfo &info) { return Napi::Number::New(info.Env(), hooks().waitingNow()); });
  set("holdsMemory", [](const CallbackInfo &info) { hooks().holdsMemory = info[0].ToBoolean(); });
  set("onMainThread", [](const CallbackInfo &info) { return Napi::Number::New(info.Env(), hooks().onMainThread); });
  return polybin::addonOf(env, exports);
}

}  // namespace

static Napi::Object loadHosted(Napi::Env env, Napi::Object exports) { return load(env, exports); }
NODE_API_MODULE(polybin_host, loadHosted)
