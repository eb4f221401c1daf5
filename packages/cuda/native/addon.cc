// The boundary between JavaScript and the kernels, and nothing else: it moves samples to the device, launches
// what the plan says, and brings counts back. Every call runs off the main thread.
#include <napi.h>

#include <algorithm>
#include <memory>

#include "ceiling.h"
#include "context.h"
#include "memory.h"
#include "worker.h"

namespace polybin {
namespace {

template <typename T>
T number(const Napi::Object &of, const char *name) {
  return static_cast<T>(of.Get(name).As<Napi::Number>().DoubleValue());
}

bool boolean(const Napi::Object &of, const char *name) { return of.Get(name).ToBoolean().Value(); }

/** A Uint32Array's elements; the job object keeps the memory alive. */
Words words(const Napi::Object &of, const char *name) {
  const Napi::Value value = of.Get(name);
  if (!value.IsTypedArray()) return {};
  const auto array = value.As<Napi::Uint32Array>();
  return {array.Data(), array.ElementLength()};
}

HostLowering lowering(const Napi::Object &of) {
  HostLowering to{};
  Lowering &plain = to.plain;
  plain.kind = static_cast<Kind>(number<uint32_t>(of, "kind"));
  plain.type = static_cast<Type>(number<uint32_t>(of, "type"));
  plain.bins = number<uint32_t>(of, "bins");
  plain.flow = boolean(of, "flow");
  if (plain.kind == Kind::direct) plain.start = number<int64_t>(of, "start");
  if (plain.kind == Kind::table) to.table = words(of, "table");
  if (plain.kind == Kind::scaled) {
    plain.first = number<uint32_t>(of, "first");
    plain.last = number<uint32_t>(of, "last");
    plain.scale = number<uint32_t>(of, "scale");
  }
  if (plain.kind == Kind::ranks) {
    to.low = words(of, "low");
    to.high = words(of, "high");
    to.starts = words(of, "starts");
    plain.thresholds = static_cast<uint32_t>(to.low.size);
    plain.steps = number<uint32_t>(of, "steps");
    plain.cells = number<uint32_t>(of, "cells");
    plain.line = boolean(of, "line");
    if (plain.line) {
      plain.origin = number<double>(of, "origin");
      plain.inverse = number<double>(of, "inverse");
    } else {
      plain.base = number<uint32_t>(of, "base");
      plain.shift = number<uint32_t>(of, "shift");
    }
  }
  return to;
}

Plan plan(const Napi::Object &of) {
  Plan to{};
  to.cells = number<uint32_t>(of, "cells");
  to.cellsPerPass = number<uint32_t>(of, "cellsPerPass");
  to.passes = number<uint32_t>(of, "passes");
  to.threads = number<uint32_t>(of, "threads");
  to.blocks = number<uint32_t>(of, "blocks");
  to.replicas = number<uint32_t>(of, "replicas");
  to.sharedBytes = number<uint32_t>(of, "sharedBytes");
  to.wordsPerThread = number<uint32_t>(of, "wordsPerThread");
  to.k = number<uint32_t>(of, "k");
  to.tag = boolean(of, "tag");
  to.periodic = boolean(of, "periodic");
  to.layout = number<uint32_t>(of, "layout");
  to.rows = number<uint32_t>(of, "rows");
  to.rowsPerBlock = number<uint32_t>(of, "rowsPerBlock");
  to.channelsPerBlock = number<uint32_t>(of, "channelsPerBlock");
  to.counterBytes = number<uint32_t>(of, "counterBytes");
  to.lookupReplicas = number<uint32_t>(of, "lookupReplicas");
  to.inFlight = number<uint32_t>(of, "inFlight");
  return to;
}

Source source(const Napi::Object &of) {
  Source to{};
  to.first = number<uint64_t>(of, "first");
  to.pixels = number<uint64_t>(of, "pixels");
  to.pixelBytes = number<uint32_t>(of, "pixelBytes");
  to.width = number<uint64_t>(of, "width");
  to.rowPitch = number<uint64_t>(of, "rowPitch");
  const Napi::Value bytes = of.Get("bytes");
  if (bytes.IsTypedArray()) to.host = bytes.As<Napi::Uint8Array>().Data();
  if (of.Has("resident")) to.resident = number<uint32_t>(of, "resident");
  if (of.Has("fd")) {
    to.fd = number<int>(of, "fd");
    to.offset = number<uint64_t>(of, "offset");
  }
  return to;
}

Wanted wanted(const Napi::Object &of) {
  Wanted to{};
  to.type = static_cast<Type>(number<uint32_t>(of, "type"));
  to.interleaved = number<uint32_t>(of, "interleaved");
  const auto channels = of.Get("channels").As<Napi::Array>();
  to.channels = channels.Length();
  for (uint32_t i = 0; i < to.channels; i++) {
    to.channel[i] = channels.Get(i).As<Napi::Number>().Uint32Value();
  }
  return to;
}

/** A typed array's bytes as one row; null: nothing. */
Source bytesOf(const Napi::Object &of, const char *name) {
  Source to{};
  const Napi::Value value = of.Get(name);
  if (!value.IsTypedArray()) return to;
  to.pixelBytes = 1;
  to.pixels = to.width = to.rowPitch = value.As<Napi::TypedArray>().ByteLength();
  // Of whatever type; in an ArrayBuffer or a SharedArrayBuffer.
  to.host = value.As<Napi::Uint8Array>().Data();
  return to;
}

WeightedPlan weightedPlan(const Napi::Object &of) {
  WeightedPlan to{};
  to.type = static_cast<ValueType>(number<uint32_t>(of, "type"));
  to.fast = boolean(of, "fast");
  to.wide = boolean(of, "wide");
  to.counts = boolean(of, "counts");
  to.squares = boolean(of, "squares");
  to.bins = number<uint32_t>(of, "bins");
  to.binsPerPass = number<uint32_t>(of, "binsPerPass");
  to.passes = number<uint32_t>(of, "passes");
  to.threads = number<uint32_t>(of, "threads");
  to.replicas = number<uint32_t>(of, "replicas");
  to.featuresPerBlock = number<uint32_t>(of, "featuresPerBlock");
  to.sharedBytes = number<uint32_t>(of, "sharedBytes");
  to.segments = number<uint32_t>(of, "segments");
  to.segmentDocuments = number<uint64_t>(of, "segmentDocuments");
  to.flushDocuments = number<uint64_t>(of, "flushDocuments");
  to.unroll = number<uint32_t>(of, "unroll");
  to.buffer = number<uint32_t>(of, "buffer");
  return to;
}

SumsLaunch sumsLaunch(const Napi::Object &of) {
  SumsLaunch to{of.Get("algorithm").As<Napi::String>().Utf8Value(), weightedPlan(of.Get("plan").As<Napi::Object>()), {}};
  const Words rows = words(of, "rows"), skip = words(of, "skip");
  for (size_t i = 0; i < rows.size; i++) to.features.push_back({rows.data[i], skip.data[i]});
  return to;
}

Control control(const Napi::Object &of) {
  auto stop = of.Get("stop").As<Napi::Int32Array>();
  auto done = of.Get("done").As<Napi::BigInt64Array>();
  return {reinterpret_cast<std::atomic<int32_t> *>(stop.Data()),
          reinterpret_cast<std::atomic<int64_t> *>(done.Data())};
}

/** Does work off the main thread; the call's first argument and what it was called on live as long. */
template <typename Result>
Napi::Value run(const Napi::CallbackInfo &info, typename Worker<Result>::Work work,
                typename Worker<Result>::Settle settle) {
  auto keep = Napi::Object::New(info.Env());
  if (info.Length() > 0) keep.Set("job", info[0]);
  keep.Set("of", info.This());
  return Worker<Result>::start(info.Env(), keep, std::move(work), std::move(settle));
}

Napi::Value millisecondsOf(Napi::Env env, const std::vector<double> &ms) {
  auto list = Napi::Array::New(env, ms.size());
  for (size_t i = 0; i < ms.size(); i++) list.Set(i, ms[i]);
  return list;
}

/** One engine's hold on a device. */
class JsContext : public Napi::ObjectWrap<JsContext> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Context",
                       {InstanceMethod<&JsContext::upload>("upload"), InstanceMethod<&JsContext::free>("free"),
                        InstanceMethod<&JsContext::count>("count"), InstanceMethod<&JsContext::extent>("extent"),
                        InstanceMethod<&JsContext::uploadTable>("uploadTable"),
                        InstanceMethod<&JsContext::sums>("sums"),
                        InstanceMethod<&JsContext::close>("close")});
  }

  explicit JsContext(const Napi::CallbackInfo &info)
      : Napi::ObjectWrap<JsContext>(info),
        context_(std::make_shared<Context>(info[0].As<Napi::Number>().Int32Value(), info[1].ToBoolean().Value())) {}

 private:
  /** upload({source, control}) -> number: brings samples to the device. */
  Napi::Value upload(const Napi::CallbackInfo &info) {
    const auto job = info[0].As<Napi::Object>();
    const Source from = source(job.Get("source").As<Napi::Object>());
    const Control talk = control(job.Get("control").As<Napi::Object>());
    return run<uint32_t>(
        info, [context = context_, from, talk] { return context->upload(from, talk); },
        [](Napi::Env env, const uint32_t &id) { return Napi::Number::New(env, id); });
  }

  /** free(id) -> promise: gives a resident's memory back. */
  Napi::Value free(const Napi::CallbackInfo &info) {
    const uint32_t id = info[0].As<Napi::Number>().Uint32Value();
    return run<int>(info, [context = context_, id] { return context->free(id), 0; }, undefined);
  }

  /** count({source, wanted, lowering, plan, algorithm, launchPixels, control}) -> {counts, kernelMs, uploadMs}. */
  Napi::Value count(const Napi::CallbackInfo &info) {
    const auto job = info[0].As<Napi::Object>();
    const CountJob of{
        source(job.Get("source").As<Napi::Object>()),
        wanted(job.Get("wanted").As<Napi::Object>()),
        lowering(job.Get("lowering").As<Napi::Object>()),
        plan(job.Get("plan").As<Napi::Object>()),
        job.Get("algorithm").As<Napi::String>().Utf8Value(),
        number<uint64_t>(job, "launchPixels"),
        control(job.Get("control").As<Napi::Object>()),
    };
    return run<Counted>(
        info, [context = context_, of] { return context->count(of); },
        [](Napi::Env env, const Counted &counted) -> Napi::Value {
          auto counts = Napi::Float64Array::New(env, counted.counts.size());
          for (size_t i = 0; i < counted.counts.size(); i++) counts[i] = static_cast<double>(counted.counts[i]);
          auto result = Napi::Object::New(env);
          result.Set("counts", counts);
          result.Set("kernelMs", counted.kernelMs);
          result.Set("uploadMs", counted.uploadMs);
          return result;
        });
  }

  /** extent({source, wanted, control}) -> {min, max}: order-preserving 64-bit keys. */
  Napi::Value extent(const Napi::CallbackInfo &info) {
    const auto job = info[0].As<Napi::Object>();
    const Source from = source(job.Get("source").As<Napi::Object>());
    const Wanted what = wanted(job.Get("wanted").As<Napi::Object>());
    const Control talk = control(job.Get("control").As<Napi::Object>());
    return run<Extent>(
        info, [context = context_, from, what, talk] { return context->extent(from, what, talk); },
        [](Napi::Env env, const Extent &extent) -> Napi::Value {
          auto result = Napi::Object::New(env);
          result.Set("min", Napi::BigInt::New(env, static_cast<uint64_t>(extent.min)));
          result.Set("max", Napi::BigInt::New(env, static_cast<uint64_t>(extent.max)));
          return result;
        });
  }

  /** uploadTable({bytes, rowBytes, control}) -> number: brings the rows of a feature table to the device. */
  Napi::Value uploadTable(const Napi::CallbackInfo &info) {
    const auto job = info[0].As<Napi::Object>();
    const TableSource from{bytesOf(job, "bytes"), number<uint64_t>(job, "rowBytes")};
    const Control talk = control(job.Get("control").As<Napi::Object>());
    return run<uint32_t>(
        info, [context = context_, from, talk] { return context->uploadTable(from, talk); },
        [](Napi::Env env, const uint32_t &id) { return Napi::Number::New(env, id); });
  }

  /** sums({table, documents, weights, squares, list, launches, timed, control}) -> {totals, ms, kernelMs, uploadMs}. */
  Napi::Value sums(const Napi::CallbackInfo &info) {
    const auto job = info[0].As<Napi::Object>();
    SumsJob of{number<uint32_t>(job, "table"), number<uint64_t>(job, "documents"),
               bytesOf(job, "weights"),        bytesOf(job, "squares"),
               bytesOf(job, "list"),           {},
               boolean(job, "timed"),
               control(job.Get("control").As<Napi::Object>())};
    const auto launches = job.Get("launches").As<Napi::Array>();
    for (uint32_t i = 0; i < launches.Length(); i++) of.launches.push_back(sumsLaunch(launches.Get(i).As<Napi::Object>()));
    return run<Summed>(
        info, [context = context_, of] { return context->sums(of); },
        [](Napi::Env env, const Summed &summed) -> Napi::Value {
          auto totals = Napi::Float64Array::New(env, summed.totals.size());
          std::copy(summed.totals.begin(), summed.totals.end(), totals.Data());
          auto result = Napi::Object::New(env);
          result.Set("totals", totals);
          result.Set("ms", millisecondsOf(env, summed.ms));
          result.Set("kernelMs", summed.kernelMs);
          result.Set("uploadMs", summed.uploadMs);
          return result;
        });
  }

  Napi::Value close(const Napi::CallbackInfo &info) {
    return run<int>(info, [context = context_] { return context->close(), 0; }, undefined);
  }

  static Napi::Value undefined(Napi::Env env, const int &) { return env.Undefined(); }

  std::shared_ptr<Context> context_;
};

