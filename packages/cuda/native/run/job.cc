#include "job.h"

#include <algorithm>
#include <iterator>

#include "checks.h"
#include "generated/limits.cuh"
#include "platform/failure.h"

namespace polybin {
namespace {

/** The same shape with its own copies of the arrays. @throws Failure if the shape is invalid */
CountShape checked(const CountShape &of, std::vector<uint32_t> (&arrays)[4]) {
  checkShape(of);
  CountShape to = of;
  Words *const words[] = {&to.lowering.table, &to.lowering.low, &to.lowering.high, &to.lowering.starts};
  for (size_t i = 0; i < std::size(words); i++) {
    arrays[i].assign(words[i]->data, words[i]->data + words[i]->size);
    words[i]->data = arrays[i].data();
  }
  return to;
}

}  // namespace

Job::Job(const CountShape &of)
    : shape(checked(of, arrays_)), kernel(countKernel(of.algorithm)), pixelBytes_(pixelBytesOf(of.wanted)) {}

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
