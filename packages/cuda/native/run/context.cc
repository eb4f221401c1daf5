#include "context.h"

#include <atomic>

#include "checks.h"
#include "platform/failure.h"

namespace polybin {

/** Makes this thread use the device. */
void Context::begin(bool timed) {
  checkNotLost();
  check(cudaSetDevice(device_), "cudaSetDevice");
  // Clears an error that another call on this thread left behind.
  cudaGetLastError();
  pieces_.begin(timed);
}

uint32_t Context::upload(const Upload &job) {
  checkUpload(job.source);
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  return residents_.upload(job.source, job.control, pieces_);
}

uint32_t Context::uploadTable(const TableSource &from) {
  checkTable(from);
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  return residents_.uploadTable(from, pieces_);
}

void Context::free(uint32_t id) {
  std::lock_guard<std::mutex> lock(mutex_);
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
  std::lock_guard<std::mutex> lock(mutex_);
  begin(call.timed);
  return counter_.count(call, job, residents_.at(call.source), exactTimings_ && call.timed, total);
}

Counted Context::countNow(const CountNow &of, Job &job) {
  std::atomic<int32_t> stop{0};
  std::atomic<int64_t> done{0};
  return count({of.source, {&stop, &done}, of.timed}, job, nullptr);
}

void Context::submit(const CountNow &of, const Control *control, std::unique_ptr<Batch> own) {
  // The caller may supply the control by which the call is stopped. Otherwise the call has its own.
  struct Call {
    CountJob of;
    std::unique_ptr<Batch> batch;
    std::atomic<int32_t> stop{0};
    std::atomic<int64_t> done{0};
  };
  // A std::function must be copyable, and a batch is not.
  const auto call = std::make_shared<Call>();
  call->of = {of.source, control == nullptr ? Control{&call->stop, &call->done} : *control, of.timed};
  call->batch = std::move(own);
  serial_.submit([this, call] {
    Batch &batch = *call->batch;
    try {
      Counted counted = count(call->of, *batch.job, batch.total.get());
      batch.counts = std::move(counted.counts);
      batch.times = Times{counted.kernelMs, counted.uploadMs};
    } catch (...) {
      batch.failure = failureCaught();
    }
    calls_.answer(std::move(call->batch));
  });
}

Ready Context::resident(uint32_t id, uint64_t pixels, const Job &job) const {
  auto samples = residents_.samples(id, pixels, job.pixelBytes());
  const void *const device = samples->memory;
  return {pixels, device, std::move(samples), nullptr};
}

SegmentsCounted Context::segments(const SegmentsJob &job) {
  checkSegments(job);
  std::lock_guard<std::mutex> lock(mutex_);
  begin(job.timed);
  return segmenter_.count(job, residents_.at(job.source), pieces_);
}

JointCounted Context::joint(const JointJob &job) {
  checkJoint(job);
  std::lock_guard<std::mutex> lock(mutex_);
  begin(job.timed);
  std::vector<const uint8_t *> residents;
  for (const Source &source : job.sources) residents.push_back(residents_.at(source));
  if (job.shape.mask != MaskKind::none) residents.push_back(residents_.at(job.mask));
  return joiner_.count(job, residents, pieces_);
}

void Context::readRows(const RowsJob &job) {
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  segmenter_.read(job, pieces_);
}

void Context::freeRows(uint32_t id) {
  std::lock_guard<std::mutex> lock(mutex_);
  cudaSetDevice(device_);
  segmenter_.free(id);
  cudaGetLastError();
}

Extent Context::extent(const ExtentJob &job) {
  checkExtent(job.source, job.wanted);
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  return extents_.find(job, residents_.at(job.source), pieces_);
}

Summed Context::sums(const SumsJob &job) {
  std::lock_guard<std::mutex> lock(mutex_);
  begin(true);
  const FeatureTable &table = residents_.table(job.table);
  checkSums(job, table);
  return summer_.sum(job, table, pieces_);
}

void Context::stop() {
  serial_.stop();
  calls_.stop();
}

void Context::close() {
  serial_.stop();
  calls_.close();
  std::lock_guard<std::mutex> lock(mutex_);
  {
    const std::lock_guard<std::mutex> lock(jobsMutex_);
    for (const auto &of : jobs_)
      if (const auto job = of.lock()) job->release();
  }
  // The stream is created first. Without it there is nothing to free. Nothing here is checked: on a lost device every
  // call returns its error at once, and there is nothing to free.
  if (!pieces_.isOpen()) return;
  cudaSetDevice(device_);
  cudaStreamSynchronize(pieces_.stream);
  residents_.release();
  counter_.release();
  segmenter_.release();
  joiner_.release();
  extents_.release();
  summer_.release();
  pieces_.close();
  cudaGetLastError();
}

}  // namespace polybin