/** devices() -> [{name, …}], or a string that says why there are none. */
Napi::Value devices(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  const auto sentence = [&](cudaError_t error) {
    cudaGetLastError();
    return Napi::String::New(env, std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error));
  };
  try {
    checkNotLost();
  } catch (const Failure &failure) {
    return Napi::String::New(env, failure.message);
  }
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) return sentence(error);
  auto list = Napi::Array::New(env, count);
  for (int i = 0; i < count; i++) {
    cudaDeviceProp of;
    if (const cudaError_t error = cudaGetDeviceProperties(&of, i); error != cudaSuccess) return sentence(error);
    auto device = Napi::Object::New(env);
    device.Set("name", of.name);
    device.Set("units", of.multiProcessorCount);
    device.Set("warp", of.warpSize);
    device.Set("sharedBytes", static_cast<double>(of.sharedMemPerBlockOptin));
    device.Set("blockThreads", of.maxThreadsPerBlock);
    device.Set("unitThreads", of.maxThreadsPerMultiProcessor);
    device.Set("unitBlocks", of.maxBlocksPerMultiProcessor);
    device.Set("unitSharedBytes", static_cast<double>(of.sharedMemPerMultiprocessor));
    device.Set("reservedBytes", static_cast<double>(of.reservedSharedMemPerBlock));
    device.Set("memoryBytes", static_cast<double>(of.totalGlobalMem));
    device.Set("capability", std::to_string(of.major) + "." + std::to_string(of.minor));
    list.Set(i, device);
  }
  return list;
}

