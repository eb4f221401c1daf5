#include "csv.h"

#include <cstring>
#include <optional>

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
  const auto isPlain = [](uint32_t byte) { return byte < 0x80 && byte != '\n' && byte != '\r'; };
  if (numbers.width == 0 || numbers.separator == 0 || !isPlain(numbers.separator) || !isPlain(numbers.quote) ||
      numbers.separator == numbers.quote) {
    throw Failure{"ERR_INTERNAL", "expected a dialect of CSV"};
  }
  CsvOf of{{static_cast<uint8_t>(numbers.separator), static_cast<uint8_t>(numbers.quote), numbers.quote != 0},
           numbers.width,
           numbers.instructions,
           {},
           NullTexts(nulls.data, nulls.bytes)};
  const auto columns = info[2].As<Napi::Array>();
  for (uint32_t k = 0; k < columns.Length(); k++) {
    const Napi::Value column = columns[k];
    const auto own = numbersOf<CsvColumnNumbers>(env, column);
    if (own.index >= numbers.width || own.stored > Stored::time || own.digits > 9) {
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
  auto found = Napi::Array::New(env, 2 + read.columns.size());
  found.Set(0U, Napi::Boolean::New(env, read.isAscii));
  found.Set(1U, Napi::Number::New(env, read.rows));
  for (uint32_t k = 0; k < read.columns.size(); k++) {
    const Column &column = read.columns[k];
    const std::vector<uint8_t> valid = column.valid();
    auto own = Napi::Array::New(env, 4);
    own.Set(0U, Napi::Value(env, bufferOf(env, column.values().data(), column.bytes())));
    own.Set(1U, Napi::Number::New(env, column.nulls()));
    own.Set(2U, valid.empty() ? env.Null() : Napi::Value(env, bufferOf(env, valid.data(), valid.size())));
    own.Set(3U, Napi::Value(env, bufferOf(env, column.unread().data(), column.unread().size() * sizeof(Unread))));
    found.Set(2 + k, own);
  }
  return found;
}

/** A piece that is read on another thread. */
class Reading : public Pending {
 public:
  Reading(napi_env env, Environment &environment, CsvOf of) : environment_(environment), held_(env), of_(std::move(of)) {}

  static napi_value start(napi_env env, std::unique_ptr<Reading> call, napi_value bytes, const View &view,
                          uint32_t threads) {
    Reading &own = *call;
    own.size_ = view.bytes;
    own.bytes_ = own.held_.hold(bytes, view);
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
      read_ = readCsv(of_, bytes_, size_, &stopped_);
    } catch (...) {
      failure_ = failureCaught();
    }
  }

  void end() noexcept override { environment_.ended(*this); }

  void settle(napi_env env) override {
    const Napi::HandleScope scope(env);
    try {
      if (failure_) throw Failure(*failure_);
      napi_resolve_deferred(env, deferred_, foundOf(env, read_));
    } catch (...) {
      napi_reject_deferred(env, deferred_, errorOf(env, failureCaught()));
    }
  }

 private:
  Environment &environment_;
  Held held_;
  const CsvOf of_;
  const uint8_t *bytes_ = nullptr;
  size_t size_ = 0;
  CsvRead read_;
  std::optional<Failure> failure_;
  napi_deferred deferred_ = nullptr;
};

Napi::Value readCsvOf(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    const napi_env env = info.Env();
    const View bytes = viewOf(env, info[0], napi_uint8_array, "bytes");
    const auto numbers = numbersOf<CsvNumbers>(env, info[1]);
    CsvOf of = csvOf(info, numbers);
    if (numbers.threads == 0) return Napi::Value(env, foundOf(env, readCsv(of, bytes.data, bytes.bytes, nullptr)));
    auto call = std::make_unique<Reading>(env, *static_cast<Environment *>(info.Data()), std::move(of));
    return Napi::Value(env, Reading::start(env, std::move(call), info[0], bytes, numbers.threads));
  });
}

}  // namespace

Napi::Function defineReadCsv(Napi::Env env, Environment &environment) {
  return Napi::Function::New(env, readCsvOf, "readCsv", &environment);
}

}  // namespace polybin
