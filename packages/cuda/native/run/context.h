// One engine's hold on a device: its streams, its residents, and what it does with them, one call at a time.
#pragma once
#include <mutex>

#include "count.h"
#include "extent.h"
#include "memory/pieces.h"
#include "memory/residents.h"
#include "segments.h"
#include "sums.h"

namespace polybin {

class Context {
 public:
  /** exactTimings: kernelMs without the time that the host takes to launch. */
  Context(int device, bool exactTimings) : device_(device), exactTimings_(exactTimings) {}
  ~Context() { close(); }
  uint32_t upload(const Upload &);
  /** Brings a feature table; `free` lets go of it, too. */
  uint32_t uploadTable(const TableSource &);
  void free(uint32_t id);
  Counted count(const CountJob &);
  SegmentsCounted segments(const SegmentsJob &);
  void readRows(const RowsJob &);
  void freeRows(uint32_t id);
  Extent extent(const ExtentJob &);
  Summed sums(const SumsJob &);
  /** Lets go of everything; never fails, not even where the device is lost. */
  void close();

 private:
  void begin();

  int device_;
  bool exactTimings_;
  std::mutex mutex_;
  Pieces pieces_;
  Residents residents_;
  Counter counter_;
  Segmenter segmenter_;
  ExtentFinder extents_;
  Summer summer_;
};

}  // namespace polybin
