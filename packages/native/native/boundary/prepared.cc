#include "prepared.h"

#include <algorithm>
#include <vector>

#include "environment.h"
#include "numbers.h"
#include "run/cell-sums.h"
#include "run/count.h"
#include "run/extent.h"
#include "run/segments.h"
#include "started.h"

namespace polybin {
namespace {

std::unique_ptr<const Job> jobOf(napi_env env, napi_value numbers, napi_value low, napi_value high) {
  const View lows = viewOf(env, low, napi_uint32_array, "low");
  const View highs = viewOf(env, high, napi_uint32_array, "high");
  const auto words = [](const View &of) { return of.length == 0 ? nullptr : reinterpret_cast<uint32_t *>(of.data); };
  const auto of = numbersOf<JobNumbers>(env, numbers);
  return std::make_unique<const Job>(LoweringNumbers{of, words(lows), words(highs), lows.length});
}

/** The array of counts, which must have room for all. */
View countsOf(napi_env env, napi_value of, size_t length) {
  const View counts = viewOf(env, of, napi_float64_array, "counts");
  if (counts.length < length) throw Failure{"ERR_INTERNAL", "expected room for all counts"};
  return counts;
}

/** Words in shared memory: whether the call was aborted, nothing, and the pixels that were counted. */
Control controlOf(napi_env env, const Napi::Value &of, Held &held) {
  if (of.IsNull()) return {};
  const View shared = viewOf(env, of, napi_uint32_array, "watch");
  if (shared.length < 4) throw Failure{"ERR_INTERNAL", "expected four words to watch"};
  held.hold(of, shared);
  Control control;
  control.aborted = reinterpret_cast<std::atomic<uint32_t> *>(shared.data);
  control.done = reinterpret_cast<std::atomic<uint64_t> *>(shared.data + 8);
  return control;
}

/** Counts on this thread and others. */
void run(Pieces &count) {
  Pool::shared().run(count, count.threads() - 1);
  count.conclude();
  if (count.failure()) throw Failure(*count.failure());
}

/** Samples and the array for their counts. */
struct Samples {
  View bytes, counts;
  Pixels pixels;

  Samples(const Napi::CallbackInfo &info, const Job &job, size_t length)
      : bytes(viewOf(info.Env(), info[0], napi_uint8_array, "bytes")),
        counts(countsOf(info.Env(), info[4], length)),
        pixels(pixelsOf(bytes, wholeOf(info.Env(), info[1], "width"), wholeOf(info.Env(), info[2], "height"),
                        wholeOf(info.Env(), info[3], "pitch"), job.pixelBytes)) {}
};

/** The memory of rows, which JavaScript does not see before they are complete. */
Rows rowsOf(const Napi::CallbackInfo &info, uint64_t counts, uint64_t flow, Held &held) {
  Rows rows{};
  const auto to = [&](const Napi::Value &of, uint64_t length, uint32_t *&words, double *&doubles) {
    if (of.IsNull()) return;
    const auto array = of.As<Napi::TypedArray>();
    const bool isWide = array.TypedArrayType() == napi_float64_array;
    const View view = viewOf(info.Env(), of, isWide ? napi_float64_array : napi_uint32_array, "rows");
    if (view.length < length) throw Failure{"ERR_INTERNAL", "expected room for all rows"};
    held.keep(of);
    if (isWide) doubles = reinterpret_cast<double *>(view.data);
    else words = reinterpret_cast<uint32_t *>(view.data);
  };
  to(info[8], counts, rows.counts, rows.wideCounts);
  to(info[9], flow, rows.flow, rows.wideFlow);
  return rows;
}

/** Columns and the array for the counts of their cells. They are held if the count runs off this thread. */
struct Columns {
  CellsOf of;
  View counts;

