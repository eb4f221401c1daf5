#include "calls.h"

#include <algorithm>
#include <cstring>

#include "generated/limits.cuh"

namespace polybin {
namespace {

// A call's place in the ring:
//
//   flag | counts | samples of a small input, and what a last load may touch behind them
//
// each at a multiple of so many bytes.
constexpr size_t apart = 256;

size_t aligned(size_t bytes) { return (bytes + apart - 1) / apart * apart; }

size_t hostBytes(const Job &job, const Ready &of) { return of.host == nullptr ? 0 : of.pixels * job.pixelBytes(); }

size_t placeBytes(const Job &job, const Ready &of, bool narrow) {
  const size_t samples = hostBytes(job, of);
  return apart + aligned(job.countBytes(narrow)) + (samples == 0 ? 0 : samples + limits::GPU_PADDING_BYTES);
}

}  // namespace

/** Makes this thread work on the device; the first one makes the stream. */
void Calls::begin() {
  checkNotLost();
  int device = -1;
  if (cudaGetDevice(&device) != cudaSuccess || device != device_ || stream_ == nullptr) {
    check(cudaSetDevice(device_), "cudaSetDevice");
  }
  // An error that another call of this thread left behind is not this one's.
  cudaGetLastError();
  if (stream_ == nullptr) check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
}

bool Calls::fits(const Job &job, const Ready &of) const {
  return workspace_.fits(job, of.pixels) && ring_.fits(placeBytes(job, of, false));
}

/** Only while nothing is under way. */
void Calls::makeRoom(Job &job, const Ready &of) {
  ring_.reserve(placeBytes(job, of, false));
  workspace_.reserve(job, of.pixels, stream_);
}

/** Launches what is to be done for one input; null: the ring has no room now. */
Calls::CallOf Calls::launch(Job &job, const Ready &of, Total *total, bool takes) {
  const bool narrow = !takes && job.isNarrow(of.pixels);
  if (under_.empty()) ring_.giveAll();
  const Ring::Place place = ring_.take(placeBytes(job, of, narrow));
  if (place.memory == nullptr) return nullptr;
  if (++number_ == 0) number_ = 1;
  auto call = std::make_shared<Call>();
  call->job = &job;
  call->held = of.held;
  call->flag = reinterpret_cast<volatile uint32_t *>(place.memory);
  call->home = place.memory + apart;
  call->number = number_;
  call->narrow = narrow;
  call->size = total == nullptr || takes ? job.size() : 0;
  call->end = place.end;
  *call->flag = 0;
  const void *data = of.device;
  if (const size_t bytes = hostBytes(job, of); bytes > 0) {
    uint8_t *const samples = place.memory + apart + aligned(job.countBytes(narrow));
    std::memcpy(samples, of.host, bytes);
    std::memset(samples + bytes, 0xff, limits::GPU_PADDING_BYTES);
    data = samples;
  }
  try {
    queue(job, of, data, {place.memory + apart, nullptr, reinterpret_cast<uint32_t *>(place.memory), number_}, narrow,
          total, takes);
  } catch (...) {
    // What was queued reads memory that the caller may let go of.
    cudaStreamSynchronize(stream_);
    cudaGetLastError();
    throw;
  }
  return call;
}

void Calls::queue(Job &job, const Ready &of, const void *data, const Home &into, bool narrow, Total *total, bool takes) {
  if (takes) return workspace_.take(total->onDevice(stream_), total->size, into, stream_);
  Home home = into;
  if (total != nullptr) home.counts = nullptr, home.total = total->onDevice(stream_);
  const auto *const bytes = static_cast<const uint8_t *>(data);
  const uint64_t most = job.launchPixels();
  workspace_.begin(job, narrow, stream_);
  uint64_t first = 0;
  for (; of.pixels - first > most; first += most) {
    workspace_.count(job, bytes + first * job.pixelBytes(), most, nullptr);
  }
  workspace_.count(job, bytes + first * job.pixelBytes(), of.pixels - first, &home);
  job.wasLaunched = true;
}

/** The next input of a batch; false: there is no room now. */
bool Calls::launchNext(Batch &batch) {
  const size_t index = batch.launched;
  const CallOf call = launch(*batch.job, batch.inputs[index], batch.total.get(), batch.takes);
  if (call == nullptr) return false;
  call->batch = &batch;
  call->total = batch.total;
  call->index = index;
  call->isAwaited = false;
  batch.inputs[index].held.reset();
  batch.launched++;
  under_.push_back(call);
  return true;
}

void Calls::submit(std::unique_ptr<Batch> own) {
  Batch &batch = *own;
  if (batch.total == nullptr || batch.takes) batch.counts.resize(batch.inputs.size() * batch.job->size());
  std::unique_lock<std::mutex> lock(mutex_);
  if (isStopping_) {
    batch.failure = Failure{"ERR_UNAVAILABLE", "expected an open engine but this one was closed"};
    answered_.push_back(std::move(own));
    return tell(lock);
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  bool isLaunched = false;
  if (waiting_.empty() && batch.inputs.size() == 1 && batch.job->wasLaunched && fits(*batch.job, batch.inputs[0]) &&
      (batch.total == nullptr || batch.total->isThere())) {
    try {
      begin();
      isLaunched = launchNext(batch);
    } catch (...) {
      batch.failure = failureCaught();
      answered_.push_back(std::move(own));
      return tell(lock);
    }
  }
  if (isLaunched) {
    launched_.push_back(std::move(own));
  } else {
    for (Ready &of : batch.inputs) {
      const size_t bytes = hostBytes(*batch.job, of);
      if (bytes == 0) continue;
      const std::shared_ptr<uint8_t[]> copy(new uint8_t[bytes]);
      std::memcpy(copy.get(), of.host, bytes);
      of.host = copy.get();
      of.held = copy;
    }
    waiting_.push_back(std::move(own));
  }
  came_++;
  if (isAsleep_) changed_.notify_one();
}

std::vector<std::unique_ptr<Batch>> Calls::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  isTold_ = false;
  return std::exchange(answered_, {});
}

void Calls::countNow(const std::shared_ptr<Job> &job, const Ready &of, double *counts) {
  CallOf call;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      // Those that wait came before.
      if (waiting_.empty()) {
        begin();
        if (!fits(*job, of) && under_.empty()) makeRoom(*job, of);
        if (fits(*job, of)) call = launch(*job, of, nullptr, false);
        if (call != nullptr) break;
      }
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
    call->batch = nullptr;
    call->isAwaited = true;
    under_.push_back(call);
  }
  try {
    Watch watch(call->flag, call->number, stream_);
    while (!watch.look()) continue;
  } catch (const Failure &failure) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failAll(failure);
    throw;
  }
  call->read(counts);
  const std::lock_guard<std::mutex> lock(mutex_);
  call->isOver = true;
  while (!under_.empty() && under_.front()->isOver) {
    ring_.giveTo(under_.front()->end);
    under_.pop_front();
  }
}

