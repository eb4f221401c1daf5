// The class Context: one engine's hold on a device, as JavaScript has it.
#pragma once
#include <napi.h>

namespace polybin {

Napi::Function jsContext(Napi::Env);

}  // namespace polybin
