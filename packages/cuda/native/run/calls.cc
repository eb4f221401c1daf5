#include "calls.h"

#include <algorithm>
#include <cstring>

#include "generated/limits.cuh"

namespace polybin {
namespace {

// A call's place in the ring:
//
//   flag | counts | samples of a small input, and the padding that a last load may touch behind them
//
// Each part starts at a multiple of `apart` bytes.
constexpr size_t apart = 256;

size_t aligned(size_t bytes) { return (bytes + apart - 1) / apart * apart; }

size_t hostBytes(const Job &job, const Ready &of) { return of.host == nullptr ? 0 : of.pixels * job.pixelBytes(); }

size_t placeBytes(const Job &job, const Ready &of, bool narrow) {
  const size_t samples = hostBytes(job, of);
  return apart + aligned(job.countBytes(narrow)) + (samples == 0 ? 0 : samples + limits::GPU_PADDING_BYTES);
}

}  // namespace

/** Takes the lock soon, even while the context's own thread launches hundreds of calls. */
std::unique_lock<std::mutex> Calls::enter() {
  wanted_++;
  std::unique_lock<std::mutex> lock(mutex_);
  wanted_--;
  return lock;
}

void Calls::letIn(std::unique_lock<std::mutex> &lock) {
  if (wanted_ == 0) return;
  lock.unlock();
  while (wanted_ > 0) relax();
  lock.lock();
}

/** Makes this thread use the device. The first call creates the streams. */
void Calls::begin() {
  checkNotLost();
  int device = -1;
  if (cudaGetDevice(&device) != cudaSuccess || device != device_ || memory_ == nullptr) {
    check(cudaSetDevice(device_), "cudaSetDevice");
  }
  // Clears an error that another call on this thread left behind.
  cudaGetLastError();
  if (memory_ == nullptr) memory_ = std::make_unique<Memory>();
}

/**
 * The number of streams that a job's calls may use. A kernel that needs much memory in addition to its counts uses one
 * stream, so the memory exists once.
 */
uint32_t Calls::queuesOf(const Job &job) const { return job.kernel.samples == nullptr ? 1 : queueCount; }

/**
 * The stream for a call. Counts that stay on the device are added and taken in order, so these calls share one stream.
 */
Calls::Queue &Calls::queueFor(const Job &job, const Total *total) {
  const bool isFirst = total != nullptr || under_.empty();
  return memory_->queues[isFirst ? 0 : number_ % queuesOf(job)];
}

bool Calls::fits(const Job &job, const Ready &of) const {
  if (memory_ == nullptr) return false;
  const auto has = [&](const Queue &queue) { return queue.workspace.fits(job, of.pixels); };
  const Queue *const queues = memory_->queues;
  return std::all_of(queues, queues + queuesOf(job), has) && memory_->ring.fits(placeBytes(job, of, false));
}

/** Call this only while nothing is under way. */
void Calls::makeRoom(Job &job, const Ready &of) {
  memory_->ring.reserve(placeBytes(job, of, false));
  for (uint32_t i = 0; i < queuesOf(job); i++) {
    Queue &queue = memory_->queues[i];
    queue.workspace.reserve(job, of.pixels, queue.stream);
  }
}

/** Launches the work for one input. Returns null if the ring has no room now. */
Calls::CallOf Calls::launch(Job &job, const Ready &of, Total *total, bool takes) {
  const bool narrow = !takes && job.isNarrow(of.pixels);
  if (under_.empty()) memory_->ring.giveAll();
  const Ring::Place place = memory_->ring.take(placeBytes(job, of, narrow));
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
  Queue &on = queueFor(job, total);
  call->stream = on.stream;
  *call->flag = 0;
  const void *data = of.device;
  if (const size_t bytes = hostBytes(job, of); bytes > 0) {
    uint8_t *const samples = place.memory + apart + aligned(job.countBytes(narrow));
    std::memcpy(samples, of.host, bytes);
    std::memset(samples + bytes, 0xff, limits::GPU_PADDING_BYTES);
    data = samples;
  }
  try {
    queue(on, job, of, data, {place.memory + apart, nullptr, reinterpret_cast<uint32_t *>(place.memory), number_}, narrow,
          total, takes);
  } catch (...) {
    // The queued work reads memory that the caller may free.
    cudaStreamSynchronize(on.stream);
    cudaGetLastError();
    throw;
  }
  return call;
}

void Calls::queue(Queue &on, Job &job, const Ready &of, const void *data, const Home &into, bool narrow, Total *total,
                  bool takes) {
  const cudaStream_t stream = on.stream;
  Workspace &workspace = on.workspace;
  if (takes) return workspace.take(total->onDevice(stream), total->size, into, stream);
  Home home = into;
  if (total != nullptr) home.counts = nullptr, home.total = total->onDevice(stream);
  const auto *const bytes = static_cast<const uint8_t *>(data);
  const uint64_t most = job.launchPixels();
  workspace.begin(job, narrow, stream);
  uint64_t first = 0;
  for (; of.pixels - first > most; first += most) {
    workspace.count(job, bytes + first * job.pixelBytes(), most, nullptr);
  }
  workspace.count(job, bytes + first * job.pixelBytes(), of.pixels - first, &home);
  job.wasLaunched = true;
}

/** Launches the next input of a batch. Returns false if there is no room now. */
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
  std::unique_lock<std::mutex> lock = enter();
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

void Calls::answer(std::unique_ptr<Batch> batch) {
  std::unique_lock<std::mutex> lock = enter();
  answered_.push_back(std::move(batch));
  tell(lock);
}

std::vector<std::unique_ptr<Batch>> Calls::take() {
  const std::unique_lock<std::mutex> lock = enter();
  isTold_ = false;
  return std::exchange(answered_, {});
}

void Calls::countNow(const std::shared_ptr<Job> &job, const Ready &of, double *counts) {
  CallOf call;
  {
    std::unique_lock<std::mutex> lock = enter();
    for (;;) {
      // Waiting calls came earlier and go first.
      if (waiting_.empty()) {
        begin();
        if (!fits(*job, of) && under_.empty()) makeRoom(*job, of);
        if (fits(*job, of)) call = launch(*job, of, nullptr, false);
        if (call != nullptr) break;
      }
      lock.unlock();
      std::this_thread::yield();
      lock = enter();
    }
    call->batch = nullptr;
    call->isAwaited = true;
    under_.push_back(call);
  }
  try {
    Watch watch(call->flag, call->number, call->stream);
    while (!watch.look()) continue;
  } catch (const Failure &failure) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failAll(failure);
    throw;
  }
  call->read(counts);
  const std::unique_lock<std::mutex> lock = enter();
  call->isOver = true;
  while (!under_.empty() && under_.front()->isOver) {
    memory_->ring.giveTo(under_.front()->end);
    under_.pop_front();
  }
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
  if (memory_ == nullptr || !under_.empty()) return;
  cudaSetDevice(device_);
  for (const Queue &queue : memory_->queues) cudaStreamSynchronize(queue.stream);
  memory_.reset();
  cudaGetLastError();
}

}  // namespace polybin
