#include "csv.h"

#include <memory>

#include "csv/read.h"
#include "environment.h"
#include "numbers.h"
#include "text.h"
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
  return {{static_cast<uint8_t>(numbers.separator), static_cast<uint8_t>(numbers.quote), numbers.quote != 0},
          numbers.width,
          numbers.instructions,
          numbers.utf8 != 0,
          wantedOf(info[2], numbers.width),
          NullTexts(nulls.data, nulls.bytes),
          NullTexts(textNulls.data, textNulls.bytes)};
}

template <ReadText read>
Napi::Value readCsvOf(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    const auto numbers = numbersOf<CsvNumbers>(info.Env(), info[1]);
    const auto of = std::make_shared<const CsvOf>(csvOf(info, numbers));
    return read(info, numbers.threads,
                {[of](const auto *bytes, size_t size, Stopped stopped) { return readCsv(*of, bytes, size, stopped); },
                 [of](const auto *bytes, size_t size) { return isQuoteOpen(of->dialect, bytes, size); },
                 [of](size_t size, PieceRead &to) { return csvSteps(*of, size, to); }});
  });
}

}  // namespace

void defineCsv(Napi::Env env, Napi::Object exports, Environment &environment) {
  exports.Set("readCsv", Napi::Function::New(env, readCsvOf<readPieceOf>, "readCsv", &environment));
  exports.Set("readCsvPart", Napi::Function::New(env, readCsvOf<readPartOf>, "readCsvPart", &environment));
}

}  // namespace polybin
