#include "jsonl.h"

#include <memory>

#include "environment.h"
#include "jsonl/read.h"
#include "text.h"
#include "values.h"

namespace polybin {
namespace {

JsonlOf jsonlOf(const Napi::CallbackInfo &info) {
  JsonlOf of;
  const auto names = info[3].As<Napi::Array>();
  for (uint32_t k = 0; k < names.Length(); k++) {
    const Napi::Value name = names[k];
    of.names.push_back(name.As<Napi::String>().Utf8Value());
  }
  of.columns = wantedOf(info[2], of.names.size());
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
