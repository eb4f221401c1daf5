// Results of calls as values of JavaScript. src/border/addon.ts declares their types.
#pragma once
#include <napi.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "platform/devices.h"
#include "run/context.h"

namespace polybin {

/** An object of numbers. */
inline Napi::Object numbersOf(Napi::Env env, std::initializer_list<std::pair<const char *, double>> numbers) {
  auto object = Napi::Object::New(env);
  for (const auto &[name, number] : numbers) object.Set(name, number);
  return object;
}

/** An array of what `valueOf` makes of each. */
template <typename Of>
Napi::Value listOf(Napi::Env env, const std::vector<Of> &all);

inline Napi::Object timesOf(Napi::Env env, const Times &of) {
  return numbersOf(env, {{"kernelMs", of.kernelMs}, {"uploadMs", of.uploadMs}});
}

inline Napi::Value valueOf(Napi::Env env, double of) { return Napi::Number::New(env, of); }

inline Napi::Value valueOf(Napi::Env env, const SegmentsCounted &of) {
  auto result = timesOf(env, of);
  result.Set("id", of.id);
  return result;
}

inline Napi::Value valueOf(Napi::Env env, const JointCounted &of) {
  auto result = timesOf(env, of);
  result.Set("masked", static_cast<double>(of.masked));
  return result;
}

/** Order-preserving 64-bit keys. */
inline Napi::Value valueOf(Napi::Env env, const Extent &of) {
  auto result = Napi::Object::New(env);
  result.Set("min", Napi::BigInt::New(env, static_cast<uint64_t>(of.min)));
  result.Set("max", Napi::BigInt::New(env, static_cast<uint64_t>(of.max)));
  return result;
}

inline Napi::Value valueOf(Napi::Env env, const Summed &of) {
  auto totals = Napi::Float64Array::New(env, of.totals.size());
  std::copy(of.totals.begin(), of.totals.end(), totals.Data());
  auto result = timesOf(env, of);
  result.Set("totals", totals);
  result.Set("ms", listOf(env, of.ms));
  return result;
}

inline Napi::Value valueOf(Napi::Env env, const cudaDeviceProp &of) {
  const auto bytes = [](size_t many) { return static_cast<double>(many); };
  auto device = numbersOf(env, {{"units", of.multiProcessorCount},
                                {"warp", of.warpSize},
                                {"sharedBytes", bytes(of.sharedMemPerBlockOptin)},
                                {"blockThreads", of.maxThreadsPerBlock},
                                {"unitThreads", of.maxThreadsPerMultiProcessor},
                                {"unitBlocks", of.maxBlocksPerMultiProcessor},
                                {"unitSharedBytes", bytes(of.sharedMemPerMultiprocessor)},
                                {"reservedBytes", bytes(of.reservedSharedMemPerBlock)},
                                {"memoryBytes", bytes(of.totalGlobalMem)}});
  device.Set("name", of.name);
  device.Set("capability", std::to_string(of.major) + "." + std::to_string(of.minor));
  return device;
}

/** The devices, or the reason why there are none. */
inline Napi::Value valueOf(Napi::Env env, const Devices &of) {
  if (!of.why.empty()) return Napi::String::New(env, of.why);
  return listOf(env, of.devices);
}

inline Napi::Value valueOf(Napi::Env env, const DeviceMemory &of) {
  return numbersOf(env, {{"free", static_cast<double>(of.free)}, {"total", static_cast<double>(of.total)}});
}

template <typename Of>
Napi::Value listOf(Napi::Env env, const std::vector<Of> &all) {
  auto list = Napi::Array::New(env, all.size());
  for (size_t i = 0; i < all.size(); i++) list.Set(i, valueOf(env, all[i]));
  return list;
}

}  // namespace polybin
