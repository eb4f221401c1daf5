#include "copiers.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "generated/limits.cuh"
#include "platform/watch.h"

namespace polybin {
namespace {

/** With fewer parts than this no thread is woken, because the caller would have copied them by then. */
constexpr uint32_t worthwhile = 4;

/**
 * Waking a thread takes as long as many parts. So a thread waits actively for as long as the next similar call may take
 * to copy.
 */
constexpr std::chrono::microseconds linger{200};

}  // namespace

/** Takes the next free part. Returns false if there is none. */
bool Copiers::copyNext(Task &task) {
  const uint32_t part = task.next.fetch_add(1);
  if (part >= task.parts) return false;
  try {
    if (!task.failed) task.copy(part);
  } catch (...) {
    const std::lock_guard<std::mutex> lock(task.mutex);
    if (!task.failure) task.failure = std::current_exception();
    task.failed = true;
  }
  task.isDone[part].store(true, std::memory_order_release);
  task.over.fetch_add(1, std::memory_order_release);
  return true;
}

void Copiers::run(uint32_t parts, uint32_t least, const std::function<void(uint32_t)> &copy,
                  const std::function<void(uint32_t, uint32_t)> &ready) {
  const auto task = std::make_shared<Task>(parts, copy);
  if (parts >= worthwhile) {
    const uint32_t helpers = std::min(limits::COPY_THREADS, std::max(2u, std::thread::hardware_concurrency())) - 1;
    const std::lock_guard<std::mutex> lock(mutex_);
    while (threads_.size() < helpers) threads_.emplace_back([this] { work(); });
    task_ = task;
    number_++;
    wake(*task);
  }
  uint32_t handed = 0, there = 0;
  std::exception_ptr failure;
  while (handed < parts && !task->failed && !failure) {
    while (there < parts && task->isDone[there].load(std::memory_order_acquire)) there++;
    if (there - handed >= std::clamp(handed, 1u, least) || (there == parts && there > handed)) {
      try {
        if (!task->failed) ready(handed, there);
      } catch (...) {
        failure = std::current_exception();
      }
      handed = there;
    } else if (!copyNext(*task)) {
      relax();
    }
  }
  // No thread begins another part. The loop waits for the parts that have begun, because they copy to the caller's
  // memory.
  task->failed = task->failed || failure;
  while (copyNext(*task)) continue;
  while (task->over.load(std::memory_order_acquire) < parts) relax();
  if (failure) std::rethrow_exception(failure);
  if (task->failure) std::rethrow_exception(task->failure);
}

/** Returns the task after the `seen`-th, or null if the threads stop. */
std::shared_ptr<Copiers::Task> Copiers::taskAfter(uint32_t seen) {
  const auto until = Watch::Clock::now() + linger;
  while (number_ == seen && Watch::Clock::now() < until) relax();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!isStopping_ && number_ == seen) {
    asleep_++;
    changed_.wait(lock);
    asleep_--;
  }
  if (isStopping_) return nullptr;
  wake(*task_);
  return task_;
}

/** Wakes one thread. This takes the time of a fraction of a part, so each thread that is awake wakes the next. */
void Copiers::wake(const Task &task) {
  if (asleep_ > 0 && task.next < task.parts) changed_.notify_one();
}

void Copiers::work() {
  for (uint32_t seen = 0;;) {
    const auto task = taskAfter(seen);
    if (task == nullptr) return;
    seen = number_;
    while (copyNext(*task)) continue;
  }
}

void Copiers::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    isStopping_ = true;
    changed_.notify_all();
  }
  for (std::thread &thread : threads_) thread.join();
  threads_.clear();
  task_ = nullptr;
  isStopping_ = false;
}

}  // namespace polybin
