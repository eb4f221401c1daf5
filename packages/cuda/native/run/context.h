// One engine's hold on a device: its streams, its residents and its calls. Calls that are counted piece by piece run
// one at a time. Residents and small inputs are counted concurrently with them.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "calls.h"
#include "count.h"
#include "extent.h"
#include "joint.h"
#include "memory/pieces.h"
#include "memory/residents.h"
#include "segments.h"
#include "serial.h"
#include "sums.h"

namespace polybin {

class Context {
 public:
  /** exactTimings: whether kernelMs excludes the time that the host takes to launch. */
  Context(int device, bool exactTimings)
      : device_(device), exactTimings_(exactTimings), counter_(pieces_), calls_(device) {}
  ~Context() { close(); }
  uint32_t upload(const Upload &);
  /** Uploads a feature table. `free` also frees it. */
  uint32_t uploadTable(const TableSource &);
  void free(uint32_t id);
  /** Checks a count, and keeps all of it except the samples. Needs no device. @throws Failure */
  std::shared_ptr<Job> prepare(const CountShape &);
  Counted count(const CountJob &, Job &, Total *);
  /**
   * The same on a thread of its own. It answers the batch in any case. `control`: null if the call cannot be stopped.
   */
  void submit(const CountNow &, const Control *, std::unique_ptr<Batch>);
  /** A resident that is counted at once. @throws Failure */
  Ready resident(uint32_t id, uint64_t pixels, const Job &) const;
  /** Counts residents and small inputs. */
  Calls &calls() { return calls_; }
  /** The same for a call that cannot be stopped. @throws Failure */
  Counted countNow(const CountNow &, Job &);
  SegmentsCounted segments(const SegmentsJob &);
  JointCounted joint(const JointJob &);
  void readRows(const RowsJob &);
  void freeRows(uint32_t id);
  Extent extent(const ExtentJob &);
  Summed sums(const SumsJob &);
  /** Waits until all calls that answer batches are over. */
  void stop();
  /** Frees everything. Never fails, even if the device is lost. */
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
  Joiner joiner_;
  ExtentFinder extents_;
  Summer summer_;
  Calls calls_;
  Serial serial_;
  /** The prepared jobs that still have an owner. */
  std::mutex jobsMutex_;
  std::vector<std::weak_ptr<Job>> jobs_;
};

}  // namespace polybin
