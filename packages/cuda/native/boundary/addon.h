// The addon's exports. src/border/addon.ts declares their types.
#pragma once
#include <napi.h>

namespace polybin {

Napi::Object addonOf(Napi::Env, Napi::Object exports);

/** The class Context: one engine's hold on a device. */
Napi::Function jsContext(Napi::Env);

}  // namespace polybin
