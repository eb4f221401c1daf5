#include "counter.h"

#include <cstring>

#include "environment.h"
#include "started.h"

namespace polybin {
namespace {

/** Samples and the array for their counts. */
struct Arguments {
  View bytes;
  Pixels pixels;
  View counts;

  Arguments(const Napi::CallbackInfo &info, const Job &job)
      : bytes(viewOf(info.Env(), info[0], napi_uint8_array, "bytes")),
        pixels{bytes.data, wholeOf(info.Env(), info[1], "width"), wholeOf(info.Env(), info[2], "height"),
               wholeOf(info.Env(), info[3], "pitch")},
        counts(viewOf(info.Env(), info[4], napi_float64_array, "counts")) {
    const uint64_t row = pixels.width * job.pixelBytes;
    const uint64_t needed = row == 0 || pixels.height == 0 ? 0 : (pixels.height - 1) * pixels.pitch + row;
    // This is the last check before the memory is read.
    if (row / job.pixelBytes != pixels.width || needed > bytes.bytes || (pixels.height > 1 && pixels.pitch < row) ||
        (pixels.pitch != 0 && pixels.height > UINT64_MAX / 2 / pixels.pitch)) {
      throw Failure{"ERR_INPUT", "expected the bytes of all pixels but the memory is shorter"};
    }
    if (counts.length < static_cast<size_t>(job.channelCount) * job.counts()) {
      throw Failure{"ERR_INTERNAL", "expected room for the counts of all channels"};
    }
  }
};

}  // namespace

Napi::Function Counter::define(Napi::Env env, Environment &environment) {
  return DefineClass(
      env, "Counter",
      {InstanceMethod<&Counter::countSync>("countSync"), InstanceMethod<&Counter::count>("count")}, &environment);
}

Counter::Counter(const Napi::CallbackInfo &info)
    : Napi::ObjectWrap<Counter>(info), environment_(*static_cast<Environment *>(info.Data())) {
  thrown(info.Env(), [&] {
    const View numbers = viewOf(info.Env(), info[0], napi_uint8_array, "numbers");
    const View low = viewOf(info.Env(), info[1], napi_uint32_array, "low");
    const View high = viewOf(info.Env(), info[2], napi_uint32_array, "high");
    JobNumbers of;
    if (numbers.bytes != sizeof of) throw Failure{"ERR_INTERNAL", "expected the numbers of a job"};
    std::memcpy(&of, numbers.data, sizeof of);
    job_ = std::make_shared<const Job>(LoweringNumbers{
        of, reinterpret_cast<const uint32_t *>(low.data),
        high.length == 0 ? nullptr : reinterpret_cast<const uint32_t *>(high.data), low.length});
  });
}

void Counter::countSync(const Napi::CallbackInfo &info) {
  thrown(info.Env(), [&] {
    const Arguments of(info, *job_);
    Count count(*job_, of.pixels, reinterpret_cast<double *>(of.counts.data));
    Pool::shared().run(count, count.threads() - 1);
    if (count.failure()) throw Failure(*count.failure());
  });
}

Napi::Value Counter::count(const Napi::CallbackInfo &info) {
  return thrown(info.Env(), [&] {
    Arguments of(info, *job_);
    auto call = std::make_unique<Started>(info.Env(), environment_, job_, info[4], of.counts.length);
    of.pixels.data = call->held().hold(info[0], of.bytes);
    Control control;
    if (!info[5].IsNull()) {
      // Words in shared memory: whether the call was aborted, nothing, and the pixels that were counted.
      const View shared = viewOf(info.Env(), info[5], napi_uint32_array, "control");
      if (shared.length < 4) throw Failure{"ERR_INTERNAL", "expected a control of four words"};
      call->held().hold(info[5], shared);
      control.aborted = reinterpret_cast<std::atomic<uint32_t> *>(shared.data);
      control.done = reinterpret_cast<std::atomic<uint64_t> *>(shared.data + 8);
    }
    return Napi::Value(info.Env(), Started::start(std::move(call), of.pixels, control));
  });
}

}  // namespace polybin
