// The class Counter: a prepared count.
#pragma once
#include <napi.h>

#include <memory>

#include "run/job.h"

namespace polybin {

class Environment;

class Counter : public Napi::ObjectWrap<Counter> {
 public:
  static Napi::Function define(Napi::Env, Environment &);
  /** new Counter(numbers, low, high) */
  explicit Counter(const Napi::CallbackInfo &);

 private:
  /** countSync(bytes, width, height, pitch, counts) */
  void countSync(const Napi::CallbackInfo &);
  /** count(bytes, width, height, pitch, counts, control) -> promise */
  Napi::Value count(const Napi::CallbackInfo &);

  Environment &environment_;
  std::shared_ptr<const Job> job_;
};

}  // namespace polybin
