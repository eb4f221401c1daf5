#include "js-context.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "answers.h"
#include "handles.h"
#include "inputs.h"
#include "platform/failure.h"
#include "promised.h"
#include "results.h"
#include "run/checks.h"
#include "run/context.h"

namespace polybin {
namespace {

/** A call that returns at once. It throws its errors. */
template <typename Call>
Napi::Value thrown(const Napi::CallbackInfo &info, Call call) {
  try {
    return call();
  } catch (const Napi::Error &) {
    throw;
  } catch (...) {
    throw Napi::Error(info.Env(), errorOf(info.Env(), failureCaught()));
  }
}

/** One engine's hold on a device. */
class JsContext : public Napi::ObjectWrap<JsContext> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Context",
                       {InstanceMethod<&JsContext::upload>("upload"), InstanceMethod<&JsContext::free>("free"),
                        InstanceMethod<&JsContext::prepare>("prepare"), InstanceMethod<&JsContext::count>("count"),
                        InstanceMethod<&JsContext::launch>("launch"),
                        InstanceMethod<&JsContext::launchAll>("launchAll"),
                        InstanceMethod<&JsContext::countNow>("countNow"),
                        InstanceMethod<&JsContext::look>("look"),
                        InstanceMethod<&JsContext::countSource>("countSource"),
                        InstanceMethod<&JsContext::total>("total"), InstanceMethod<&JsContext::add>("add"),
                        InstanceMethod<&JsContext::take>("take"), InstanceMethod<&JsContext::freeTotal>("freeTotal"),
                        InstanceMethod<&JsContext::segments>("segments"),
                        InstanceMethod<&JsContext::joint>("joint"),
                        InstanceMethod<&JsContext::readRows>("readRows"),
                        InstanceMethod<&JsContext::freeRows>("freeRows"),
                        InstanceMethod<&JsContext::extent>("extent"), InstanceMethod<&JsContext::uploadTable>("uploadTable"),
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
  /** upload(Upload) -> promise of the resident's number. Copies samples to the device. */
  Napi::Value upload(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<Upload>(job);
      return Work<uint32_t>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->upload(of); }, numberOf);
    });
  }

  /** free(id) -> promise. Frees a resident's memory. */
  Napi::Value free(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto id = job.whole<uint32_t>();
      return Work<int>::start(
          info.Env(), std::move(held), [context = context_, id] { return context->free(id), 0; }, undefined);
    });
  }

  /** prepare(CountShape) -> a handle that the calls below take as their first or second argument. */
  Napi::Value prepare(const Napi::CallbackInfo &info) {
    return thrown(info, [&]() -> Napi::Value {
      Held held(info.Env());
      return handleOf(info.Env(), context_->prepare(readOf<CountShape>(Reader(info[0], "job", held))), jobTag);
    });
  }

  /**
   * countSource(prepared, CountNow, into) -> {kernelMs, uploadMs}. Counts an input of any length piece by piece, before
   * it returns.
   */
  Napi::Value countSource(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      Held held(info.Env());
      const JobOf job = jobOf(info[0]);
      const auto of = readOf<CountNow>(Reader(info[1], "job", held));
      double *const into = countsOf(info[2], job->size());
      const Counted counted = context_->countNow(of, *job);
      std::copy(counted.counts.begin(), counted.counts.end(), into);
      return timesOf(info.Env(), counted);
    });
  }

  /** total(prepared) -> a handle that `count`, `add` and `take` accept. */
  Napi::Value total(const Napi::CallbackInfo &info) {
    return thrown(info, [&] { return handleOf(info.Env(), std::make_shared<Total>(jobOf(info[0])->size()), totalTag); });
  }

  /** freeTotal(total) -> promise. */
  Napi::Value freeTotal(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &, Held &held) {
      auto total = std::make_shared<TotalOf>(std::exchange(handled<TotalOf>(info[0], totalTag, "total"), nullptr));
      return Work<int>::start(info.Env(), std::move(held), [total] { return total->reset(), 0; }, undefined);
    });
  }

  /** count(CountNow or CountJob, prepared, total or undefined) -> promise of {counts, kernelMs, uploadMs}. */
  Napi::Value count(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &argument, Held &held) {
      const auto of = readOf<CountNow>(argument);
      const Reader field = argument["control"];
      std::optional<Control> control;
      if (field.isThere()) control = readOf<Control>(field);
      auto batch = std::make_unique<Batch>();
      batch->job = jobOf(info[1]);
      if (!info[2].IsUndefined()) batch->total = totalOf(info[2], *batch->job);
      return answers().of(of, control ? &*control : nullptr, std::move(held), std::move(batch));
    });
  }

  /** look() -> boolean. Settles finished calls, and returns whether other calls are under way. */
  Napi::Value look(const Napi::CallbackInfo &info) {
    return Napi::Boolean::New(info.Env(), answers_ && answers_->look(info.Env()));
  }

  /**
   * segments(SegmentsJob) -> promise of {id, kernelMs, uploadMs}. The count rows are copied to the host or stay on the
   * device.
   */
  Napi::Value segments(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<SegmentsJob>(job);
      return Work<SegmentsCounted>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->segments(of); },
          segmentsOf);
    });
  }

  /** joint(JointJob) -> promise of {masked, kernelMs, uploadMs}. The counts of the cells are copied to the host. */
  Napi::Value joint(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<JointJob>(job);
      return Work<JointCounted>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->joint(of); },
          cellsOf);
    });
  }

  /** readRows(RowsJob) -> promise. Copies rows that stayed on the device to the host. */
  Napi::Value readRows(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<RowsJob>(job);
      return Work<int>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->readRows(of), 0; }, undefined);
    });
  }

  /** freeRows(id) -> promise. Frees their memory. */
  Napi::Value freeRows(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto id = job.whole<uint32_t>();
      return Work<int>::start(
          info.Env(), std::move(held), [context = context_, id] { return context->freeRows(id), 0; }, undefined);
    });
  }

  /** extent(ExtentJob) -> promise of {min, max} as order-preserving 64-bit keys. */
  Napi::Value extent(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<ExtentJob>(job);
      return Work<Extent>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->extent(of); },
          extentOf);
    });
  }

  /** uploadTable(TableSource) -> promise of a number. Copies the rows of a feature table to the device. */
  Napi::Value uploadTable(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<TableSource>(job);
      return Work<uint32_t>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->uploadTable(of); }, numberOf);
    });
  }

  /** sums(SumsJob) -> promise of {totals, ms, kernelMs, uploadMs}. */
  Napi::Value sums(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &job, Held &held) {
      const auto of = readOf<SumsJob>(job);
      return Work<Summed>::start(
          info.Env(), std::move(held), [context = context_, of] { return context->sums(of); },
          sumsOf);
    });
  }

  /** launch(prepared, resident or bytes, pixels) -> promise of counts. */
  Napi::Value launch(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      auto batch = std::make_unique<Batch>();
      batch->job = jobOf(info[0]);
      batch->inputs.push_back(readyOf(info[1], info[2], *batch->job));
      return answersOf(std::move(batch));
    });
  }

  /** add(total, prepared, resident or bytes, pixels) -> promise of undefined. */
  Napi::Value add(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      auto batch = std::make_unique<Batch>();
      batch->job = jobOf(info[1]);
      batch->total = totalOf(info[0], *batch->job);
      batch->inputs.push_back(readyOf(info[2], info[3], *batch->job));
      return answersOf(std::move(batch));
    });
  }

  /** take(total, prepared) -> promise of counts. */
  Napi::Value take(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      auto batch = std::make_unique<Batch>();
      batch->job = jobOf(info[1]);
      batch->total = totalOf(info[0], *batch->job);
      batch->takes = true;
      batch->inputs.emplace_back();
      return answersOf(std::move(batch));
    });
  }

  /** launchAll(prepared, [resident or bytes], [pixels]) -> promise of all counts. */
  Napi::Value launchAll(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      Held held(info.Env());
      auto batch = std::make_unique<Batch>();
      batch->job = jobOf(info[0]);
      const uint32_t size = Reader(info[1], "inputs", held).length();
      batch->inputs.reserve(size);
      for (uint32_t i = 0; i < size; i++) {
        // The scope keeps the number of open handles small.
        const Napi::HandleScope scope(info.Env());
        batch->inputs.push_back(readyOf(info[1].As<Napi::Array>().Get(i), info[2].As<Napi::Object>().Get(i), *batch->job));
      }
      return answersOf(std::move(batch));
    });
  }

  /** countNow(prepared, resident or bytes, pixels, into). */
  Napi::Value countNow(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      const std::shared_ptr<Job> job = jobOf(info[0]);
      context_->calls().countNow(job, readyOf(info[1], info[2], *job), countsOf(info[3], job->size()));
      return info.Env().Undefined();
    });
  }

  Napi::Value close(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &, Held &held) {
      return Work<int>::start(
          info.Env(), std::move(held), [context = context_] { return context->close(), 0; }, undefined);
    });
  }

  /** @throws Failure */
  Ready readyOf(napi_value of, napi_value pixels, const Job &job) const {
    return polybin::readyOf(Env(), *context_, of, pixels, job);
  }

  /** @throws Failure */
  double *countsOf(napi_value of, size_t size) const { return polybin::countsOf(Env(), of, size); }

  Answers &answers() {
    if (!answers_) answers_ = std::make_unique<Answers>(Env(), *context_, *this);
    return *answers_;
  }

  Napi::Value answersOf(std::unique_ptr<Batch> batch) { return answers().of(std::move(batch)); }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Answers> answers_;
};

}  // namespace

Napi::Function jsContext(Napi::Env env) { return JsContext::define(env); }

}  // namespace polybin
