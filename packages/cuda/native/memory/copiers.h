// Threads that copy, and that stay for the next copy.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace polybin {

/**
 * Copies in parts, on several threads and the caller's. A single thread reaches a fifth of the bus's bandwidth. The
 * threads start on first use. They do not sleep between two copies in close succession. There is one copy at a time.
 */
class Copiers {
 public:
  ~Copiers() { stop(); }

  /**
   * Calls `copy` for each part, on any thread. Calls `ready` on this thread, in order, when all parts up to a number
   * are done: first for one part, and then for as many as before, up to `least` at a time. @throws what either throws,
   * when no thread copies any more
   */
  void run(uint32_t parts, uint32_t least, const std::function<void(uint32_t)> &copy,
           const std::function<void(uint32_t from, uint32_t to)> &ready);
  void stop();

 private:
  /** A copy in progress. A thread that has taken a part holds it. */
  struct Task {
    explicit Task(uint32_t parts, const std::function<void(uint32_t)> &copy)
        : parts(parts), copy(copy), isDone(new std::atomic<bool>[parts]()) {}
    const uint32_t parts;
    const std::function<void(uint32_t)> &copy;
    std::unique_ptr<std::atomic<bool>[]> isDone;
    std::atomic<uint32_t> next{0}, over{0};
    std::atomic<bool> failed{false};
    std::mutex mutex;
    std::exception_ptr failure;
  };

  void work();
  static bool copyNext(Task &);
  std::shared_ptr<Task> taskAfter(uint32_t seen);
  void wake(const Task &);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Task> task_;
  std::atomic<uint32_t> number_{0};
  uint32_t asleep_ = 0;
  bool isStopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace polybin
