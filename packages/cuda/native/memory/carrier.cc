#include "carrier.h"

#include <algorithm>
#include <cstring>

#include "generated/limits.cuh"
#include "platform/failure.h"
#include "source.h"

namespace polybin {

void Carrier::bring(const void *counts, uint64_t many, bool wide, const Written &to, uint64_t at, cudaStream_t after,
                    Copiers &copiers) {
  settle();
  copiers_ = &copiers;
  if (many == 0) return;
  if (!stream_) check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  if (!ready_) check(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "cudaEventCreate");
  check(cudaEventRecord(ready_, after), "cudaEventRecord");
  check(cudaStreamWaitEvent(stream_, ready_), "a copy");
  const size_t from = wide ? sizeof(uint64_t) : sizeof(uint32_t), size = to.doubles ? sizeof(double) : sizeof(uint32_t);
  to_ = {to.data + at * size, many * size, to.doubles};
  // Doubles are converted from integers on the way.
  const bool isDirect = !to.doubles && isPinned(to_.data);
  staged_ = isDirect ? 0 : many;
  wide_ = wide;
  void *const goal = isDirect ? to_.data : staging_.reserve(many * from);
  isUnderWay_ = true;
  check(cudaMemcpyAsync(goal, counts, many * from, cudaMemcpyDeviceToHost, stream_), "a copy");
}

void Carrier::settle() {
  if (!isUnderWay_) return;
  isUnderWay_ = false;
  check(cudaStreamSynchronize(stream_), "a copy");
  if (staged_ == 0) return;
  if (!to_.doubles) {
    const auto *const from = static_cast<const uint8_t *>(staging_.memory());
    const auto parts = static_cast<uint32_t>((to_.bytes + limits::COPY_BYTES - 1) / limits::COPY_BYTES);
    const auto copy = [&](uint32_t part) {
      const size_t at = size_t{part} * limits::COPY_BYTES;
      std::memcpy(to_.data + at, from + at, std::min<size_t>(limits::COPY_BYTES, to_.bytes - at));
    };
    return copiers_->run(parts, parts, copy, [](uint32_t, uint32_t) {});
  }
  auto *const to = reinterpret_cast<double *>(to_.data);
  if (wide_) std::copy_n(static_cast<const uint64_t *>(staging_.memory()), staged_, to);
  else std::copy_n(static_cast<const uint32_t *>(staging_.memory()), staged_, to);
}

void Carrier::drop() {
  if (isUnderWay_) cudaStreamSynchronize(stream_);
  isUnderWay_ = false;
}

void Carrier::release() {
  drop();
  staging_.release();
  if (ready_) cudaEventDestroy(ready_);
  if (stream_) cudaStreamDestroy(stream_);
  ready_ = nullptr;
  stream_ = nullptr;
}

}  // namespace polybin
