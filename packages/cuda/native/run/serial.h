// Work that is done one after the other, off the threads of JavaScript.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace polybin {

/** A thread that is begun when it is first needed; between two calls that follow each other it does not sleep. */
class Serial {
 public:
  ~Serial() { stop(); }

  /** Does this behind all that came before; it throws nothing. */
  void submit(std::function<void()> work);
  /** Waits until all is done that was submitted and ends the thread; what comes later begins another. */
  void stop();

 private:
  void run();
  std::function<void()> next();

  std::mutex stopping_, mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::thread thread_;
  bool isStopping_ = false, isAsleep_ = false;
  /** How much ever came: who lingers sees that there is more. */
  std::atomic<uint32_t> came_{0};
};

}  // namespace polybin
