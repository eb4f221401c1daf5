#include "home.h"

#include <algorithm>

#include "platform/failure.h"
#include "source.h"

namespace polybin {

void Home::bring(const void *counts, uint64_t many, bool wide, const Written &to, uint64_t at, cudaStream_t after) {
  settle();
  if (many == 0) return;
  if (!stream_) check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  if (!ready_) check(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "cudaEventCreate");
  check(cudaEventRecord(ready_, after), "cudaEventRecord");
  check(cudaStreamWaitEvent(stream_, ready_), "a copy");
  const size_t from = wide ? sizeof(uint64_t) : sizeof(uint32_t), size = to.doubles ? sizeof(double) : sizeof(uint32_t);
  to_ = {to.data + at * size, many * size, to.doubles};
  // Doubles are made of integers on the way.
  const bool isDirect = !to.doubles && isPinned(to_.data);
  staged_ = isDirect ? 0 : many;
  wide_ = wide;
  void *const goal = isDirect ? to_.data : staging_.reserve(many * from);
  isUnderWay_ = true;
  check(cudaMemcpyAsync(goal, counts, many * from, cudaMemcpyDeviceToHost, stream_), "a copy");
}

void Home::settle() {
  if (!isUnderWay_) return;
  isUnderWay_ = false;
  check(cudaStreamSynchronize(stream_), "a copy");
  if (staged_ == 0) return;
  if (!to_.doubles) return fill(rowOf(static_cast<const uint8_t *>(staging_.memory()), to_.bytes), 0, to_.bytes, to_.data);
  auto *const to = reinterpret_cast<double *>(to_.data);
  if (wide_) std::copy_n(static_cast<const uint64_t *>(staging_.memory()), staged_, to);
  else std::copy_n(static_cast<const uint32_t *>(staging_.memory()), staged_, to);
}

void Home::drop() {
  if (isUnderWay_) cudaStreamSynchronize(stream_);
  isUnderWay_ = false;
}

void Home::release() {
  drop();
  staging_.release();
  if (ready_) cudaEventDestroy(ready_);
  if (stream_) cudaStreamDestroy(stream_);
  ready_ = nullptr;
  stream_ = nullptr;
}

}  // namespace polybin
