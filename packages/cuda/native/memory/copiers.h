// Threads that copy, and stay for the next copy.
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
 * Copies in parts, on several threads and the caller's: one alone reaches a fifth of the bus. Made when they are first
 * needed; between two copies that follow each other they do not sleep. One copy at a time.
 */
class Copiers {
 public:
  ~Copiers() { stop(); }

  /**
   * Calls `copy` for each of so many parts, on any thread, and `ready` on this one, in order, once all parts up to a
   * number are there: at first for one, and then for as many as before, up to `least` of them at a time. @throws what either throws, when nobody copies any more
   */
  void run(uint32_t parts, uint32_t least, const std::function<void(uint32_t)> &copy,
           const std::function<void(uint32_t from, uint32_t to)> &ready);
  void stop();

 private:
  /** A copy under way; who has taken a part of it holds it. */
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
