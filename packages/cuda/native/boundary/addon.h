// What the addon exports: src/native.ts.
#pragma once
#include <napi.h>

namespace polybin {

Napi::Object addonOf(Napi::Env, Napi::Object exports);

}  // namespace polybin
