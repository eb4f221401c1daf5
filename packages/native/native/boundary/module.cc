// The entry point through which Node loads the addon: once for each thread of JavaScript.
#include <napi.h>

#include "csv.h"
#include "environment.h"
#include "jsonl.h"
#include "parquet.h"
#include "platform/instructions.h"
#include "prepared.h"

static Napi::Object load(Napi::Env env, Napi::Object exports) {
  // The environment frees it.
  auto *const environment = new polybin::Environment(env);
  env.SetInstanceData<polybin::Environment>(environment);
  exports.Set("Counter", polybin::Counter::define(env, *environment));
  exports.Set("Cells", polybin::CellsCounter::define(env, *environment));
  polybin::defineCsv(env, exports, *environment);
  polybin::defineJsonl(env, exports, *environment);
  polybin::defineParquet(env, exports, *environment);
  exports.Set("instructions", Napi::Number::New(env, static_cast<double>(polybin::widest())));
  return exports;
}
NODE_API_MODULE(polybin_native, load)
