#include "carrier.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "generated/limits.cuh"
#include "source.h"

namespace polybin {
namespace {

uint64_t bytesOf(const Freight &of) { return of.many * sizeOf(of.as); }

/** Doubles are converted from other numbers on the way. */
bool isDirect(const Freight &of) { return !of.to.doubles && isPinned(of.to.data); }

/** The numbers of each begin at a multiple of their size. */
uint64_t roomOf(const Freight &of) { return (bytesOf(of) + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t); }

}  // namespace

Freight partOf(const Freight &of, uint64_t first, uint64_t many) {
  const uint64_t size = of.to.doubles ? sizeof(double) : sizeOf(of.as);
  Freight part = of;
  part.from = static_cast<const uint8_t *>(of.from) + first * sizeOf(of.as);
  part.many = many;
  part.to.data += first * size;
  return part;
}

void Carrier::bring(const std::vector<Freight> &all, cudaStream_t stream) {
  settle();
  const auto copy = [&](const Freight &of, void *to) {
    check(cudaMemcpyAsync(to, of.from, bytesOf(of), cudaMemcpyDeviceToHost, stream), "a copy");
  };
  uint64_t room = 0;
  for (const Freight &of : all) {
    if (of.many == 0) continue;
    if (isDirect(of)) {
      copy(of, of.to.data);
    } else {
      staged_.push_back(of);
      room += roomOf(of);
    }
  }
  auto *staging = static_cast<uint8_t *>(staging_.reserve(room));
  for (const Freight &of : staged_) {
    copy(of, staging);
    staging += roomOf(of);
  }
  check(cudaEventRecord(there_.get(), stream), "cudaEventRecord");
  isUnderWay_ = true;
}

void Carrier::settle() {
  if (!isUnderWay_) return;
  isUnderWay_ = false;
  const std::vector<Freight> staged = std::exchange(staged_, {});
  check(cudaEventSynchronize(there_.get()), "a copy");
  const auto *from = static_cast<const uint8_t *>(staging_.memory());
  for (const Freight &of : staged) {
    unpack(of, from);
    from += roomOf(of);
  }
}

void Carrier::unpack(const Freight &of, const uint8_t *from) const {
  if (of.to.doubles) {
    const auto copy = [&](const auto *numbers) {
      std::copy_n(numbers, of.many, reinterpret_cast<double *>(of.to.data));
    };
    switch (of.as) {
      case Lies::bytes: return copy(from);
      case Lies::u32: return copy(reinterpret_cast<const uint32_t *>(from));
      case Lies::u64: return copy(reinterpret_cast<const uint64_t *>(from));
      case Lies::i64: return copy(reinterpret_cast<const int64_t *>(from));
      case Lies::f64: return copy(reinterpret_cast<const double *>(from));
    }
  }
  const uint64_t bytes = bytesOf(of);
  const auto parts = static_cast<uint32_t>((bytes + limits::COPY_BYTES - 1) / limits::COPY_BYTES);
  const auto copy = [&](uint32_t part) {
    const size_t at = size_t{part} * limits::COPY_BYTES;
    std::memcpy(of.to.data + at, from + at, std::min<size_t>(limits::COPY_BYTES, bytes - at));
  };
  copiers_.run(parts, parts, copy, [](uint32_t, uint32_t) {});
}

void Carrier::drop() {
  isUnderWay_ = false;
  staged_.clear();
}

}  // namespace polybin
