// One engine's hold on a device: its streams, its residents, and what it does with them. What comes piece by piece goes one
// call at a time; what lies ready is counted beside it.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "calls.h"
#include "count.h"
#include "extent.h"
#include "memory/pieces.h"
#include "memory/residents.h"
#include "segments.h"
#include "serial.h"
#include "sums.h"

namespace polybin {

class Context {
 public:
  /** exactTimings: kernelMs without the time that the host takes to launch. */
  Context(int device, bool exactTimings)
      : device_(device), exactTimings_(exactTimings), counter_(pieces_), calls_(device) {}
  ~Context() { close(); }
  uint32_t upload(const Upload &);
  /** Brings a feature table; `free` lets go of it, too. */
  uint32_t uploadTable(const TableSource &);
  void free(uint32_t id);
  /** Checks a count, and keeps all of it but the samples. Needs no device. @throws Failure */
  std::shared_ptr<Job> prepare(const CountShape &);
  Counted count(const CountJob &, Job &, Total *);
  /** The same on a thread of its own: it answers the batch, come what may. `control`: null where nobody can stop it. */
  void submit(const CountNow &, const Control *, std::unique_ptr<Batch>);
  /** A resident that is to be counted at once. @throws Failure */
  Ready resident(uint32_t id, uint64_t pixels, const Job &) const;
  /** Counts what lies ready. */
  Calls &calls() { return calls_; }
  /** The same of what nobody can stop. @throws Failure */
  Counted countNow(const CountNow &, Job &);
  SegmentsCounted segments(const SegmentsJob &);
  void readRows(const RowsJob &);
  void freeRows(uint32_t id);
  Extent extent(const ExtentJob &);
  Summed sums(const SumsJob &);
  /** Waits until all calls are over that answer batches. */
  void stop();
  /** Lets go of everything; never fails, not even where the device is lost. */
  void close();

 private:
  void begin(bool timed = false);

  int device_;
  bool exactTimings_;
  std::mutex mutex_;
  Pieces pieces_;
  Residents residents_;
  Counter counter_;
  Segmenter segmenter_;
  ExtentFinder extents_;
  Summer summer_;
  Calls calls_;
  Serial serial_;
  /** What it prepared and somebody still has. */
  std::mutex jobsMutex_;
  std::vector<std::weak_ptr<Job>> jobs_;
};

}  // namespace polybin
