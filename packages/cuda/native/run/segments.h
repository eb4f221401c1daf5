// Counts segments into rows, one range of segments after the other. The rows of a range are copied to the host while
// the next range is counted, or all rows stay on the device.
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
  /** The number of rows that stay on the device, otherwise 0. */
  uint32_t id = 0;
  double kernelMs = 0, uploadMs = 0;
};

/**
 * Counts segments. It keeps its memory for the next call, and keeps rows that stay on the device until they are freed.
 */
class Segmenter {
 public:
  /** `resident`: the address of the samples on the device, or null. */
  SegmentsCounted count(const SegmentsJob &, const uint8_t *resident, Pieces &);
  /** Copies rows that stayed on the device to the host. @throws Failure ERR_INPUT if they were freed */
  void read(const RowsJob &, Pieces &);
  void free(uint32_t id);
  void release();

 private:
  /** Counts of some segments on the device, followed by their flow. */
  struct Table {
    void *memory;
    uint64_t segments;
    uint32_t bins;
    bool flow, wide;

    size_t countBytes() const { return wide ? sizeof(uint64_t) : sizeof(uint32_t); }
    /** The flow starts at a multiple of 16 bytes, so that vector stores can write it. */
    size_t flowAt() const;
    size_t bytes() const;
    const void *countsOf(uint64_t segment) const;
    const void *flowOf(uint64_t segment) const;
  };
  /**
   * The memory for the launches of a range. There are two, so that one range is copied to the host while the next is
   * counted.
   */
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
