#include "parquet.h"

#include "numbers.h"
#include "parquet/column.h"
#include "reading.h"

namespace polybin {
namespace {

std::vector<PageNumbers> pagesOf(napi_env env, napi_value pages, size_t bytes) {
  const View view = viewOf(env, pages, napi_uint8_array, "pages");
  std::vector<PageNumbers> all(view.bytes / sizeof(PageNumbers));
  if (view.bytes != all.size() * sizeof(PageNumbers)) throw Failure{"ERR_INTERNAL", "expected the numbers of pages"};
  if (!all.empty()) std::memcpy(all.data(), view.data, view.bytes);
  for (const PageNumbers &page : all) {
    if (page.start > page.end || page.end > bytes) throw Failure{"ERR_INTERNAL", "expected the bytes of a page"};
  }
  return all;
}

/** The memory for what is read, and the numbers of values, of those with counts, and of nulls. Null: it was not read. */
napi_value readOf(Napi::Env env, const PagesRead &read) {
  if (!read.isRead) return env.Null();
  auto found = Napi::Array::New(env, 3);
  found.Set(0U, Napi::Number::New(env, read.values));
  found.Set(1U, Napi::Number::New(env, read.counted));
  found.Set(2U, Napi::Number::New(env, read.nulls));
  return found;
}

Napi::Value readPagesOf(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    const napi_env env = info.Env();
    const View bytes = viewOf(env, info[0], napi_uint8_array, "bytes");
    const View values = viewOf(env, info[3], napi_uint8_array, "values");
    const View bits = viewOf(env, info[4], napi_uint8_array, "bits");
    const View counts = viewOf(env, info[5], napi_uint32_array, "counts");
    const PagesTo to{values.data, values.bytes, bits.data, bits.bytes, reinterpret_cast<uint32_t *>(counts.data), counts.length};
    PagesOf of{numbersOf<ParquetNumbers>(env, info[1]), bytes.data, pagesOf(env, info[2], bytes.bytes)};
    const uint32_t threads = of.numbers.threads;
    if (threads == 0) return Napi::Value(env, readOf(env, readPages(of, to, nullptr)));
    auto call = std::make_unique<Reading>(env, environmentOf(info));
    of.bytes = call->held().hold(info[0], bytes);
    for (const size_t i : {3, 4, 5}) call->held().keep(info[i]);
    const auto read = std::make_shared<PagesRead>();
    return Napi::Value(env, Reading::start(
                                env, std::move(call), threads,
                                [=](const auto *stopped) { *read = readPages(of, to, stopped); },
                                [=](napi_env own) { return readOf(own, *read); }));
  });
}

}  // namespace

void defineParquet(Napi::Env env, Napi::Object exports, Environment &environment) {
  exports.Set("readPages", Napi::Function::New(env, readPagesOf, "readPages", &environment));
}

}  // namespace polybin
