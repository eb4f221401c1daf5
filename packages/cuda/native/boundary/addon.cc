// The boundary between JavaScript and the kernels. The addon copies samples to the device, launches what the plan
// specifies and copies counts back. Every call that returns a promise runs off the main thread.
#include "addon.h"

#include <algorithm>
#include <memory>

#include "js-context.h"
#include "platform/devices.h"
#include "platform/failure.h"
#include "platform/memory.h"
#include "promised.h"
#include "run/checks.h"

namespace polybin {
namespace {

/** devices() -> promise of [{name, …}], or of a string with the reason if there is no device. */
Napi::Value devices(const Napi::CallbackInfo &info) {
  return promised(info, [&](const Reader &, Held &held) {
    return Work<Devices>::start(
        info.Env(), std::move(held), findDevices, [](Napi::Env env, const Devices &found) -> Napi::Value {
          if (!found.why.empty()) return Napi::String::New(env, found.why);
          auto list = Napi::Array::New(env, found.devices.size());
          for (size_t i = 0; i < found.devices.size(); i++) {
            const cudaDeviceProp &of = found.devices[i];
            auto device = Napi::Object::New(env);
            device.Set("name", of.name);
            device.Set("units", of.multiProcessorCount);
            device.Set("warp", of.warpSize);
            device.Set("sharedBytes", static_cast<double>(of.sharedMemPerBlockOptin));
            device.Set("blockThreads", of.maxThreadsPerBlock);
            device.Set("unitThreads", of.maxThreadsPerMultiProcessor);
            device.Set("unitBlocks", of.maxBlocksPerMultiProcessor);
            device.Set("unitSharedBytes", static_cast<double>(of.sharedMemPerMultiprocessor));
            device.Set("reservedBytes", static_cast<double>(of.reservedSharedMemPerBlock));
            device.Set("memoryBytes", static_cast<double>(of.totalGlobalMem));
            device.Set("capability", std::to_string(of.major) + "." + std::to_string(of.minor));
            list.Set(i, device);
          }
          return list;
        });
  });
}

/** memory(device) -> promise of {free, total}, in bytes. */
Napi::Value memory(const Napi::CallbackInfo &info) {
  return promised(info, [&](const Reader &of, Held &held) {
    const auto device = of.whole<uint32_t>();
    checkDevice(device);
    return Work<DeviceMemory>::start(
        info.Env(), std::move(held), [device] { return memoryOf(device); },
        [](Napi::Env env, const DeviceMemory &bytes) -> Napi::Value {
          auto result = Napi::Object::New(env);
          result.Set("free", static_cast<double>(bytes.free));
          result.Set("total", static_cast<double>(bytes.total));
          return result;
        });
  });
}

/**
 * pinned(bytes) -> ArrayBuffer in page-locked memory, from which the device copies at full speed. The memory belongs to
 * the process and not to an engine. It stays allocated as long as the ArrayBuffer lives.
 */
Napi::Value pinned(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  try {
    Held held(env);
    const auto bytes = Reader(info[0], "bytes", held).whole<uint64_t>();
    checkNotLost();
    auto memory = std::make_unique<std::shared_ptr<void>>(takePinned(std::max<uint64_t>(bytes, 1)));
    void *const data = memory->get();
    const auto collected = [](Napi::Env, void *, std::shared_ptr<void> *of) { delete of; };
    const auto buffer = Napi::ArrayBuffer::New(env, data, bytes, collected, memory.get());
    // The ArrayBuffer deletes it.
    static_cast<void>(memory.release());
    return buffer;
  } catch (const Failure &failure) {
    throw Napi::Error(env, errorOf(env, failure));
  }
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
