// The device memory that the launches on one stream share.
#pragma once
#include <cstdint>

#include "job.h"
#include "memory/buffer.h"
#include "platform/gate.h"

namespace polybin {

/** The destination of a delivery: the part of it that belongs to the call. */
struct Home {
  /** Mapped host memory, or null if the counts go to `total`. */
  void *counts;
  Count *total;
  uint32_t *flag;
  uint32_t number;
};

/**
 * A table of zeroes into which a call's launches count. The delivery follows them on the stream and zeroes the table
 * for the next call, so a call launches only its kernel.
 */
class Workspace {
 public:
  /** `gate` may be closed on the stream. */
  explicit Workspace(Gate &gate) : gate_(gate) {}

  /** Whether there is room for launches of a call with `pixels` pixels. */
  bool fits(const Job &, uint64_t pixels) const;
  /** Makes room. Call this only if no earlier work is under way. @throws Failure */
  void reserve(const Job &, uint64_t pixels, cudaStream_t);

  /** Begins a call, and zeroes the memory that a failed call left behind. @throws Failure */
  void begin(const Job &, bool narrow, cudaStream_t);
  /** Counts dense pixels on the device. With a `Home` this is the call's last launch. @throws Failure */
  void count(Job &, const void *data, uint64_t pixels, const Home *);
  /** Ends a call without another count launch. @throws Failure */
  void deliver(const Home &);

  /** Copies counts that stayed on the device to the host and zeroes them. @throws Failure */
  void take(Count *from, uint32_t size, const Home &, cudaStream_t);

  /** Queued work may not have finished, so the table is zeroed before its next use. */
  void distrust() { isUsed_ = true; }

 private:
  struct Room {
    size_t table, codes, partials;
  };
  static Room roomFor(const Job &, uint64_t pixels);
  void clear(cudaStream_t);
  Count *table() const;
  Delivery deliveryOf(Count *, uint32_t size, bool narrow, const Home &) const;
  void countColumn(Job &, const Lowering &, const void *data, uint64_t pixels);
  void countCodes(Job &, const Lowering &, const void *data, uint64_t pixels);

  Gate &gate_;
  /** A word that counts blocks, some padding, and the counts. */
  Buffer table_;
  Buffer codes_, partials_;
  /** Whether the table may contain values other than zero. */
  bool isUsed_ = false;
  // The state of the current call:
  uint32_t size_ = 0;
  bool narrow_ = false;
  cudaStream_t stream_ = nullptr;
};

}  // namespace polybin
