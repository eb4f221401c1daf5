#include "serial.h"

#include <utility>

#include "generated/limits.cuh"
#include "platform/watch.h"

namespace polybin {

void Serial::submit(std::function<void()> work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  waiting_.push_back(std::move(work));
  // A stopping caller starts another thread for work that arrives meanwhile.
  if (!isStopping_ && !thread_.joinable()) thread_ = std::thread([this] { run(); });
  came_++;
  if (isAsleep_) changed_.notify_one();
}

/** The next work. Null: the thread must end. */
std::function<void()> Serial::next() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (waiting_.empty() && !isStopping_) {
    const uint32_t came = came_;
    lock.unlock();
    const auto until = Watch::Clock::now() + std::chrono::microseconds(limits::LINGER_US);
    while (came_ == came && Watch::Clock::now() < until) relax();
    lock.lock();
  }
  isAsleep_ = true;
  changed_.wait(lock, [&] { return isStopping_ || !waiting_.empty(); });
  isAsleep_ = false;
  if (waiting_.empty()) return nullptr;
  auto work = std::move(waiting_.front());
  waiting_.pop_front();
  return work;
}

void Serial::run() {
  while (const auto work = next()) work();
}

void Serial::stop() {
  const std::lock_guard<std::mutex> alone(stopping_);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    isStopping_ = true;
    came_++;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  const std::lock_guard<std::mutex> lock(mutex_);
  isStopping_ = false;
  if (!waiting_.empty()) thread_ = std::thread([this] { run(); });
}

}  // namespace polybin
