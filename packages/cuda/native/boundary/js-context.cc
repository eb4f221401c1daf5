// The class Context.
#include <algorithm>
#include <memory>
#include <utility>

#include "addon.h"
#include "answers.h"
#include "handles.h"
#include "platform/expect.h"
#include "promised.h"
#include "run/checks.h"
#include "run/context.h"

namespace polybin {
namespace {

/** One engine's hold on a device. src/border/addon.ts says what its methods do. */
class JsContext : public Napi::ObjectWrap<JsContext> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Context",
                       {InstanceMethod<&JsContext::ask<Upload, &Context::upload>>("upload"),
                        InstanceMethod<&JsContext::ask<TableSource, &Context::uploadTable>>("uploadTable"),
                        InstanceMethod<&JsContext::ask<Download, &Context::download>>("download"),
                        InstanceMethod<&JsContext::ask<uint32_t, &Context::free>>("free"),
                        InstanceMethod<&JsContext::ask<SegmentsJob, &Context::segments>>("segments"),
                        InstanceMethod<&JsContext::ask<RowsJob, &Context::readRows>>("readRows"),
                        InstanceMethod<&JsContext::ask<JointJob, &Context::joint>>("joint"),
                        InstanceMethod<&JsContext::ask<ExtentJob, &Context::extent>>("extent"),
                        InstanceMethod<&JsContext::ask<SumsJob, &Context::sums>>("sums"),
                        InstanceMethod<&JsContext::prepare>("prepare"), InstanceMethod<&JsContext::count>("count"),
                        InstanceMethod<&JsContext::launch>("launch"),
                        InstanceMethod<&JsContext::countNow>("countNow"),
                        InstanceMethod<&JsContext::countSource>("countSource"),
                        InstanceMethod<&JsContext::look>("look"), InstanceMethod<&JsContext::total>("total"),
                        InstanceMethod<&JsContext::take>("take"),
                        InstanceMethod<&JsContext::freeTotal>("freeTotal"),
                        InstanceMethod<&JsContext::close>("close")});
  }

  /** Context(device, exactTimings) */
  explicit JsContext(const Napi::CallbackInfo &info) : Napi::ObjectWrap<JsContext>(info) {
    thrown(info, [&] {
      Held held(info.Env());
      const auto device = Reader(info[0], "device", held).whole<uint32_t>();
      checkDevice(device);
      context_ = std::make_shared<Context>(device, Reader(info[1], "exactTimings", held).boolean());
    });
  }

 private:
  /** A call of the context with a message, off the main thread. */
  template <typename Message, auto call>
  Napi::Value ask(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &argument, Held &held) {
      const auto job = readOf<Message>(argument);
      return started(info.Env(), std::move(held), [context = context_, job] { return (*context.*call)(job); });
    });
  }

  Napi::Value close(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &, Held &held) {
      return started(info.Env(), std::move(held), [context = context_] { context->close(); });
    });
  }

  /** prepare(CountShape) -> a handle that the calls below take as their first or second argument. */
  Napi::Value prepare(const Napi::CallbackInfo &info) {
    return thrown(info, [&]() -> Napi::Value {
      Held held(info.Env());
      return handleOf(info.Env(), context_->prepare(readOf<CountShape>(Reader(info[0], "job", held))), jobTag);
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
      return started(info.Env(), std::move(held), [total] { total->reset(); });
    });
  }

  /** count(CountJob, prepared, total or undefined) -> promise of {counts, kernelMs, uploadMs}. */
  Napi::Value count(const Napi::CallbackInfo &info) {
    return promised(info, [&](const Reader &argument, Held &held) {
      const auto job = readOf<CountJob>(argument);
      return answers().of(job, std::move(held), batchOf(info[1], info[2]));
    });
  }

  /** countSource(prepared, CountJob, into) -> {kernelMs, uploadMs}. Counts piece by piece, before it returns. */
  Napi::Value countSource(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      Held held(info.Env());
      const JobOf job = jobOf(info[0]);
      const auto of = readOf<CountJob>(Reader(info[1], "job", held));
      double *const into = countsOf(info[2], job->size());
      const Counted counted = context_->count(of, *job, nullptr);
      std::copy(counted.counts.begin(), counted.counts.end(), into);
      return timesOf(info.Env(), counted);
    });
  }

  /** launch(prepared, resident or bytes or several, pixels of each, total or undefined) -> promise of all counts. */
  Napi::Value launch(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      auto batch = batchOf(info[0], info[3]);
      if (!info[1].IsArray()) {
        batch->inputs.push_back(readyOf(info[1], info[2], *batch->job));
        return answers().of(std::move(batch));
      }
      const auto inputs = info[1].As<Napi::Array>();
      const uint32_t size = inputs.Length();
      batch->inputs.reserve(size);
      for (uint32_t i = 0; i < size; i++) {
        // The scope keeps the number of open handles small.
        const Napi::HandleScope scope(info.Env());
        batch->inputs.push_back(readyOf(inputs.Get(i), info[2].As<Napi::Object>().Get(i), *batch->job));
      }
      return answers().of(std::move(batch));
    });
  }

  /** take(total, prepared) -> promise of counts. */
  Napi::Value take(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      auto batch = batchOf(info[1], info[0]);
      expect(batch->total != nullptr, "total", "what this addon made", 0);
      batch->takes = true;
      batch->inputs.emplace_back();
      return answers().of(std::move(batch));
    });
  }

  /** countNow(prepared, resident or bytes, pixels, into). */
  Napi::Value countNow(const Napi::CallbackInfo &info) {
    return thrown(info, [&] {
      const JobOf job = jobOf(info[0]);
      context_->calls().countNow(job, readyOf(info[1], info[2], *job), countsOf(info[3], job->size()));
      return info.Env().Undefined();
    });
  }

  /** look() -> boolean. Settles finished calls, and returns whether other calls are under way. */
  Napi::Value look(const Napi::CallbackInfo &info) {
    return Napi::Boolean::New(info.Env(), answers_ && answers_->look(info.Env()));
  }

  /** A batch without inputs. Its counts go to a total unless that is undefined. @throws Failure */
  static std::unique_ptr<Batch> batchOf(const Napi::Value &prepared, const Napi::Value &total) {
    auto batch = std::make_unique<Batch>();
    batch->job = jobOf(prepared);
    if (!total.IsUndefined()) batch->total = totalOf(total, *batch->job);
    return batch;
  }

  // These read no messages, which would take as long as a short call.

  /** Samples that a call can count at once: a resident by its number, or the bytes of a Uint8Array. @throws Failure */
  Ready readyOf(napi_value of, napi_value many, const Job &job) const {
    const napi_env env = Env();
    double pixels = 0, id = 0;
    const bool isWhole = napi_get_value_double(env, many, &pixels) == napi_ok && pixels >= 0 &&
                         pixels <= limits::U32_MAX * 65536.0 && pixels == static_cast<double>(static_cast<uint64_t>(pixels));
    expect(isWhole, "pixels", "a whole number", 0);
    if (napi_get_value_double(env, of, &id) == napi_ok) {
      expect(id >= 1 && id <= limits::U32_MAX, "resident", "its number", 0);
      return context_->resident(static_cast<uint32_t>(id), static_cast<uint64_t>(pixels), job);
    }
    size_t bytes = 0;
    const void *const data = arrayOf(of, napi_uint8_array, &bytes);
    expect(bytes != none, "input", "a resident's number or a Uint8Array", 0);
    checkFew(static_cast<uint64_t>(pixels), bytes, job.shape);
    return {static_cast<uint64_t>(pixels), nullptr, nullptr, static_cast<const uint8_t *>(data)};
  }

  /** The memory of a Float64Array with `size` elements. @throws Failure */
  double *countsOf(napi_value of, size_t size) const {
    size_t length = 0;
    void *const data = arrayOf(of, napi_float64_array, &length);
    expect(length != none, "into", "a Float64Array", 0);
    exactly("into.length", length, size);
    return static_cast<double *>(data);
  }

  static constexpr size_t none = ~size_t{0};

  /** The memory of a typed array. `length` is `none` for another value. */
  void *arrayOf(napi_value of, napi_typedarray_type wanted, size_t *length) const {
    void *data = nullptr;
    napi_typedarray_type type = wanted;
    const auto status = napi_get_typedarray_info(Env(), of, &type, length, &data, nullptr, nullptr);
    if (status != napi_ok || type != wanted) *length = none;
    return data;
  }

  Answers &answers() {
    if (!answers_) answers_ = std::make_unique<Answers>(Env(), *context_, *this);
    return *answers_;
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Answers> answers_;
};

}  // namespace

Napi::Function jsContext(Napi::Env env) { return JsContext::define(env); }

}  // namespace polybin
