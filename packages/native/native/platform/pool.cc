#include "pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>

#if !defined(_WIN32)
#include <pthread.h>
#include <signal.h>
#endif

#include "generated/border.h"
#include "platform/failure.h"

namespace polybin {
namespace {

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/** Threads that are started meanwhile take no signals, which are for Node's own threads. */
class SignalsBlocked {
#if !defined(_WIN32)
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

 private:
  sigset_t before_;
#endif
};

/** Spins until a condition holds, for some microseconds at most. */
template <typename Condition>
void spin(Condition holds) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::microseconds(limits::SPIN_US);
  while (!holds() && Clock::now() < until) {
    for (int i = 0; i < 16 && !holds(); i++) pause();
  }
}

}  // namespace

Pool &Pool::shared() {
  // It is never destroyed: its threads run until the process ends.
  static auto *const pool = new Pool();
  return *pool;
}

void Pool::run(Call &call, uint32_t helpers) {
  if (helpers > 0) {
    std::unique_lock lock(mutex_);
    // The calling thread can count alone.
    try {
      grow(helpers);
    } catch (const Failure &) {
      helpers = 0;
    }
    call.awaited_ = true;
    call.joined_ = 1;
    if (helpers > 0) open(call, helpers, lock);
  }
  call.take(0);
  if (helpers == 0) return;
  std::unique_lock lock(mutex_);
  close(call);
  if (call.active_ > 0) {
    lock.unlock();
    spin([&] { return call.active_ == 0; });
    lock.lock();
    ended_.wait(lock, [&] { return call.active_ == 0; });
  }
}

void Pool::start(Call &call, uint32_t threads) {
  std::unique_lock lock(mutex_);
  grow(threads);
  open(call, threads, lock);
}

void Pool::startOne(Call &call, uint32_t threads) {
  std::unique_lock lock(mutex_);
  grow(threads);
  open(call, 1, lock);
}

void Pool::open(Call &call, uint32_t seats, std::unique_lock<std::mutex> &lock) {
  call.seats_ = seats;
  calls_.push_back(&call);
  epoch_++;
  const uint32_t wake = std::min(seats, asleep_);
  lock.unlock();
  for (uint32_t i = 0; i < wake; i++) opened_.notify_one();
}

void Pool::close(Call &call) {
  const auto at = std::find(calls_.begin(), calls_.end(), &call);
  if (at != calls_.end()) calls_.erase(at);
}

void Pool::grow(uint32_t threads) {
  if (threads_ >= threads) return;
  [[maybe_unused]] const SignalsBlocked blocked;
  for (; threads_ < threads; threads_++) {
    try {
      std::thread([this] { loop(); }).detach();
    } catch (const std::system_error &) {
      if (threads_ > 0) return;
      throw Failure{"ERR_OUT_OF_MEMORY", "the process cannot start a thread"};
    }
  }
}

void Pool::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wait(lock);
    Call &call = *calls_.front();
    const uint32_t place = call.joined_++;
    if (--call.seats_ == 0) calls_.pop_front();
    call.active_++;
    lock.unlock();
    call.take(place);
    lock.lock();
    // Nothing is left for others.
    close(call);
    const bool awaited = call.awaited_;
    if (--call.active_ > 0) continue;
    // From here on, a thread that waited may have freed the call.
    if (awaited) {
      ended_.notify_all();
    } else {
      lock.unlock();
      call.end();
      lock.lock();
    }
  }
}

void Pool::wait(std::unique_lock<std::mutex> &lock) {
  if (!calls_.empty()) return;
  const uint32_t seen = epoch_;
  lock.unlock();
  spin([&] { return epoch_ != seen; });
  lock.lock();
  asleep_++;
  opened_.wait(lock, [&] { return !calls_.empty(); });
  asleep_--;
}

}  // namespace polybin