// -- The context's own thread --------------------------------------------------------------------------------------

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

/** Launches what waits, as far as there is room. */
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
          continue;
        }
        // The first of its kind takes long, or memory is made: alone, and while others may look at what waits.
        if (!under_.empty()) return;
        lock.unlock();
        try {
          makeRoom(job, next);
          job.onDevice(stream_);
          if (batch.total != nullptr) batch.total->onDevice(stream_);
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

/** Waits for the call that is over first, or until another comes. */
void Calls::watchFirst(std::unique_lock<std::mutex> &lock) {
  const CallOf first = under_.front();
  const uint32_t came = came_;
  Watch watch(first->flag, first->number, stream_);
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

/** Brings home what is over, in its order. */
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
    ring_.giveTo(call.end);
    under_.pop_front();
  }
}

/** Answers a batch of which all that was launched is over. */
void Calls::finish(Batch &batch) {
  if (batch.over < batch.launched) return;
  const auto found =
      std::find_if(launched_.begin(), launched_.end(), [&](const auto &of) { return of.get() == &batch; });
  if (found == launched_.end()) return;
  answered_.push_back(std::move(*found));
  launched_.erase(found);
}

/** After an error of the device: nothing that is under way comes to an end. */
void Calls::failAll(const Failure &failure) {
  cudaStreamSynchronize(stream_);
  cudaGetLastError();
  workspace_.distrust();
  for (const CallOf &call : std::exchange(under_, {})) {
    ring_.giveTo(call->end);
    call->isOver = true;
    if (call->batch == nullptr) continue;
    call->batch->failure = failure;
    call->batch->over++;
    finish(*call->batch);
  }
}

void Calls::tell(std::unique_lock<std::mutex> &lock) {
  if (std::exchange(isTold_, true)) return;
  lock.unlock();
  if (tell_) tell_();
  lock.lock();
}

void Calls::Call::read(double *counts) const {
  if (narrow) std::copy_n(reinterpret_cast<const uint32_t *>(home), size, counts);
  else std::copy_n(reinterpret_cast<const Count *>(home), size, counts);
}

void Calls::stop() {
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
}

void Calls::close() {
  stop();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stream_ == nullptr || !under_.empty()) return;
  cudaSetDevice(device_);
  cudaStreamSynchronize(stream_);
  workspace_.release();
  ring_.release();
  cudaStreamDestroy(stream_);
  stream_ = nullptr;
  cudaGetLastError();
}

}  // namespace polybin
