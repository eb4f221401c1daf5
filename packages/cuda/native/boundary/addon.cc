// The boundary between JavaScript and the kernels, and nothing else: it moves samples to the device, launches
// what the plan says, and brings counts back. Every call that returns a promise runs off the main thread.
#include "addon.h"

#include <algorithm>
#include <memory>

#include "generated/boundary/readers.h"
#include "platform/devices.h"
#include "platform/failure.h"
#include "platform/memory.h"
#include "run/ceiling.h"
#include "run/checks.h"
#include "run/context.h"
#include "work.h"

namespace polybin {
namespace {

/** Starts a call with what it reads of its argument; what is wrong with that, the promise is rejected with. */
template <typename Call>
Napi::Value promised(const Napi::CallbackInfo &info, Call call) {
  const Napi::Env env = info.Env();
  napi_value error = nullptr;
  try {
    Held held(env);
    const Reader argument(info[0], "job", held);
    return call(argument, held);
  } catch (const Napi::Error &thrown) {
    error = thrown.Value();
  } catch (...) {
    error = errorOf(env, failureCaught());
  }
  const auto deferred = Napi::Promise::Deferred::New(env);
  deferred.Reject(error);
  return deferred.Promise();
}

Napi::Value undefined(Napi::Env env, const int &) { return env.Undefined(); }

Napi::Value numberOf(Napi::Env env, const uint32_t &id) { return Napi::Number::New(env, id); }

Napi::Value millisecondsOf(Napi::Env env, const std::vector<double> &ms) {
  auto list = Napi::Array::New(env, ms.size());
  for (size_t i = 0; i < ms.size(); i++) list.Set(i, ms[i]);
  return list;
}

/** What JavaScript hands over (src/border/messages.ts), in its C++ form. @throws Failure */
template <typename Message>
Message readOf(const Reader &of) {
  Message to{};
  read(of, to);
  return to;
}

/** One engine's hold on a device. */
class JsContext : public Napi::ObjectWrap<JsContext> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Context",
                       {InstanceMethod<&JsContext::upload>("upload"), InstanceMethod<&JsContext::free>("free"),
                        InstanceMethod<&JsContext::count>("count"), InstanceMethod<&JsContext::extent>("extent"),
                        InstanceMethod<&JsContext::segments>("segments"),
                        InstanceMethod<&JsContext::readRows>("readRows"),
                        InstanceMethod<&JsContext::freeRows>("freeRows"),
                        InstanceMethod<&JsContext::uploadTable>("uploadTable"),
                        InstanceMethod<&JsContext::sums>("sums"),
                        InstanceMethod<&JsContext::close>("close")});
  }

  /** Context(device, exactTimings) */
  explicit JsContext(const Napi::CallbackInfo &info) : Napi::ObjectWrap<JsContext>(info) {
    try {
      Held held(info.Env());
      const auto device = Reader(info[0], "device", held).whole<uint32_t>();
      checkDevice(device);
      context_ = std::make_shared<Context>(device, Reader(info[1], "exactTimings", held).boolean());
    } catch (const Failure &failure) {
      throw Napi::Error(info.Env(), errorOf(info.Env(), failure));
    }
  }

 private:
  /** upload(Upload) -> promise of a number: brings samples to the device. */
  Napi::Value upload(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<Upload>(job);
      return Work<uint32_t>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->upload(of); }, numberOf);
    });
  }

  /** free(id) -> promise: gives a resident's memory back. */
  Napi::Value free(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto id = job.whole<uint32_t>();
      return Work<int>::start(
          info.Env(), std::move(held), [context = context_, id] { return context->free(id), 0; }, undefined);
    });
  }

  /** count(CountJob) -> {counts, kernelMs, uploadMs}. */
  Napi::Value count(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<CountJob>(job);
      return Work<Counted>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->count(of); },
          [](Napi::Env env, const Counted &counted) -> Napi::Value {
            auto counts = Napi::Float64Array::New(env, counted.counts.size());
            std::copy(counted.counts.begin(), counted.counts.end(), counts.Data());
            auto result = Napi::Object::New(env);
            result.Set("counts", counts);
            result.Set("kernelMs", counted.kernelMs);
            result.Set("uploadMs", counted.uploadMs);
            return result;
          });
    });
  }

  /** segments(SegmentsJob) -> {id, kernelMs, uploadMs}: rows of counts, which come home or stay. */
  Napi::Value segments(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<SegmentsJob>(job);
      return Work<SegmentsCounted>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->segments(of); },
          [](Napi::Env env, const SegmentsCounted &counted) -> Napi::Value {
            auto result = Napi::Object::New(env);
            result.Set("id", counted.id);
            result.Set("kernelMs", counted.kernelMs);
            result.Set("uploadMs", counted.uploadMs);
            return result;
          });
    });
  }

  /** readRows(RowsJob) -> promise: brings rows that stayed home. */
  Napi::Value readRows(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<RowsJob>(job);
      return Work<int>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->readRows(of), 0; }, undefined);
    });
  }

  /** freeRows(id) -> promise: gives their memory back. */
  Napi::Value freeRows(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto id = job.whole<uint32_t>();
      return Work<int>::start(
          info.Env(), std::move(held), [context = context_, id] { return context->freeRows(id), 0; }, undefined);
    });
  }

  /** extent(ExtentJob) -> {min, max}: order-preserving 64-bit keys. */
  Napi::Value extent(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<ExtentJob>(job);
      return Work<Extent>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->extent(of); },
          [](Napi::Env env, const Extent &extent) -> Napi::Value {
            auto result = Napi::Object::New(env);
            result.Set("min", Napi::BigInt::New(env, static_cast<uint64_t>(extent.min)));
            result.Set("max", Napi::BigInt::New(env, static_cast<uint64_t>(extent.max)));
            return result;
          });
    });
  }

  /** uploadTable(TableSource) -> number: brings the rows of a feature table to the device. */
  Napi::Value uploadTable(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<TableSource>(job);
      return Work<uint32_t>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->uploadTable(of); }, numberOf);
    });
  }

  /** sums(SumsJob) -> {totals, ms, kernelMs, uploadMs}. */
  Napi::Value sums(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<SumsJob>(job);
      return Work<Summed>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->sums(of); },
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
    });
  }

  Napi::Value close(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &, Held &held) {
      return Work<int>::start(
          info.Env(), std::move(held), [context = context_] { return context->close(), 0; }, undefined);
    });
  }

  std::shared_ptr<Context> context_;
};