/** memory(device) -> promise of {free, total}: bytes. */
Napi::Value memory(const Napi::CallbackInfo &info) {
  struct Bytes {
    size_t free, total;
  };
  const int device = info[0].As<Napi::Number>().Int32Value();
  return run<Bytes>(
      info,
      [device] {
        Bytes bytes{};
        checkNotLost();
        check(cudaSetDevice(device), "cudaSetDevice");
        check(cudaMemGetInfo(&bytes.free, &bytes.total), "cudaMemGetInfo");
        return bytes;
      },
      [](Napi::Env env, const Bytes &bytes) -> Napi::Value {
        auto result = Napi::Object::New(env);
        result.Set("free", static_cast<double>(bytes.free));
        result.Set("total", static_cast<double>(bytes.total));
        return result;
      });
}

/** readRounds({device, bytes, rounds, blocks}) -> promise of [{variant, blocks, ms}]. */
Napi::Value readRounds(const Napi::CallbackInfo &info) {
  const auto of = info[0].As<Napi::Object>();
  const ReadJob job{number<int>(of, "device"), number<uint64_t>(of, "bytes"), number<uint32_t>(of, "rounds"),
                    number<uint32_t>(of, "blocks")};
  return run<std::vector<ReadRow>>(
      info, [job] { return readRounds(job); },
      [](Napi::Env env, const std::vector<ReadRow> &rows) -> Napi::Value {
        auto list = Napi::Array::New(env, rows.size());
        for (size_t i = 0; i < rows.size(); i++) {
          auto row = Napi::Object::New(env);
          row.Set("variant", rows[i].variant);
          row.Set("blocks", rows[i].blocks);
          row.Set("ms", millisecondsOf(env, rows[i].ms));
          list.Set(i, row);
        }
        return list;
      });
}

