// One engine's hold on a device: its stream, its buffers, its residents. Not for the kernels.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "polybin.cuh"

namespace polybin {

/** What a call failed with; `code` is one of core's error codes. */
struct Failure {
  std::string code;
  std::string message;
};

/** Core's code for a CUDA error. */
const char *codeOf(cudaError_t error);

/** 32-bit words in host memory. */
struct Words {
  const uint32_t *data = nullptr;
  size_t size = 0;
};

/** A lowering whose arrays are still on the host. */
struct HostLowering {
  Lowering plain;
  Words table, low, high, starts;
};

/** Where samples are: a resident, host memory, or a file. Rows are `width` pixels, `rowPitch` bytes apart. */
struct Source {
  uint64_t pixels, width, rowPitch;
  uint32_t pixelBytes;
  /** Id of a resident; 0 for none. */
  uint32_t resident;
  const uint8_t *host;
  int fd = -1;
  uint64_t offset;
};

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
  double kernelMs = 0, uploadMs = 0;
};

/** Order-preserving keys of the finite minimum and maximum; min > max where there is none. */
struct Extent {
  Count min = ~0ull, max = 0;
};

/** Device or page-locked memory that grows when more is asked for. */
class Buffer {
 public:
  explicit Buffer(bool host = false) : host_(host) {}
  ~Buffer() { release(); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  /** At least `bytes`; what was in it may be lost. @throws Failure */
  void *reserve(size_t bytes);
  void release();

 private:
  bool host_;
  void *memory_ = nullptr;
  size_t bytes_ = 0;
};

class Context {
 public:
  explicit Context(int device) : device_(device) {}
  ~Context();
  uint32_t upload(const Source &, const Control &);
  void free(uint32_t id);
  Counted count(const CountJob &);
  Extent extent(const Source &, const Wanted &, const Control &);
  void close();

 private:
  /** Called for pieces of a source that lie on the device, dense; all work goes to `stream_`. */
  using Use = std::function<void(const void *data, uint64_t pixels)>;

  void begin();
  void eachPiece(const Source &, uint64_t launchPixels, const Control &, const Use &, double *uploadMs);
  void eachStaged(const Source &, uint64_t launchPixels, const Control &, const Use &, double *uploadMs);
  const void *stage(const Source &, uint64_t first, uint64_t bytes, int slot);
  Lowering toDevice(const HostLowering &);
  void launch(const CountJob &, const Lowering &, const void *data, uint64_t pixels, Count *counts);
  void launchCodes(const CountJob &, const Codes &);

  static constexpr int kSlots = 3;
  int device_;
  std::mutex mutex_;
  bool open_ = false;
  uint32_t nextId_ = 1;
  std::unordered_map<uint32_t, void *> residents_;
  cudaStream_t stream_ = nullptr, copies_ = nullptr;
  cudaEvent_t copied_[kSlots] = {}, used_[kSlots] = {}, started_ = nullptr, ended_ = nullptr;
  Buffer chunk_[kSlots], staging_[kSlots] = {Buffer(true), Buffer(true), Buffer(true)};
  Buffer tables_, counts_, codes_, scratch_, result_{true};
};

}  // namespace polybin
