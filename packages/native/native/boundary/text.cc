#include "text.h"

#include <cstring>
#include <memory>

#include "generated/border.h"
#include "numbers.h"
#include "reading.h"
#include "values.h"

namespace polybin {
namespace {

napi_value foundOf(Napi::Env env, const PieceRead &read) {
  if (!read.isRegular) return env.Null();
  auto found = Napi::Array::New(env, 1 + read.columns.size());
  found.Set(0U, Napi::Number::New(env, read.rows));
  for (uint32_t k = 0; k < read.columns.size(); k++) {
    const Column &column = read.columns[k];
    const std::vector<uint8_t> valid = column.valid();
    auto own = Napi::Array::New(env, 6);
    own.Set(0U, Napi::Value(env, bufferOf(env, column.values().data(), column.bytes())));
    own.Set(1U, Napi::Number::New(env, column.nulls()));
    own.Set(2U, valid.empty() ? env.Null() : Napi::Value(env, bufferOf(env, valid.data(), valid.size())));
    const auto set = [&](uint32_t i, const auto &of) {
      own.Set(i, Napi::Value(env, bufferOf(env, of.data(), of.size() * sizeof of[0])));
    };
    if (column.isText()) {
      set(3, column.codes().ends());
      set(4, column.codes().texts());
    } else {
      set(3, column.unread());
      set(4, column.texts());
    }
    if (column.isCounted()) set(5, column.counts());
    else own.Set(5U, env.Null());
    found.Set(1 + k, own);
  }
  return found;
}

/** Where a part lies, whether it may be cut within a record, and its columns. */
napi_value partOf(Napi::Env env, const PartRead &part) {
  auto found = Napi::Array::New(env, 4);
  found.Set(0U, Napi::Number::New(env, static_cast<double>(part.offset)));
  found.Set(1U, Napi::Number::New(env, static_cast<double>(part.bytes)));
  found.Set(2U, Napi::Boolean::New(env, part.isCut));
  found.Set(3U, Napi::Value(env, foundOf(env, part.read)));
  return found;
}

}  // namespace

std::vector<Wanted> wantedOf(const Napi::Value &columns, size_t fields) {
  std::vector<Wanted> wanted;
  const auto all = columns.As<Napi::Array>();
  for (uint32_t k = 0; k < all.Length(); k++) {
    const Napi::Value column = all[k];
    const auto own = numbersOf<TextColumnNumbers>(columns.Env(), column);
    if (own.index >= fields || own.stored > Stored::text || own.digits > 9) {
      throw Failure{"ERR_INTERNAL", "expected a column of the text"};
    }
    wanted.push_back({own.index, own.stored, {static_cast<int>(own.digits), own.zone != 0}, own.counted != 0});
  }
  return wanted;
}

Napi::Value readPieceOf(const Napi::CallbackInfo &info, uint32_t threads, const ReadsPieces &of) {
  const napi_env env = info.Env();
  const View view = viewOf(env, info[0], napi_uint8_array, "bytes");
  const auto counted = [of](const uint8_t *bytes, size_t size, Stopped stopped) {
    PieceRead read = of.read(bytes, size, stopped);
    if (read.isRegular) read.count();
    return read;
  };
  if (threads == 0) return Napi::Value(env, foundOf(env, counted(view.data, view.bytes, nullptr)));
  auto call = std::make_unique<Reading>(env, environmentOf(info));
  const uint8_t *const bytes = call->held().hold(info[0], view);
  const auto read = std::make_shared<PieceRead>();
  return Napi::Value(env, Reading::start(
                              env, std::move(call), threads,
                              [=, size = view.bytes](Stopped stopped) { *read = counted(bytes, size, stopped); },
                              [=](napi_env own) { return foundOf(own, *read); }));
}

Napi::Value readPartOf(const Napi::CallbackInfo &info, uint32_t threads, const ReadsPieces &of) {
  const napi_env env = info.Env();
  const View view = viewOf(env, info[0], napi_float64_array, "part");
  if (view.length != 5) throw Failure{"ERR_INTERNAL", "expected the numbers of a part"};
  const auto *const place = reinterpret_cast<const double *>(view.data);
  const auto whole = [&](size_t i) { return wholeOf(env, numberOf(env, place[i]), "part"); };
  const PartOf part{static_cast<int>(whole(0)), whole(1), whole(2), whole(3), whole(4)};
  // A part and its tail are read at once.
  if (part.partBytes == 0 || part.partBytes > limits::TEXT_MOST_BYTES) throw Failure{"ERR_INTERNAL", "expected a part"};
  if (threads == 0) return Napi::Value(env, partOf(env, readPart(part, of, nullptr)));
  const auto read = std::make_shared<PartRead>();
  return Napi::Value(env, Reading::start(
                              env, std::make_unique<Reading>(env, environmentOf(info)), threads,
                              [=](Stopped stopped) { *read = readPart(part, of, stopped); },
                              [=](napi_env own) { return partOf(own, *read); }));
}

}  // namespace polybin