/** copyRounds({device, bytes, rounds, pinned}) -> promise of milliseconds. */
Napi::Value copyRounds(const Napi::CallbackInfo &info) {
  const auto of = info[0].As<Napi::Object>();
  const CopyJob job{number<int>(of, "device"), number<uint64_t>(of, "bytes"), number<uint32_t>(of, "rounds"),
                    boolean(of, "pinned")};
  return run<std::vector<double>>(info, [job] { return copyRounds(job); }, millisecondsOf);
}

/**
 * pinned(bytes) -> ArrayBuffer in page-locked memory, which the device copies from at full speed. The memory is the
 * process's own, not an engine's: it stays as long as the ArrayBuffer.
 */
Napi::Value pinned(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  const size_t bytes = static_cast<size_t>(info[0].As<Napi::Number>().DoubleValue());
  void *memory = nullptr;
  try {
    checkNotLost();
    memory = takeHost(bytes > 0 ? bytes : 1);
  } catch (const Failure &failure) {
    throw errorOf(env, failure);
  }
  return Napi::ArrayBuffer::New(env, memory, bytes, [](Napi::Env, void *data) { giveHost(data); });
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("Context", JsContext::define(env));
  exports.Set("devices", Napi::Function::New<devices>(env, "devices"));
  exports.Set("memory", Napi::Function::New<memory>(env, "memory"));
  exports.Set("pinned", Napi::Function::New<pinned>(env, "pinned"));
  exports.Set("readRounds", Napi::Function::New<readRounds>(env, "readRounds"));
  exports.Set("copyRounds", Napi::Function::New<copyRounds>(env, "copyRounds"));
  return exports;
}

}  // namespace
}  // namespace polybin

static Napi::Object InitPolybin(Napi::Env env, Napi::Object exports) { return polybin::init(env, exports); }
NODE_API_MODULE(polybin_cuda, InitPolybin)