/** devices() -> promise of [{name, …}], or of a string that says why there are none. */
Napi::Value devices(const Napi::CallbackInfo &info) {
  return promised(info, [&](const Reader &, Held &held) {
    return Work<Devices>::start(
        info.Env(), std::move(held), findDevices, [](Napi::Env env, const Devices &found) -> Napi::Value {
          if (!found.why.empty()) return Napi::String::New(env, found.why);
          auto list = Napi::Array::New(env, found.devices.size());
          for (size_t i = 0; i < found.devices.size(); i++) {
            const cudaDeviceProp &of = found.devices[i];
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
        });
  });
}

/** memory(device) -> promise of {free, total}: bytes. */
Napi::Value memory(const Napi::CallbackInfo &info) {
  return promised(info, [&](const Reader &of, Held &held) {
    const auto device = of.whole<uint32_t>();
    checkDevice(device);
    return Work<DeviceMemory>::start(
        info.Env(), std::move(held), [device] { return memoryOf(device); },
        [](Napi::Env env, const DeviceMemory &bytes) -> Napi::Value {
          auto result = Napi::Object::New(env);
          result.Set("free", static_cast<double>(bytes.free));
          result.Set("total", static_cast<double>(bytes.total));
          return result;
        });
  });
}

/** readRounds(ReadJob) -> promise of [{variant, blocks, ms}]. */
Napi::Value readRounds(const Napi::CallbackInfo &info) {
  return promised(info, [&](const Reader &of, Held &held) {
    const auto job = readOf<ReadJob>(of);
    checkRead(job);
    return Work<std::vector<ReadRow>>::start(
        info.Env(), std::move(held), [job] { return readRounds(job); },
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
  });
}

/** copyRounds(CopyJob) -> promise of milliseconds. */
Napi::Value copyRounds(const Napi::CallbackInfo &info) {
  return promised(info, [&](const Reader &of, Held &held) {
    const auto job = readOf<CopyJob>(of);
    checkCopy(job);
    return Work<std::vector<double>>::start(
        info.Env(), std::move(held), [job] { return copyRounds(job); }, millisecondsOf);
  });
}

/**
 * pinned(bytes) -> ArrayBuffer in page-locked memory, which the device copies from at full speed. The memory is the
 * process's own, not an engine's: it stays as long as the ArrayBuffer.
 */
Napi::Value pinned(const Napi::CallbackInfo &info) {
  const Napi::Env env = info.Env();
  try {
    Held held(env);
    const auto bytes = Reader(info[0], "bytes", held).whole<uint64_t>();
    checkNotLost();
    auto memory = std::make_unique<std::shared_ptr<void>>(takePinned(std::max<uint64_t>(bytes, 1)));
    void *const data = memory->get();
    const auto collected = [](Napi::Env, void *, std::shared_ptr<void> *of) { delete of; };
    const auto buffer = Napi::ArrayBuffer::New(env, data, bytes, collected, memory.get());
    memory.release();
    return buffer;
  } catch (const Failure &failure) {
    throw Napi::Error(env, errorOf(env, failure));
  }
}

}  // namespace

Napi::Object addonOf(Napi::Env env, Napi::Object exports) {
  exports.Set("Context", JsContext::define(env));
  exports.Set("devices", Napi::Function::New<devices>(env, "devices"));
  exports.Set("memory", Napi::Function::New<memory>(env, "memory"));
  exports.Set("pinned", Napi::Function::New<pinned>(env, "pinned"));
  exports.Set("readRounds", Napi::Function::New<readRounds>(env, "readRounds"));
  exports.Set("copyRounds", Napi::Function::New<copyRounds>(env, "copyRounds"));
  return exports;
}

}  // namespace polybin
