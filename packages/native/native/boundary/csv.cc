#include "csv.h"

#include <cstring>
#include <functional>
#include <memory>
#include <optional>

#include "csv/part.h"
#include "csv/read.h"
#include "environment.h"
#include "held.h"
#include "numbers.h"
#include "values.h"

namespace polybin {
namespace {

CsvOf csvOf(const Napi::CallbackInfo &info, const CsvNumbers &numbers) {
  const napi_env env = info.Env();
  const View nulls = viewOf(env, info[3], napi_uint8_array, "nulls");
  const View textNulls = viewOf(env, info[4], napi_uint8_array, "nulls");
  const auto isPlain = [](uint32_t byte) { return byte < 0x80 && byte != '\n' && byte != '\r'; };
  if (numbers.width == 0 || numbers.separator == 0 || !isPlain(numbers.separator) || !isPlain(numbers.quote) ||
      numbers.separator == numbers.quote) {
    throw Failure{"ERR_INTERNAL", "expected a dialect of CSV"};
  }
  CsvOf of{{static_cast<uint8_t>(numbers.separator), static_cast<uint8_t>(numbers.quote), numbers.quote != 0},
           numbers.width,
           numbers.instructions,
           numbers.utf8 != 0,
           {},
           NullTexts(nulls.data, nulls.bytes),
           NullTexts(textNulls.data, textNulls.bytes)};
  const auto columns = info[2].As<Napi::Array>();
  for (uint32_t k = 0; k < columns.Length(); k++) {
    const Napi::Value column = columns[k];
    const auto own = numbersOf<CsvColumnNumbers>(env, column);
    if (own.index >= numbers.width || own.stored > Stored::text || own.digits > 9) {
      throw Failure{"ERR_INTERNAL", "expected a column of CSV"};
    }
    of.columns.push_back({own.index, own.stored, {static_cast<int>(own.digits), own.zone != 0}});
  }
  return of;
}

napi_value bufferOf(napi_env env, const void *from, size_t bytes) {
  void *data = nullptr;
  napi_value buffer = nullptr;
  if (napi_create_arraybuffer(env, bytes, &data, &buffer) != napi_ok) throw Napi::Error::New(env);
  if (bytes > 0) std::memcpy(data, from, bytes);
  return buffer;
}

napi_value foundOf(Napi::Env env, const CsvRead &read) {
  if (!read.isRegular) return env.Null();
  auto found = Napi::Array::New(env, 1 + read.columns.size());
  found.Set(0U, Napi::Number::New(env, read.rows));
  for (uint32_t k = 0; k < read.columns.size(); k++) {
    const Column &column = read.columns[k];
    const std::vector<uint8_t> valid = column.valid();
    auto own = Napi::Array::New(env, 5);
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

/** What is read on another thread. */
class Reading : public Pending {
 public:
  /** Reads on any thread, and makes a value of it on the environment's. */
  using Read = std::function<void(const std::atomic<uint32_t> *stopped)>;
  using Value = std::function<napi_value(napi_env)>;

  Reading(napi_env env, Environment &environment) : environment_(environment), held_(env) {}

  Held &held() { return held_; }

  /** Starts the call, which deletes itself when it has been settled. */
  static napi_value start(napi_env env, std::unique_ptr<Reading> call, uint32_t threads, Read read, Value value) {
    Reading &own = *call;
    own.reading_ = std::move(read);
    own.value_ = std::move(value);
    napi_value promise = nullptr;
    if (napi_create_promise(env, &own.deferred_, &promise) != napi_ok) throw Napi::Error::New(env);
    own.environment_.add(own);
    try {
      Pool::shared().startOne(own, threads);
    } catch (...) {
      own.environment_.remove(own);
      napi_reject_deferred(env, own.deferred_, errorOf(env, failureCaught()));
      return promise;
    }
    static_cast<void>(call.release());
    return promise;
  }

  void take(uint32_t) noexcept override {
    try {
      reading_(&stopped_);
    } catch (...) {
      failure_ = failureCaught();
    }
  }

  void end() noexcept override { environment_.ended(*this); }

  void settle(napi_env env) override {
    const Napi::HandleScope scope(env);
    try {
      if (failure_) throw Failure(*failure_);
      napi_resolve_deferred(env, deferred_, value_(env));
    } catch (...) {
      napi_reject_deferred(env, deferred_, errorOf(env, failureCaught()));
    }
  }

 private:
  Environment &environment_;
  Held held_;
  Read reading_;
  Value value_;
  std::optional<Failure> failure_;
  napi_deferred deferred_ = nullptr;
};

Environment &environmentOf(const Napi::CallbackInfo &info) { return *static_cast<Environment *>(info.Data()); }

Napi::Value readCsvOf(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    const napi_env env = info.Env();
    const View view = viewOf(env, info[0], napi_uint8_array, "bytes");
    const auto numbers = numbersOf<CsvNumbers>(env, info[1]);
    const auto of = std::make_shared<const CsvOf>(csvOf(info, numbers));
    if (numbers.threads == 0) return Napi::Value(env, foundOf(env, readCsv(*of, view.data, view.bytes, nullptr)));
    auto call = std::make_unique<Reading>(env, environmentOf(info));
    const uint8_t *const bytes = call->held().hold(info[0], view);
    const auto read = std::make_shared<CsvRead>();
    return Napi::Value(env, Reading::start(
                                env, std::move(call), numbers.threads,
                                [=, size = view.bytes](const auto *stopped) { *read = readCsv(*of, bytes, size, stopped); },
                                [=](napi_env own) { return foundOf(own, *read); }));
  });
}

Napi::Value readCsvPartOf(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    const napi_env env = info.Env();
    const View view = viewOf(env, info[0], napi_float64_array, "part");
    if (view.length != 5) throw Failure{"ERR_INTERNAL", "expected the numbers of a part"};
    const auto *const place = reinterpret_cast<const double *>(view.data);
    const auto whole = [&](size_t i) { return wholeOf(env, numberOf(env, place[i]), "part"); };
    const PartOf part{static_cast<int>(whole(0)), whole(1), whole(2), whole(3), whole(4)};
    // A part and its tail are read at once.
    if (part.partBytes == 0 || part.partBytes > limits::CSV_MOST_BYTES) throw Failure{"ERR_INTERNAL", "expected a part"};
    const auto numbers = numbersOf<CsvNumbers>(env, info[1]);
    const auto of = std::make_shared<const CsvOf>(csvOf(info, numbers));
    if (numbers.threads == 0) return Napi::Value(env, partOf(env, readPart(*of, part, nullptr)));
    const auto read = std::make_shared<PartRead>();
    return Napi::Value(env, Reading::start(
                                env, std::make_unique<Reading>(env, environmentOf(info)), numbers.threads,
                                [=](const auto *stopped) { *read = readPart(*of, part, stopped); },
                                [=](napi_env own) { return partOf(own, *read); }));
  });
}

}  // namespace

void defineCsv(Napi::Env env, Napi::Object exports, Environment &environment) {
  exports.Set("readCsv", Napi::Function::New(env, readCsvOf, "readCsv", &environment));
  exports.Set("readCsvPart", Napi::Function::New(env, readCsvPartOf, "readCsvPart", &environment));
}

}  // namespace polybin
