// The class Context of the addon: one engine's hold on a device.
#pragma once
#include <napi.h>

namespace polybin {

Napi::Function jsContext(Napi::Env);

}  // namespace polybin
