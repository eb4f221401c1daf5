// readPages(bytes, numbers, pages, values, bits, counts) -> what was read, or a promise of it
#pragma once
#include <napi.h>

namespace polybin {

class Environment;

void defineParquet(Napi::Env, Napi::Object exports, Environment &);

}  // namespace polybin
