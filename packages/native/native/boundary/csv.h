// readCsv(bytes, numbers, columns, nulls) -> what was read, or a promise of it
// readCsvPart(part, numbers, columns, nulls) -> the same for a part of an open file
#pragma once
#include <napi.h>

namespace polybin {

class Environment;

void defineCsv(Napi::Env, Napi::Object exports, Environment &);

}  // namespace polybin
