// The classes Counter and Cells: prepared counts.
#pragma once
#include <napi.h>

#include <memory>

#include "run/cells.h"
#include "run/job.h"

namespace polybin {

class Environment;

class Counter : public Napi::ObjectWrap<Counter> {
 public:
  static Napi::Function define(Napi::Env, Environment &);
  /** new Counter(numbers, low, high) */
  explicit Counter(const Napi::CallbackInfo &);

 private:
  /** countSync(bytes, width, height, pitch, counts) -> their sum, or an array of the sum and the flow */
  Napi::Value countSync(const Napi::CallbackInfo &);
  /** count(bytes, width, height, pitch, counts, watch) -> promise */
  Napi::Value count(const Napi::CallbackInfo &);
  /** countFile(descriptor, offset, pixels, counts, watch) -> promise */
  Napi::Value countFile(const Napi::CallbackInfo &);
  /** extentFile(descriptor, offset, pixels, range, watch) -> promise */
  Napi::Value extentFile(const Napi::CallbackInfo &);
  /** extentSync(bytes, width, height, pitch, range) */
  void extentSync(const Napi::CallbackInfo &);
  /** extent(bytes, width, height, pitch, range, watch) -> promise */
  Napi::Value extent(const Napi::CallbackInfo &);
  /** segments(bytes, width, height, pitch, none, watch, numbers, offsets, counts, flow) -> promise */
  Napi::Value segments(const Napi::CallbackInfo &);
  template <typename Made>
  Napi::Value start(const Napi::CallbackInfo &, size_t counts);
  template <typename Made>
  Napi::Value startFile(const Napi::CallbackInfo &, size_t counts);

  Environment &environment_;
  std::shared_ptr<const Job> job_;
};

class CellsCounter : public Napi::ObjectWrap<CellsCounter> {
 public:
  static Napi::Function define(Napi::Env, Environment &);
  /** new Cells(numbers, [[numbers, low, high], …]) */
  explicit CellsCounter(const Napi::CallbackInfo &);

 private:
  /** countSync([bytes, …], geometry, mask, where, samples, counts) */
  void countSync(const Napi::CallbackInfo &);
  /** count([bytes, …], geometry, mask, where, samples, counts, watch) -> promise */
  Napi::Value count(const Napi::CallbackInfo &);
  /** sums([bytes, …], geometry, mask, where, samples, counts, watch, [weights, …], squares, segments, offsets, first) -> promise */
  Napi::Value sums(const Napi::CallbackInfo &);

  Environment &environment_;
  std::shared_ptr<const Cells> job_;
};

}  // namespace polybin
