// One engine's hold on a device: its streams, its residents and its calls. Calls that are counted piece by piece run
// one at a time. Residents and small inputs are counted concurrently with them.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
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
  Context(int device, bool exactTimings) : device_(device), exactTimings_(exactTimings), calls_(device) {}
  ~Context() { close(); }

  // Each of these checks its job first. @throws Failure
  /** Return the number of a resident, which `free` takes. */
  uint32_t upload(const Upload &);
  uint32_t uploadTable(const TableSource &);
  void download(const Download &);
  void free(uint32_t id);
  /** Keeps all of a count except the samples. Needs no device. */
  std::shared_ptr<Job> prepare(const CountShape &);
  SegmentsCounted segments(const SegmentsJob &);
  void readRows(const RowsJob &);
  JointCounted joint(const JointJob &);
  Extent extent(const ExtentJob &);
  Summed sums(const SumsJob &);
  /** `total`: the counts are added to it and stay on the device, or null. */
  Counted count(const CountJob &, Job &, Total *total);
  /** Counts on a thread of its own, and answers the batch in any case. */
  void submit(const CountJob &, std::unique_ptr<Batch>);
  /** A resident that is counted at once. */
  Ready resident(uint32_t id, uint64_t pixels, const Job &) const;
  /** Counts residents and small inputs. */
  Calls &calls() { return calls_; }

  /** Waits until all calls that answer batches are over. */
  void stop();
  /** Frees everything. Never fails, even if the device is lost. */
  void close();

 private:
  /** What calls share that run one at a time. The first call makes it. */
  struct Rooms {
    Pieces pieces;
    Spare spare;
    Counter counter{pieces};
    Segmenter segmenter{pieces, spare};
    Joiner joiner{pieces};
    Buffer minmax;
    Summer summer{pieces};
  };
  template <typename Work>
  auto alone(const Control &, bool timed, const Work &work);

  const int device_;
  const bool exactTimings_;
  std::mutex mutex_;
  Residents residents_;
  std::optional<Rooms> rooms_;
  Calls calls_;
  Serial serial_;
  /** The prepared jobs that still have an owner. */
  std::mutex jobsMutex_;
  std::vector<std::weak_ptr<Job>> jobs_;
};

}  // namespace polybin
