// Counting segments: rows of counts, range by range of segments, which come home while the next are counted, or stay.
#pragma once
#include <map>

#include "cutting.h"
#include "kernels.h"
#include "lowering.h"
#include "memory/carrier.h"
#include "memory/copiers.h"
#include "memory/pieces.h"
#include "platform/memory.h"

namespace polybin {

struct SegmentsCounted {
  /** Of rows that stay; else 0. */
  uint32_t id = 0;
  double kernelMs = 0, uploadMs = 0;
};

/** Counts segments, and keeps the memory that it needs for the next call, and rows that stay until they are freed. */
class Segmenter {
 public:
  /** `resident`: where the samples lie on the device, or null. */
  SegmentsCounted count(const SegmentsJob &, const uint8_t *resident, Pieces &);
  /** Brings rows that stayed home. @throws Failure ERR_INPUT where they were freed */
  void read(const RowsJob &, Pieces &);
  void free(uint32_t id);
  void release();

 private:
  /** Counts of some segments on the device, and behind them their flow. */
  struct Table {
    void *memory;
    uint64_t segments;
    uint32_t bins;
    bool flow, wide;

    size_t countBytes() const { return wide ? sizeof(uint64_t) : sizeof(uint32_t); }
    /** Flow begins where 16 bytes can be stored. */
    size_t flowAt() const;
    size_t bytes() const;
    const void *countsOf(uint64_t segment) const;
    const void *flowOf(uint64_t segment) const;
  };
  /** What launches of a range under way need: there are two, one of them on its way home. */
  struct Slot {
    Buffer rows, arrays;
    Buffer staging{Buffer::Where::host};
    Carrier counts, flow;
  };
  struct Call;

  void countRange(const Call &, Span segments, const Table &, Slot &);
  void launch(const Call &, Span segments, const Table &, uint64_t firstRow, const void *data, Span pixels, bool adds, Slot &);
  void placeArrays(const Call &, Span segments, Segments &, Slot &);
  void waitForAll();

  LoweringArrays arrays_;
  Copiers copiers_;
  Slot slots_[2];
  std::map<uint32_t, Table> kept_;
  /** The rows that were freed last. */
  Spare spare_;
  uint32_t nextId_ = 1;
};

}  // namespace polybin
