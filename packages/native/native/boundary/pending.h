// A call off JavaScript's thread, whose promise its environment settles.
#pragma once
#include <node_api.h>

#include <atomic>

#include "platform/pool.h"

namespace polybin {

class Pending : public Call {
 public:
  /** On the environment's thread. */
  virtual void settle(napi_env) = 0;
  /** Makes all threads leave soon. On any thread. */
  void stop() { stopped_ = 1; }

 protected:
  std::atomic<uint32_t> stopped_{0};
};

}  // namespace polybin
