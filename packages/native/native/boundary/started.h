// A count off JavaScript's thread, as a promise.
#pragma once
#include <napi.h>

#include <functional>
#include <memory>
#include <vector>

#include "held.h"
#include "pending.h"
#include "run/pieces.h"

namespace polybin {

class Environment;

class Started : public Pending {
 public:
  /** Makes the count, which adds to these counts. */
  using Make = std::function<std::unique_ptr<Pieces>(double *counts, const Control &)>;

  /** @param counts the array that receives the counts, and has the numbers that they are added to */
  Started(Napi::Env, Environment &, napi_value counts, const View &);
  ~Started() override;

  Held &held() { return held_; }
  /**
   * Starts the count. The call deletes itself when it has been settled. `make` keeps what the count needs.
   * @throws Failure, Napi::Error
   */
  static napi_value start(std::unique_ptr<Started>, Make make, Control);

  /** What the promise resolves with. Absent: undefined. */
  using Value = std::function<napi_value(napi_env, Pieces &)>;
  void resolveWith(Value value) { value_ = std::move(value); }

  void take(uint32_t place) noexcept override;
  void end() noexcept override;
  void settle(napi_env) override;

 private:
  napi_env env_;
  Environment &environment_;
  Held held_;
  std::vector<double> counts_;
  Make make_;
  Value value_;
  std::unique_ptr<Pieces> count_;
  napi_ref to_ = nullptr;
  napi_deferred deferred_ = nullptr;
};

}  // namespace polybin
