// The boundary between JavaScript and the kernels, and nothing else: it moves samples to the device, launches
// what the plan says, and brings counts back. Every call runs off the main thread.
#include <napi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "context.h"

namespace polybin {
namespace {

template <typename T>
T number(const Napi::Object &of, const char *name) {
  return static_cast<T>(of.Get(name).As<Napi::Number>().DoubleValue());
}

bool boolean(const Napi::Object &of, const char *name) { return of.Get(name).ToBoolean().Value(); }

Key key(const Napi::Object &of, const char *name) {
  const Napi::Object pair = of.Get(name).As<Napi::Object>();
  return {number<uint32_t>(pair, "low"), number<uint32_t>(pair, "high")};
}

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
  if (plain.kind == Kind::keys) {
    to.low = words(of, "low");
    to.high = words(of, "high");
    to.starts = words(of, "starts");
    plain.thresholds = static_cast<uint32_t>(to.low.size);
    plain.last = key(of, "last");
    plain.nanBelow = key(of, "nanBelow");
    plain.nanAbove = key(of, "nanAbove");
    plain.linear = boolean(of, "linear");
    if (plain.linear) {
      plain.lo = number<double>(of, "lo");
      plain.scale = number<double>(of, "scale");
    } else {
      plain.base = number<uint32_t>(of, "base");
      plain.shift = number<uint32_t>(of, "shift");
      plain.cells = static_cast<uint32_t>(to.starts.size) - 1;
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
  return to;
}

Source source(const Napi::Object &of) {
  Source to{};
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

Control control(const Napi::Object &of) {
  auto stop = of.Get("stop").As<Napi::Int32Array>();
  auto done = of.Get("done").As<Napi::BigInt64Array>();
  return {reinterpret_cast<std::atomic<int32_t> *>(stop.Data()),
          reinterpret_cast<std::atomic<int64_t> *>(done.Data())};
}

/** Runs `work` off the main thread and settles a promise with what `settle` makes of it. */
template <typename Result>
class Worker : public Napi::AsyncWorker {
 public:
  using Work = std::function<Result()>;
  using Settle = std::function<Napi::Value(Napi::Env, const Result &)>;

  Worker(Napi::Env env, const Napi::Object &keepAlive, Work work, Settle settle)
      : Napi::AsyncWorker(env), deferred_(env), keep_(Napi::Persistent(keepAlive)), work_(std::move(work)),
        settle_(std::move(settle)) {}

  Napi::Promise start() {
    Queue();
    return deferred_.Promise();
  }

 protected:
  void Execute() override {
    try {
      result_ = work_();
    } catch (const Failure &failure) {
      failure_ = std::make_unique<Failure>(failure);
      SetError(failure.message);
    } catch (const std::exception &error) {
      SetError(error.what());
    }
  }

  void OnOK() override {
    Napi::HandleScope scope(Env());
    deferred_.Resolve(settle_(Env(), result_));
  }

  void OnError(const Napi::Error &error) override {
    Napi::HandleScope scope(Env());
    Napi::Object value = error.Value();
    if (failure_) value.Set("code", failure_->code);
    deferred_.Reject(value);
  }

 private:
  Napi::Promise::Deferred deferred_;
  Napi::ObjectReference keep_;
  Work work_;
  Settle settle_;
  Result result_{};
  std::unique_ptr<Failure> failure_;
};

/** One engine's hold on a device. */
class JsContext : public Napi::ObjectWrap<JsContext> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Context",
                       {InstanceMethod<&JsContext::upload>("upload"), InstanceMethod<&JsContext::free>("free"),
                        InstanceMethod<&JsContext::count>("count"), InstanceMethod<&JsContext::extent>("extent"),
                        InstanceMethod<&JsContext::close>("close")});
  }

  explicit JsContext(const Napi::CallbackInfo &info)
      : Napi::ObjectWrap<JsContext>(info),
        context_(std::make_shared<Context>(info[0].As<Napi::Number>().Int32Value())) {}

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

  Napi::Value close(const Napi::CallbackInfo &info) {
    return run<int>(info, [context = context_] { return context->close(), 0; }, undefined);
  }

  template <typename Result>
  Napi::Value run(const Napi::CallbackInfo &info, typename Worker<Result>::Work work,
                  typename Worker<Result>::Settle settle) {
    auto keep = Napi::Object::New(info.Env());
    if (info.Length() > 0) keep.Set("job", info[0]);
    keep.Set("context", info.This());
    return (new Worker<Result>(info.Env(), keep, std::move(work), std::move(settle)))->start();
  }

  static Napi::Value undefined(Napi::Env env, const int &) { return env.Undefined(); }

  std::shared_ptr<Context> context_;
};

/** devices() -> [{name, …}], or a string that says why there are none. */
Napi::Value devices(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    return Napi::String::New(env, std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error));
  }
  auto list = Napi::Array::New(env, count);
  for (int i = 0; i < count; i++) {
    cudaDeviceProp of;
    if (cudaGetDeviceProperties(&of, i) != cudaSuccess) continue;
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

/** pinned(bytes) -> ArrayBuffer in page-locked memory, which the device copies from at full speed. */
Napi::Value pinned(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  const size_t bytes = static_cast<size_t>(info[0].As<Napi::Number>().DoubleValue());
  void *memory = nullptr;
  const cudaError_t error = cudaHostAlloc(&memory, bytes > 0 ? bytes : 1, cudaHostAllocPortable);
  if (error != cudaSuccess) {
    cudaGetLastError();
    auto failure = Napi::Error::New(env, cudaGetErrorString(error));
    failure.Value().Set("code", codeOf(error));
    failure.ThrowAsJavaScriptException();
    return env.Undefined();
  }
  return Napi::ArrayBuffer::New(env, memory, bytes, [](Napi::Env, void *data) { cudaFreeHost(data); });
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("Context", JsContext::define(env));
  exports.Set("devices", Napi::Function::New<devices>(env, "devices"));
  exports.Set("pinned", Napi::Function::New<pinned>(env, "pinned"));
  return exports;
}

}  // namespace
}  // namespace polybin

static Napi::Object InitPolybin(Napi::Env env, Napi::Object exports) { return polybin::init(env, exports); }
NODE_API_MODULE(polybin_cuda, InitPolybin)