  Columns(const Napi::CallbackInfo &info, const Cells &job)
      : counts(countsOf(info.Env(), info[5], size_t{job.numbers.cells} + 1)) {
    const napi_env env = info.Env();
    const View geometry = viewOf(env, info[1], napi_float64_array, "geometry");
    const size_t inputs = job.columns.size() + (job.numbers.mask == Mask::none ? 0 : 1);
    if (geometry.length < 3 * inputs) throw Failure{"ERR_INTERNAL", "expected the geometry of each column"};
    const auto *const numbers = reinterpret_cast<const double *>(geometry.data);
    of.samples = wholeOf(env, info[4], "samples");
    const auto pixelsAt = [&](napi_value bytes, size_t k, uint32_t pixelBytes) {
      const View view = viewOf(env, bytes, napi_uint8_array, "bytes");
      const auto number = [&](size_t i) { return static_cast<uint64_t>(numbers[3 * k + i]); };
      return pixelsOf(view, number(0), number(1), number(2), pixelBytes);
    };
    const auto bytes = info[0].As<Napi::Array>();
    for (size_t k = 0; k < job.columns.size(); k++) {
      const Napi::Value column = bytes[static_cast<uint32_t>(k)];
      of.columns.push_back(pixelsAt(column, k, job.columns[k]->pixelBytes));
    }
    of.mask = {nullptr, 0, 0, 0};
    if (job.numbers.mask != Mask::none) of.mask = pixelsAt(info[2], job.columns.size(), 1);
    of.where = nullptr;
    if (!info[3].IsNull()) {
      const View where = viewOf(env, info[3], napi_uint32_array, "where");
      if (where.length < of.samples) throw Failure{"ERR_INTERNAL", "expected an index for each sample"};
      of.where = reinterpret_cast<const uint32_t *>(where.data);
    }
  }

  /** Replaces the memory by what is held. */
  void hold(const Napi::CallbackInfo &info, Held &held) {
    const auto held_ = [&](napi_value array, napi_typedarray_type type) {
      return held.hold(array, viewOf(info.Env(), array, type, "an input"));
    };
    const auto bytes = info[0].As<Napi::Array>();
    for (uint32_t k = 0; k < of.columns.size(); k++) {
      const Napi::Value column = bytes[k];
      of.columns[k].data = held_(column, napi_uint8_array);
    }
    if (!info[2].IsNull()) of.mask.data = held_(info[2], napi_uint8_array);
    if (!info[3].IsNull()) of.where = reinterpret_cast<const uint32_t *>(held_(info[3], napi_uint32_array));
  }
};

/** The weights and the segments of a call. They are held. */
WeightedOf weightedOf(const Napi::CallbackInfo &info, CellsOf of, Held &held) {
  const napi_env env = info.Env();
  WeightedOf all{std::move(of), {}, info[8].ToBoolean(), nullptr};
  const Pixels &pixels = all.cells.columns.front();
  const auto columns = info[7].As<Napi::Array>();
  for (uint32_t k = 0; k < columns.Length(); k++) {
    const Napi::Value column = columns[k];
    const bool isWide = column.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array;
    const View weights = viewOf(env, column, isWide ? napi_float64_array : napi_float32_array, "weights");
    if (weights.length < pixels.width * pixels.height) throw Failure{"ERR_INTERNAL", "expected a weight for each pixel"};
    all.columns.push_back({held.hold(column, weights), isWide});
  }
  if (all.columns.empty()) throw Failure{"ERR_INTERNAL", "expected a column of weights"};
  if (info[9].IsNull()) return all;
  auto rows = std::make_shared<SegmentRows>();
  rows->numbers = numbersOf<SegmentsNumbers>(env, info[9]);
  const View offsets = viewOf(env, info[10], napi_float64_array, "offsets");
  const auto *const numbers = reinterpret_cast<const double *>(offsets.data);
  rows->offsets.assign(numbers, numbers + offsets.length);
  rows->first = wholeOf(env, info[11], "first");
  if (rows->numbers.cut == Cut::offsets && offsets.length != rows->numbers.count + 1) {
    throw Failure{"ERR_INTERNAL", "expected the offsets of segments"};
  }
  all.rows = std::move(rows);
  return all;
}

/** A Float64Array of these numbers. */
napi_value arrayOf(napi_env env, const std::vector<double> &numbers) {
  auto array = Napi::Float64Array::New(env, numbers.size());
  std::copy(numbers.begin(), numbers.end(), array.Data());
  return array;
}

/** What a count tells: a number alone takes less time than an array of it. */
napi_value toldOf(napi_env env, const Count &of) {
  const std::vector<double> &told = of.told();
  return told.size() == 1 ? numberOf(env, told.front()) : arrayOf(env, told);
}

/** The counts of all channels. */
size_t countsIn(const Job &job) { return size_t{job.channelCount} * job.cells(); }

/** What the promise of a count resolves with. */
template <typename Made>
Started::Value valueOf() {
  if constexpr (!std::is_same_v<Made, Count>) return {};
  else return [](napi_env env, Pieces &of) { return toldOf(env, static_cast<Count &>(of)); };
}

}  // namespace

Napi::Function Counter::define(Napi::Env env, Environment &environment) {
  return DefineClass(env, "Counter",
                     {InstanceMethod<&Counter::countSync>("countSync"), InstanceMethod<&Counter::count>("count"),
                      InstanceMethod<&Counter::extentSync>("extentSync"), InstanceMethod<&Counter::extent>("extent"),
                      InstanceMethod<&Counter::countFile>("countFile"),
                      InstanceMethod<&Counter::extentFile>("extentFile"),
                      InstanceMethod<&Counter::segments>("segments")},
                     &environment);
}

Counter::Counter(const Napi::CallbackInfo &info)
    : Napi::ObjectWrap<Counter>(info), environment_(*static_cast<Environment *>(info.Data())) {
  thrown(info.Env(), [&] { job_ = jobOf(info.Env(), info[0], info[1], info[2]); });
}

Napi::Value Counter::countSync(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    const Samples of(info, *job_, countsIn(*job_));
    Count count(*job_, of.pixels, reinterpret_cast<double *>(of.counts.data));
    run(count);
    return Napi::Value(info.Env(), toldOf(info.Env(), count));
  });
}

