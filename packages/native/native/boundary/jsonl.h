// readJsonl(bytes, threads, columns, names) -> what was read, or a promise of it
// readJsonlPart(part, threads, columns, names) -> the same for a part of an open file
#pragma once
#include <napi.h>

namespace polybin {

class Environment;

void defineJsonl(Napi::Env, Napi::Object exports, Environment &);

}  // namespace polybin
