#include "context.h"

#include "checks.h"
#include "platform/cuda-errors.h"

namespace polybin {

/** Runs a call on this thread, with the device to itself. */
template <typename Work>
auto Context::alone(const Control &control, bool timed, const Work &work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  checkNotLost();
  check(cudaSetDevice(device_), "cudaSetDevice");
  // Clears an error that another call on this thread left behind.
  cudaGetLastError();
  if (!rooms_) rooms_.emplace();
  rooms_->pieces.begin(control, timed);
  const Pieces::Drain drain(rooms_->pieces);
  return work(*rooms_);
}

uint32_t Context::upload(const Upload &job) {
  checkUpload(job.source);
  return alone(job.control, false, [&](Rooms &rooms) {
    return residents_.keep(uploaded(job, residents_.at(job.source), rooms.pieces));
  });
}

uint32_t Context::uploadTable(const TableSource &job) {
  checkTable(job);
  return alone(job.control, false, [&](Rooms &rooms) { return residents_.keep(uploaded(job, rooms.pieces)); });
}

void Context::download(const Download &job) {
  checkDownload(job);
  alone(job.control, false, [&](Rooms &rooms) {
    const Source &from = job.source;
    rooms.pieces.bring({{residents_.at(from), from.pixels * from.pixelBytes, Lies::bytes, job.into}}, from.pixelBytes);
    rooms.pieces.checkGoesOn();
  });
}

void Context::free(uint32_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  cudaSetDevice(device_);
  residents_.free(id);
  cudaGetLastError();
}

std::shared_ptr<Job> Context::prepare(const CountShape &shape) {
  // The last owner of the job frees its device memory and needs to do nothing else.
  auto job = std::make_shared<Job>(shape);
  const std::lock_guard<std::mutex> lock(jobsMutex_);
  std::erase_if(jobs_, [](const auto &of) { return of.expired(); });
  jobs_.push_back(job);
  return job;
}

Counted Context::count(const CountJob &call, Job &job, Total *total) {
  checkCount(call, job.shape);
  return alone(call.control, call.timed, [&](Rooms &rooms) {
    return rooms.counter.count(call, job, residents_.at(call.source), exactTimings_ && call.timed, total);
  });
}

void Context::submit(const CountJob &job, std::unique_ptr<Batch> own) {
  // A std::function must be copyable, and a batch is not.
  const auto held = std::make_shared<std::unique_ptr<Batch>>(std::move(own));
  serial_.submit([this, job, held] {
    Batch &batch = **held;
    try {
      Counted counted = count(job, *batch.job, batch.total.get());
      batch.counts = std::move(counted.counts);
      batch.times = counted;
    } catch (...) {
      batch.failure = failureCaught();
    }
    calls_.answer(std::move(*held));
  });
}

Ready Context::resident(uint32_t id, uint64_t pixels, const Job &job) const {
  auto samples = residents_.samples(id, pixels, job.pixelBytes());
  const void *const device = samples->memory;
  return {pixels, device, std::move(samples), nullptr};
}

SegmentsCounted Context::segments(const SegmentsJob &job) {
  checkSegments(job);
  return alone(job.control, job.timed, [&](Rooms &rooms) { return rooms.segmenter.count(job, residents_); });
}

void Context::readRows(const RowsJob &job) {
  alone(job.control, false, [&](Rooms &rooms) { rooms.segmenter.read(job, residents_); });
}

JointCounted Context::joint(const JointJob &job) {
  checkJoint(job);
  return alone(job.control, job.timed, [&](Rooms &rooms) { return rooms.joiner.count(job, residents_); });
}

Extent Context::extent(const ExtentJob &job) {
  checkExtent(job.source, job.wanted);
  return alone(job.control, false, [&](Rooms &rooms) {
    return findExtent(job, residents_.at(job.source), rooms.pieces, rooms.minmax);
  });
}

Summed Context::sums(const SumsJob &job) {
  return alone(job.control, true, [&](Rooms &rooms) { return rooms.summer.sum(job, residents_); });
}

void Context::stop() {
  serial_.stop();
  calls_.stop();
}

void Context::close() {
  serial_.stop();
  calls_.close();
  const std::lock_guard<std::mutex> lock(mutex_);
  {
    const std::lock_guard<std::mutex> lock(jobsMutex_);
    for (const auto &of : jobs_)
      if (const auto job = of.lock()) job->release();
  }
  if (!rooms_) return;
  // Nothing here is checked: on a lost device every call returns its error at once, and there is nothing to free.
  cudaSetDevice(device_);
  cudaStreamSynchronize(rooms_->pieces.stream);
  residents_.release();
  rooms_.reset();
  cudaGetLastError();
}

}  // namespace polybin