void Counter::extentSync(const Napi::CallbackInfo &info) {
  thrown(info.Env(), [&] {
    const Samples of(info, *job_, 2);
    Extent extent(*job_, of.pixels, reinterpret_cast<double *>(of.counts.data));
    run(extent);
  });
}

Napi::Value Counter::extent(const Napi::CallbackInfo &info) { return start<Extent>(info, 2); }

Napi::Value Counter::count(const Napi::CallbackInfo &info) {
  return start<Count>(info, countsIn(*job_));
}

Napi::Value Counter::countFile(const Napi::CallbackInfo &info) {
  return startFile<Count>(info, countsIn(*job_));
}

Napi::Value Counter::extentFile(const Napi::CallbackInfo &info) { return startFile<Extent>(info, 2); }

template <typename Made>
Napi::Value Counter::startFile(const Napi::CallbackInfo &info, size_t counts) {
  return thrown(info.Env(), [&] {
    const napi_env env = info.Env();
    const File file{static_cast<int>(wholeOf(env, info[0], "descriptor")), wholeOf(env, info[1], "offset"),
                    wholeOf(env, info[2], "pixels")};
    auto call = std::make_unique<Started>(env, environment_, info[3], countsOf(env, info[3], counts));
    call->resolveWith(valueOf<Made>());
    const Control control = controlOf(env, info[4], call->held());
    auto make = [job = job_, file](double *counts, const Control &control) -> std::unique_ptr<Pieces> {
      return std::make_unique<Made>(*job, file, counts, control);
    };
    return Napi::Value(env, Started::start(std::move(call), std::move(make), control));
  });
}

template <typename Made>
Napi::Value Counter::start(const Napi::CallbackInfo &info, size_t counts) {
  return thrown(info.Env(), [&] {
    const Samples of(info, *job_, counts);
    auto call = std::make_unique<Started>(info.Env(), environment_, info[4], of.counts);
    Pixels pixels = of.pixels;
    pixels.data = call->held().hold(info[0], of.bytes);
    call->resolveWith(valueOf<Made>());
    const Control control = controlOf(info.Env(), info[5], call->held());
    auto make = [job = job_, pixels](double *counts, const Control &control) -> std::unique_ptr<Pieces> {
      return std::make_unique<Made>(*job, pixels, counts, control);
    };
    return Napi::Value(info.Env(), Started::start(std::move(call), std::move(make), control));
  });
}

