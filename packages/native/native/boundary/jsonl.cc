#include "jsonl.h"

#include <algorithm>
#include <memory>

#include "environment.h"
#include "jsonl/read.h"
#include "text.h"
#include "values.h"

namespace polybin {
namespace {

JsonlOf jsonlOf(const Napi::CallbackInfo &info) {
  JsonlOf of;
  const auto keys = info[3].As<Napi::Array>();
  const View parents = viewOf(info.Env(), info[4], napi_uint32_array, "parents");
  const auto *const parent = reinterpret_cast<const uint32_t *>(parents.data);
  const uint32_t fields = keys.Length();
  if (parents.length != fields) throw Failure{"ERR_INTERNAL", "expected a parent of each key"};
  for (uint32_t k = 0; k < fields; k++) {
    if (parent[k] > k) throw Failure{"ERR_INTERNAL", "expected a parent before its fields"};
    const Napi::Value key = keys[k];
    of.fields.push_back({key.As<Napi::String>().Utf8Value(), parent[k]});
  }
  of.columns = wantedOf(info[2], fields);
  for (const Wanted &column : of.columns) {
    if (std::find(parent, parent + fields, column.index + 1) != parent + fields) {
      throw Failure{"ERR_INTERNAL", "expected a column without fields"};
    }
  }
  return of;
}

template <ReadText read>
Napi::Value readJsonlOf(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    const auto threads = static_cast<uint32_t>(wholeOf(info.Env(), info[1], "threads"));
    const auto of = std::make_shared<const JsonlOf>(jsonlOf(info));
    return read(info, threads,
                {[of](const auto *bytes, size_t size, Stopped stopped) { return readJsonl(*of, bytes, size, stopped); },
                 // A newline is in no value.
                 [](const auto *, size_t) { return false; },
                 [of](size_t size, PieceRead &to) { return jsonlSteps(*of, size, to); }});
  });
}

}  // namespace

void defineJsonl(Napi::Env env, Napi::Object exports, Environment &environment) {
  exports.Set("readJsonl", Napi::Function::New(env, readJsonlOf<readPieceOf>, "readJsonl", &environment));
  exports.Set("readJsonlPart", Napi::Function::New(env, readJsonlOf<readPartOf>, "readJsonlPart", &environment));
}

}  // namespace polybin
