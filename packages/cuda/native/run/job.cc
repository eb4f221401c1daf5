#include "job.h"

#include <algorithm>

#include "checks.h"
#include "generated/limits.cuh"
#include "platform/cuda-errors.h"

namespace polybin {
namespace {

/** @throws Failure if the shape is invalid */
const CountShape &checked(const CountShape &of) { return checkShape(of), of; }

}  // namespace

Job::Job(const CountShape &of)
    : shape(checked(of)), kernel(countKernel(of.algorithm)), pixelBytes_(pixelBytesOf(of.wanted)) {}

uint64_t Job::launchPixels() const {
  return std::max<uint64_t>(limits::ALIGN_PIXELS, shape.launchPixels - shape.launchPixels % limits::ALIGN_PIXELS);
}

bool Job::readsColumn() const {
  const LoweringNumbers &lowering = shape.lowering.numbers;
  const bool isHalf = lowering.type == Type::u16 || lowering.type == Type::i16;
  return kernel.columns != nullptr && shape.wanted.interleaved == 1 && lowering.kind == Kind::direct && isHalf &&
         !lowering.flow;
}

const Lowering &Job::onDevice(cudaStream_t stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (isThere_) return onDevice_;
  onDevice_ = lowering_.toDevice(shape.lowering, stream);
  check(cudaStreamSynchronize(stream), "a copy");
  isThere_ = true;
  return onDevice_;
}

void Job::release() {
  const std::lock_guard<std::mutex> lock(mutex_);
  isThere_ = false;
  lowering_.release();
}

}  // namespace polybin
