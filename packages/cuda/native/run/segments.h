// Counts segments into rows, one range of segments after the other. The rows of a range are copied to the host while
// the next range is counted, or all rows stay on the device.
#pragma once
#include "checks.h"
#include "cutting.h"
#include "kernels.h"
#include "lowering.h"
#include "memory/pieces.h"
#include "memory/residents.h"

namespace polybin {

struct SegmentsCounted : Times {
  /** The number of rows that stay on the device, otherwise 0. */
  uint32_t id = 0;
};

/** Counts of some segments on the device, followed by their flow. */
struct RowTable : RowShape {
  uint64_t segments;
  void *memory = nullptr;

  size_t countBytes() const { return wide ? sizeof(uint64_t) : sizeof(uint32_t); }
  /** The flow starts at a multiple of 16 bytes, so that vector stores can write it. */
  size_t flowAt() const { return wholeVectors(segments * bins * countBytes()); }
  size_t bytes() const;
  void *countsOf(uint64_t segment) const { return at(segment * bins); }
  /** Null: there is none. */
  void *flowOf(uint64_t segment) const {
    return flow ? static_cast<uint8_t *>(at(segment * limits::FLOW_ROWS)) + flowAt() : nullptr;
  }
  /** Some rows and their flow, on the way to the host. The first of them becomes row `row` there. */
  std::vector<Freight> freight(Span rows, const Written &counts, const Written &flows, uint64_t row) const;

 private:
  void *at(uint64_t number) const { return static_cast<uint8_t *>(memory) + number * countBytes(); }
};

/** Counts segments, and keeps its memory for the next call. */
class Segmenter {
 public:
  /** `spare` keeps the rows that were freed last. */
  Segmenter(Pieces &pieces, Spare &spare) : pieces_(pieces), spare_(spare) {}
  SegmentsCounted count(const SegmentsJob &, Residents &);
  /** Copies rows that stayed on the device to the host. @throws Failure ERR_INPUT if they were freed */
  void read(const RowsJob &, const Residents &);

 private:
  /**
   * The memory for the launches of a range. There are two, so that one range is copied to the host while the next is
   * counted.
   */
  struct Slot {
    Buffer rows, arrays;
    Buffer staging{Buffer::Where::host};
  };
  struct Call;

  void countRange(const Call &, Span segments, const RowTable &, Slot &);
  void launch(const Call &, Span segments, const RowTable &, uint64_t firstRow, const void *data, Span pixels, bool adds, Slot &);
  void placeArrays(const Call &, Span segments, Segments &, Slot &);

  Pieces &pieces_;
  Spare &spare_;
  LoweringArrays arrays_;
  Slot slots_[2];
};

}  // namespace polybin
