// The loop of a context's own thread. It launches waiting calls, watches for finished ones and answers them.
#include <algorithm>
#include <utility>

#include "calls.h"
#include "generated/limits.cuh"

namespace polybin {

void Calls::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    const bool isIdle = waiting_.empty() && launched_.empty();
    if (isIdle && isStopping_) return;
    if (isIdle) {
      lingerOrSleep(lock);
      continue;
    }
    launchSome(lock);
    if (!under_.empty()) watchFirst(lock);
    if (!answered_.empty()) tell(lock);
  }
}

/** Launches waiting calls as long as there is room. */
void Calls::launchSome(std::unique_lock<std::mutex> &lock) {
  while (!waiting_.empty()) {
    Batch &batch = *waiting_.front();
    Job &job = *batch.job;
    try {
      begin();
      while (!batch.failure && batch.launched < batch.inputs.size()) {
        const Ready &next = batch.inputs[batch.launched];
        const bool isThere = batch.total == nullptr || batch.total->isThere();
        if (job.wasLaunched && fits(job, next) && isThere) {
          if (!launchNext(batch)) return;
          letIn(lock);
          continue;
        }
        // The first launch of its kind takes long, and so does allocating memory. Both run while no call is under way,
        // and without the lock, so that others can look at the queue.
        if (!under_.empty()) return;
        lock.unlock();
        try {
          makeRoom(job, next);
          job.onDevice(memory_->queues[0].stream);
          if (batch.total != nullptr) batch.total->onDevice(memory_->queues[0].stream);
        } catch (...) {
          lock.lock();
          throw;
        }
        const bool isFirst = !job.wasLaunched || batch.takes;
        bool isLaunched = false;
        Failure failure;
        try {
          if (isFirst) isLaunched = launchNext(batch);
        } catch (...) {
          failure = failureCaught();
        }
        lock.lock();
        if (!failure.code.empty()) throw failure;
        if (isFirst && !isLaunched) return;
      }
    } catch (...) {
      batch.failure = failureCaught();
    }
    launched_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    finish(batch);
  }
}

/** Waits until the oldest call is over or another one arrives. */
void Calls::watchFirst(std::unique_lock<std::mutex> &lock) {
  const CallOf first = under_.front();
  const uint32_t came = came_;
  Watch watch(first->flag, first->number, first->stream);
  lock.unlock();
  std::optional<Failure> failure;
  try {
    while (!watch.look() && came_ == came) continue;
  } catch (...) {
    failure = failureCaught();
  }
  lock.lock();
  if (failure) failAll(*failure);
  else collect();
}

void Calls::lingerOrSleep(std::unique_lock<std::mutex> &lock) {
  const uint32_t came = came_;
  lock.unlock();
  const auto until = Watch::Clock::now() + std::chrono::microseconds(limits::LINGER_US);
  while (came_ == came && Watch::Clock::now() < until) relax();
  lock.lock();
  if (came_ != came) return;
  isAsleep_ = true;
  changed_.wait(lock, [&] { return came_ != came; });
  isAsleep_ = false;
}

/** Collects the counts of finished calls, in their order. */
void Calls::collect() {
  while (!under_.empty()) {
    Call &call = *under_.front();
    if (call.isAwaited) {
      if (!call.isOver) return;
    } else {
      if (*call.flag != call.number) return;
      std::atomic_thread_fence(std::memory_order_acquire);
      call.read(call.batch->counts.data() + call.index * call.size);
      call.batch->over++;
      finish(*call.batch);
    }
    memory_->ring.giveTo(call.end);
    under_.pop_front();
  }
}

/** Answers a batch if all of its launched inputs are over. */
void Calls::finish(Batch &batch) {
  if (batch.over < batch.launched) return;
  const auto found =
      std::find_if(launched_.begin(), launched_.end(), [&](const auto &of) { return of.get() == &batch; });
  if (found == launched_.end()) return;
  answered_.push_back(std::move(*found));
  launched_.erase(found);
}

/** Runs after a device error: no call that is under way will finish. */
void Calls::failAll(const Failure &failure) {
  for (Queue &queue : memory_->queues) {
    cudaStreamSynchronize(queue.stream);
    queue.workspace.distrust();
  }
  cudaGetLastError();
  for (const CallOf &call : std::exchange(under_, {})) {
    memory_->ring.giveTo(call->end);
    call->isOver = true;
    if (call->batch == nullptr) continue;
    call->batch->failure = failure;
    call->batch->over++;
    finish(*call->batch);
  }
}

void Calls::tell(std::unique_lock<std::mutex> &lock) {
  if (isTold_.exchange(true)) return;
  lock.unlock();
  if (tell_) tell_();
  lock.lock();
}

}  // namespace polybin
