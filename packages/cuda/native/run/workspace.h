// The device memory that launches on one stream use one after the other.
#pragma once
#include <cstdint>

#include "job.h"
#include "memory/buffer.h"
#include "platform/gate.h"

namespace polybin {

/** Where a delivery goes: the part of it that is the call's. */
struct Home {
  /** Mapped host memory, or null: `total`. */
  void *counts;
  Count *total;
  uint32_t *flag;
  uint32_t number;
};

/**
 * A table of zeroes, into which a call's launches count. Its delivery, behind them on the stream, leaves zeroes for the
 * call after it: nothing but the kernel has to be launched.
 */
class Workspace {
 public:
  /** `gate`: may be closed on the stream; null: none is. */
  explicit Workspace(Gate *gate = nullptr) : gate_(gate) {}

  /** Is there room for a call of so many pixels, in launches of so many at the most? */
  bool fits(const Job &, uint64_t pixels) const;
  /** Makes room; only where nothing of before is under way. @throws Failure */
  void reserve(const Job &, uint64_t pixels, cudaStream_t);

  /** Begins a call; what one that failed left behind is zeroed. @throws Failure */
  void begin(const Job &, bool narrow, cudaStream_t);
  /** Counts dense pixels on the device; with a home this is the call's last launch. @throws Failure */
  void count(Job &, const void *data, uint64_t pixels, const Home *);
  /** Ends a call without another launch of its own. @throws Failure */
  void deliver(const Home &);

  /** Brings counts home that stayed, which are zeroes then. @throws Failure */
  void take(Count *from, uint32_t size, const Home &, cudaStream_t);

  /** What was queued may not have come to its end: the table is zeroed before it is used again. */
  void distrust() { isUsed_ = true; }
  void release();

 private:
  struct Room {
    size_t table, codes, scratch;
  };
  static Room roomFor(const Job &, uint64_t pixels);
  Count *table() const;
  Delivery deliveryTo(const Home &) const;
  void countCodes(Job &, const Lowering &, const void *data, uint64_t pixels);
  /** As check, of what may be behind the gate: it may ask the device, which then must not wait. */
  void checkQueued(cudaError_t, const char *what);

  Gate *gate_;
  /** A word that counts blocks, some room, and then the counts. */
  Buffer table_;
  Buffer codes_, scratch_;
  /** The table may have other than zeroes in it. */
  bool isUsed_ = false;
  // Of the call that has begun:
  uint32_t size_ = 0;
  bool narrow_ = false;
  cudaStream_t stream_ = nullptr;
};

}  // namespace polybin
