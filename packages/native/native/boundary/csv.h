// readCsv(bytes, numbers, columns, nulls) -> what was read, or a promise of it
#pragma once
#include <napi.h>

namespace polybin {

class Environment;

Napi::Function defineReadCsv(Napi::Env, Environment &);

}  // namespace polybin
