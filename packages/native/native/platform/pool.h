// The threads of this process that count. They spin briefly for the next call and then sleep.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

namespace polybin {

/** Work that several threads share. */
class Call {
 public:
  virtual ~Call() = default;
  /** Works until nothing is left to take. Threads that take part have different places. */
  virtual void take(uint32_t place) noexcept = 0;
  /** Ends a call that was started. The last thread that took part calls it, and does not use the call afterwards. */
  virtual void end() noexcept {}

 private:
  friend class Pool;
  /** Threads that may still join, and the place of the next one. */
  uint32_t seats_ = 0;
  uint32_t joined_ = 0;
  std::atomic<uint32_t> active_{0};
  /** Whether a thread waits for the end, which `end` does otherwise. */
  bool awaited_ = false;
};

class Pool {
 public:
  /** The pool of this process. Its threads live as long as the process. */
  static Pool &shared();

  /** Works on the calling thread and on up to `helpers` others. Returns when all have ended. */
  void run(Call &, uint32_t helpers);
  /** Works on up to `threads` threads of the pool. @throws Failure if no thread can be started */
  void start(Call &, uint32_t threads);
  /** Works on one thread of the pool, which has up to `threads` for calls at the same time. @throws Failure */
  void startOne(Call &, uint32_t threads);

 private:
  void open(Call &, uint32_t seats, std::unique_lock<std::mutex> &);
  void close(Call &);
  /** Starts threads until there are `threads`. @throws Failure if there are none */
  void grow(uint32_t threads);
  [[noreturn]] void loop();
  void wait(std::unique_lock<std::mutex> &);

  std::mutex mutex_;
  std::condition_variable opened_, ended_;
  /** Calls that threads may join, the oldest first. */
  std::deque<Call *> calls_;
  /** Changes with each call that is opened. */
  std::atomic<uint32_t> epoch_{0};
  uint32_t threads_ = 0, asleep_ = 0;
};

}  // namespace polybin
