// The boundary between JavaScript and the kernels. The addon copies samples to the device, launches what the plan
// specifies and copies counts back. Every call that returns a promise runs off the main thread.
#include "addon.h"

#include <algorithm>
#include <memory>

#include "platform/cuda-errors.h"
#include "platform/devices.h"
#include "platform/memory.h"
#include "promised.h"
#include "run/checks.h"

namespace polybin {
namespace {

/** devices() -> promise of [{name, …}], or of a string with the reason if there is no device. */
Napi::Value devices(const Napi::CallbackInfo &info) {
  return promised(info, [&](const Reader &, Held &held) { return started(info.Env(), std::move(held), findDevices); });
}

/** memory(device) -> promise of {free, total}, in bytes. */
Napi::Value memory(const Napi::CallbackInfo &info) {
  return promised(info, [&](const Reader &of, Held &held) {
    const auto device = of.whole<uint32_t>();
    checkDevice(device);
    return started(info.Env(), std::move(held), [device] { return memoryOf(device); });
  });
}

/**
 * pinned(bytes) -> ArrayBuffer in page-locked memory, from which the device copies at full speed. The memory belongs to
 * the process and not to an engine. It stays allocated as long as the ArrayBuffer lives.
 */
Napi::Value pinned(const Napi::CallbackInfo &info) {
  return thrown(info, [&] {
    Held held(info.Env());
    const auto bytes = Reader(info[0], "bytes", held).whole<uint64_t>();
    checkNotLost();
    auto memory = std::make_unique<std::shared_ptr<void>>(takePinned(std::max<uint64_t>(bytes, 1)));
    void *const data = memory->get();
    const auto collected = [](Napi::Env, void *, std::shared_ptr<void> *of) { delete of; };
    const auto buffer = Napi::ArrayBuffer::New(info.Env(), data, bytes, collected, memory.get());
    // The ArrayBuffer deletes it.
    static_cast<void>(memory.release());
    return buffer;
  });
}

}  // namespace

Napi::Object addonOf(Napi::Env env, Napi::Object exports) {
  exports.Set("Context", jsContext(env));
  exports.Set("devices", Napi::Function::New<devices>(env, "devices"));
  exports.Set("memory", Napi::Function::New<memory>(env, "memory"));
  exports.Set("pinned", Napi::Function::New<pinned>(env, "pinned"));
  return exports;
}

}  // namespace polybin
