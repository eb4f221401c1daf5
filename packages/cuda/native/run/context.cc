#include "context.h"

#include "checks.h"
#include "platform/failure.h"

namespace polybin {

/** Makes this thread work on the device. */
void Context::begin() {
  checkNotLost();
  check(cudaSetDevice(device_), "cudaSetDevice");
  // An error that another call of this thread left behind is not this one's.
  cudaGetLastError();
  pieces_.begin();
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

Counted Context::count(const CountJob &job) {
  checkCount(job);
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  return counter_.count(job, residents_.at(job.source), exactTimings_, pieces_);
}

SegmentsCounted Context::segments(const SegmentsJob &job) {
  checkSegments(job);
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  return segmenter_.count(job, residents_.at(job.count.source), pieces_);
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
  begin();
  const FeatureTable &table = residents_.table(job.table);
  checkSums(job, table);
  return summer_.sum(job, table, pieces_);
}

void Context::close() {
  std::lock_guard<std::mutex> lock(mutex_);
  // The stream is made first: without it there is nothing. Nothing here is checked: on a lost device every call answers
  // with its error, at once, and there is nothing to free.
  if (!pieces_.isOpen()) return;
  cudaSetDevice(device_);
  cudaStreamSynchronize(pieces_.stream);
  residents_.release();
  counter_.release();
  segmenter_.release();
  extents_.release();
  summer_.release();
  pieces_.close();
  cudaGetLastError();
}

}  // namespace polybin
