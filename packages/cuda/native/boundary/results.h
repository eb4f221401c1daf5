// Results of calls as JavaScript objects.
#pragma once
#include <napi.h>

#include <algorithm>

#include "promised.h"
#include "run/context.h"

namespace polybin {

/** {kernelMs, uploadMs} */
template <typename Of>
Napi::Object timesOf(Napi::Env env, const Of &of) {
  auto times = Napi::Object::New(env);
  times.Set("kernelMs", of.kernelMs);
  times.Set("uploadMs", of.uploadMs);
  return times;
}

/** {id, kernelMs, uploadMs} */
inline Napi::Value segmentsOf(Napi::Env env, const SegmentsCounted &counted) {
  auto result = timesOf(env, counted);
  result.Set("id", counted.id);
  return result;
}

/** {masked, kernelMs, uploadMs} */
inline Napi::Value cellsOf(Napi::Env env, const JointCounted &counted) {
  auto result = timesOf(env, counted);
  result.Set("masked", static_cast<double>(counted.masked));
  return result;
}

/** {min, max} as order-preserving 64-bit keys */
inline Napi::Value extentOf(Napi::Env env, const Extent &extent) {
  auto result = Napi::Object::New(env);
  result.Set("min", Napi::BigInt::New(env, static_cast<uint64_t>(extent.min)));
  result.Set("max", Napi::BigInt::New(env, static_cast<uint64_t>(extent.max)));
  return result;
}

/** {totals, ms, kernelMs, uploadMs} */
inline Napi::Value sumsOf(Napi::Env env, const Summed &summed) {
  auto totals = Napi::Float64Array::New(env, summed.totals.size());
  std::copy(summed.totals.begin(), summed.totals.end(), totals.Data());
  auto result = timesOf(env, summed);
  result.Set("totals", totals);
  result.Set("ms", millisecondsOf(env, summed.ms));
  return result;
}

}  // namespace polybin
