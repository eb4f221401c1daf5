// Runs work in order, off the threads of JavaScript.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace polybin {

/** The thread starts when it is first needed. It does not sleep between two calls that follow each other closely. */
class Serial {
 public:
  ~Serial() { stop(); }

  /** Runs this after everything that was submitted earlier. `work` must not throw. */
  void submit(std::function<void()> work);
  /** Waits until all submitted work is done and ends the thread. Later work starts another one. */
  void stop();

 private:
  void run();
  std::function<void()> next();

  std::mutex stopping_, mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::thread thread_;
  bool isStopping_ = false, isAsleep_ = false;
  /** The amount of work that ever arrived. A lingering thread sees from it that there is more. */
  std::atomic<uint32_t> came_{0};
};

}  // namespace polybin