Napi::Value Counter::segments(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    const napi_env env = info.Env();
    const Samples of(info, *job_, 0);
    auto call = std::make_unique<Started>(info.Env(), environment_, info[4], of.counts);
    Pixels pixels = of.pixels;
    pixels.data = call->held().hold(info[0], of.bytes);
    const Control control = controlOf(env, info[5], call->held());
    const View offsets = viewOf(env, info[7], napi_float64_array, "offsets");
    const Segments segments{numbersOf<SegmentsNumbers>(env, info[6]),
                            reinterpret_cast<const double *>(call->held().hold(info[7], offsets))};
    const uint64_t count = segments.numbers.count;
    const bool isCut = segments.numbers.cut != Cut::offsets || offsets.length > count;
    const Rows rows = rowsOf(info, count * job_->numbers.bins, count * FLOW_ROWS, call->held());
    if (!isCut || job_->channelCount != 1) throw Failure{"ERR_INTERNAL", "expected segments of one channel"};
    auto make = [job = job_, pixels, segments, rows](double *, const Control &control) -> std::unique_ptr<Pieces> {
      return std::make_unique<SegmentsCount>(*job, pixels, segments, rows, control);
    };
    return Napi::Value(env, Started::start(std::move(call), std::move(make), control));
  });
}

Napi::Function CellsCounter::define(Napi::Env env, Environment &environment) {
  return DefineClass(
      env, "Cells",
      {InstanceMethod<&CellsCounter::countSync>("countSync"), InstanceMethod<&CellsCounter::count>("count"),
       InstanceMethod<&CellsCounter::sums>("sums")},
      &environment);
}

CellsCounter::CellsCounter(const Napi::CallbackInfo &info)
    : Napi::ObjectWrap<CellsCounter>(info), environment_(*static_cast<Environment *>(info.Data())) {
  thrown(info.Env(), [&] {
    const Napi::Env env = info.Env();
    const auto all = info[1].As<Napi::Array>();
    std::vector<std::unique_ptr<const Job>> columns;
    for (uint32_t k = 0; k < all.Length(); k++) {
      const auto column = Napi::Value(all[k]).As<Napi::Array>();
      columns.push_back(jobOf(env, Napi::Value(column[0U]), Napi::Value(column[1U]), Napi::Value(column[2U])));
    }
    if (columns.empty()) throw Failure{"ERR_INTERNAL", "expected a column"};
    job_ = std::make_shared<const Cells>(numbersOf<CellsNumbers>(env, info[0]), std::move(columns));
  });
}

void CellsCounter::countSync(const Napi::CallbackInfo &info) {
  thrown(info.Env(), [&] {
    Columns columns(info, *job_);
    CellsCount count(*job_, std::move(columns.of), reinterpret_cast<double *>(columns.counts.data));
    run(count);
  });
}

Napi::Value CellsCounter::count(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    Columns columns(info, *job_);
    auto call = std::make_unique<Started>(info.Env(), environment_, info[5], columns.counts);
    columns.hold(info, call->held());
    const Control control = controlOf(info.Env(), info[6], call->held());
    auto make = [job = job_, of = columns.of](double *counts, const Control &control) -> std::unique_ptr<Pieces> {
      return std::make_unique<CellsCount>(*job, of, counts, control);
    };
    return Napi::Value(info.Env(), Started::start(std::move(call), std::move(make), control));
  });
}

Napi::Value CellsCounter::sums(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    const napi_env env = info.Env();
    Columns columns(info, *job_);
    auto call = std::make_unique<Started>(info.Env(), environment_, info[5], columns.counts);
    columns.hold(info, call->held());
    const WeightedOf of = weightedOf(info, std::move(columns.of), call->held());
    if (columns.counts.length != CellSums::cellsOf(*job_, of) + 2) throw Failure{"ERR_INTERNAL", "expected room for all sums"};
    const Control control = controlOf(env, info[6], call->held());
    call->resolveWith([](napi_env env, Pieces &of) { return arrayOf(env, static_cast<CellSums &>(of).sums()); });
    auto make = [job = job_, of](double *counts, const Control &control) -> std::unique_ptr<Pieces> {
      return std::make_unique<CellSums>(*job, of, counts, control);
    };
    return Napi::Value(env, Started::start(std::move(call), std::move(make), control));
  });
}

}  // namespace polybin
