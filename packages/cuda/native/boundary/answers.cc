#include "answers.h"

#include <cstring>

#include "values.h"
#include "work.h"

namespace polybin {
namespace {

/** The recipient of an answer. */
struct Asker {
  napi_deferred deferred;
  /** The memory that the call reads. The main thread releases it together with the batch. */
  std::optional<Held> held;
};

napi_value countsOf(napi_env env, const std::vector<double> &counts) {
  void *data = nullptr;
  napi_value buffer = nullptr, array = nullptr;
  const size_t bytes = counts.size() * sizeof(double);
  if (napi_create_arraybuffer(env, bytes, &data, &buffer) != napi_ok) throw Napi::Error::New(env);
  if (bytes > 0) std::memcpy(data, counts.data(), bytes);
  if (napi_create_typedarray(env, napi_float64_array, counts.size(), buffer, 0, &array) != napi_ok) {
    throw Napi::Error::New(env);
  }
  return array;
}

napi_value resultOf(Napi::Env env, const Batch &batch) {
  const napi_value counts = countsOf(env, batch.counts);
  if (!batch.times) return counts;
  auto result = timesOf(env, *batch.times);
  result.Set("counts", counts);
  return result;
}

}  // namespace

Answers::Answers(Napi::Env env, Context &context, Napi::Reference<Napi::Object> &owner)
    : env_(env), context_(context), owner_(owner) {
  const napi_value name = Napi::String::New(env, "polybin");
  if (napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, this, onTold, &told_) !=
      napi_ok) {
    throw Napi::Error::New(env);
  }
  napi_unref_threadsafe_function(env, told_);
  // This hook is added after the function is created, so it runs before Node releases the function.
  napi_add_env_cleanup_hook(env, onClose, this);
  context.calls().onAnswers([told = told_] { napi_call_threadsafe_function(told, nullptr, napi_tsfn_nonblocking); });
}

Answers::~Answers() {
  if (told_ == nullptr) return;
  napi_remove_env_cleanup_hook(env_, onClose, this);
  release();
}

void Answers::onClose(void *of) { static_cast<Answers *>(of)->release(); }

/** After this, no thread calls the function. */
void Answers::release() {
  context_.stop();
  context_.calls().onAnswers(nullptr);
  context_.calls().take();
  napi_release_threadsafe_function(told_, napi_tsfn_abort);
  told_ = nullptr;
}

Napi::Value Answers::promiseOf(Batch &batch, std::optional<Held> held) {
  const auto asker = std::make_shared<Asker>();
  if (held) asker->held.emplace(std::move(*held));
  napi_value promise = nullptr;
  if (napi_create_promise(env_, &asker->deferred, &promise) != napi_ok) throw Napi::Error::New(env_);
  batch.asker = asker;
  if (open_++ == 0) {
    owner_.Ref();
    napi_ref_threadsafe_function(env_, told_);
  }
  return {env_, promise};
}

Napi::Value Answers::of(std::unique_ptr<Batch> batch) {
  const Napi::Value promise = promiseOf(*batch, std::nullopt);
  context_.calls().submit(std::move(batch));
  return promise;
}

Napi::Value Answers::of(const CountJob &job, Held held, std::unique_ptr<Batch> batch) {
  const Napi::Value promise = promiseOf(*batch, std::move(held));
  context_.submit(job, std::move(batch));
  return promise;
}

bool Answers::look(Napi::Env env) {
  if (context_.calls().hasAnswers()) settleAll(env);
  return open_ > 0;
}

void Answers::onTold(napi_env env, napi_value, void *of, void *) {
  // Without an environment, the function is closing: no caller waits, and `of` may be freed already.
  if (env != nullptr) static_cast<Answers *>(of)->settleAll(env);
}

void Answers::settleAll(Napi::Env env) {
  const Napi::HandleScope scope(env);
  for (const auto &batch : context_.calls().take()) {
    const napi_deferred deferred = static_cast<Asker *>(batch->asker.get())->deferred;
    settle(env, deferred, [&] {
      if (batch->failure) throw Failure(*batch->failure);
      return resultOf(env, *batch);
    });
    if (--open_ > 0) continue;
    napi_unref_threadsafe_function(env, told_);
    owner_.Unref();
  }
}

}  // namespace polybin
