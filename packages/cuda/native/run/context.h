// One engine's hold on a device: its streams, its buffers, its residents. Not for the kernels.
#pragma once
#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "buffer.h"
#include "failure.h"
#include "gate.h"
#include "limits.cuh"
#include "lowering.h"
#include "polybin.cuh"
#include "source.h"
#include "tables.h"
#include "weighted.cuh"

namespace polybin {

/** Which samples of a pixel are counted. */
struct Wanted {
  Type type;
  uint32_t interleaved, channels;
  uint32_t channel[4];
};

/** Shared memory by which the engine stops a call and sees how far it is. */
struct Control {
  std::atomic<int32_t> *stop;
  std::atomic<int64_t> *done;
};

struct CountJob {
  Source source;
  Wanted wanted;
  HostLowering lowering;
  Plan plan;
  std::string algorithm;
  /** Pixels of one launch, at most: no 32-bit partial can then overflow. */
  uint64_t launchPixels;
  Control control;
};

struct Counted {
  /** For each channel its cells, then underflow, overflow, NaN. */
  std::vector<Count> counts;
  /** `kernelMs`: what the launches took on the device. `uploadMs`: what it took until all pieces were counted. */
  double kernelMs = 0, uploadMs = 0;
};

/** Order-preserving keys of the finite minimum and maximum; min > max where there is none. */
struct Extent {
  Count min = ~0ull, max = 0;
};

/** A feature table on its way to the device. */
struct TableSource {
  /** Its rows, one after the other, in host memory. */
  Source rows;
  uint64_t rowBytes;
};

/** What a feature table on the device has. */
struct TableShape {
  uint64_t rows, rowBytes;
};

/** Features of one plan that are added up in one launch. */
struct SumsLaunch {
  std::string algorithm;
  WeightedPlan plan;
  std::vector<WeightedFeature> features;
};

struct SumsJob {
  uint32_t table;
  /** Documents that are added up; their weights, squares (none: not asked for) and indices (none: all documents). */
  uint64_t documents;
  Source weights, squares, list;
  /** Weights and squares are floats. */
  bool floats;
  std::vector<SumsLaunch> launches;
  /** The milliseconds of a launch are to be its kernel's alone. */
  bool timed;
  Control control;
};

struct Summed {
  /** For each feature of each launch `bins` counts, if the plan has them, sums and, if asked for, squares. */
  std::vector<double> totals;
  /** Of each launch. */
  std::vector<double> ms;
  double kernelMs = 0, uploadMs = 0;
};

class Context {
 public:
  /** exactTimings: kernelMs without the time that the host takes to launch. */
  Context(int device, bool exactTimings) : device_(device), exactTimings_(exactTimings) {}
  ~Context() { close(); }
  uint32_t upload(const Source &, const Control &);
  void free(uint32_t id);
  Counted count(const CountJob &);
  Extent extent(const Source &, const Wanted &, const Control &);
  /** Brings a feature table; `free` lets go of it. */
  uint32_t uploadTable(const TableSource &, const Control &);
  Summed sums(const SumsJob &);
  /** Lets go of everything; never fails, not even where the device is lost. */
  void close();

 private:
  /** Called for pieces of a source that lie on the device, dense; all work goes to `stream_`. */
  using Use = std::function<void(const void *data, uint64_t pixels)>;

  /** A piece on its way. */
  struct Slot {
    Buffer chunk, staging{Buffer::Where::host};
    cudaEvent_t copied = nullptr, begun = nullptr, ended = nullptr;
    /** Pixels between `begun` and `ended`, until `settle` has seen them done. */
    uint64_t pixels = 0;
  };

  /** Waits for both streams when a call fails: nothing of the caller's memory is read afterwards. */
  struct Drain;

  /** Samples on the device. */
  struct Resident {
    void *memory;
    uint64_t bytes;
  };

  /** A feature table on the device: row r begins at memory + r * pitch. */
  struct FeatureTable {
    void *memory;
    uint64_t pitch;
    TableShape shape;
  };

  void begin();
  void copyToRows(const uint8_t *data, uint64_t first, uint64_t bytes, uint64_t rowBytes, const FeatureTable &);
  const void *bring(const Source &, Buffer &, const Control &);
  template <typename Number>
  void bringBack(const Count *totals, size_t size, std::vector<double> &to);
  void eachPiece(const Source &, uint64_t most, const Control &, const Use &);
  void stage(const Source &, uint64_t first, uint64_t bytes, Slot &);
  void timed(Slot &, uint64_t pixels, const std::function<void()> &work);
  void settle(Slot &, const Control &);
  /** As check, of what may be behind the gate: it may ask the device, which then must not wait. */
  void checkQueued(cudaError_t, const char *what);
  void launch(const CountJob &, const Lowering &, const void *data, uint64_t pixels, Count *counts);
  void launchCodes(const CountJob &, const Codes &);

  int device_;
  bool exactTimings_;
  std::mutex mutex_;
  bool open_ = false;
  uint32_t nextId_ = 1;
  std::unordered_map<uint32_t, Resident> residents_;
  std::unordered_map<uint32_t, FeatureTable> featureTables_;
  cudaStream_t stream_ = nullptr, copies_ = nullptr;
  Slot slots_[limits::GPU_PIECES];
  Gate gate_;
  /** Launches that were made before: only those may wait behind the gate, since a first one may wait for the device. */
  std::set<std::string> made_;
  bool isGated_ = false;
  /** Of the call that runs: what its settled pieces took between `begun` and `ended`. */
  double kernelMs_ = 0;
  Tables tables_;
  LoweringArrays arrays_;
  Buffer codes_, scratch_, minmax_, result_{Buffer::Where::host};
  /** Of weighted sums. */
  Buffer weights_, squares_, list_, features_, totals_;
};

}  // namespace polybin
