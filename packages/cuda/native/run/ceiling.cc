#include "ceiling.h"

#include <chrono>

#include "kernels/polybin.cuh"
#include "memory/buffer.h"
#include "platform/failure.h"
#include "platform/gate.h"

namespace polybin {
namespace {

void use(uint32_t device) {
  checkNotLost();
  check(cudaSetDevice(static_cast<int>(device)), "cudaSetDevice");
  cudaGetLastError();
}

/** A stream and two events on it, behind a gate as in an engine with exact timings. */
class Stopwatch {
 public:
  Stopwatch() {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    check(cudaEventCreate(&begun_), "cudaEventCreate");
    check(cudaEventCreate(&ended_), "cudaEventCreate");
  }
  ~Stopwatch() {
    if (begun_) cudaEventDestroy(begun_);
    if (ended_) cudaEventDestroy(ended_);
    if (stream) cudaStreamDestroy(stream);
  }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

  /** isFirst: a kernel is launched for the first time, which may wait for the device. */
  template <typename Work>
  double milliseconds(bool isFirst, const Work &work) {
    const Opener opener{gate_};
    if (!isFirst) gate_.close(stream);
    check(cudaEventRecord(begun_, stream), "cudaEventRecord");
    work();
    check(cudaEventRecord(ended_, stream), "cudaEventRecord");
    gate_.open();
    check(cudaEventSynchronize(ended_), "read");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begun_, ended_), "cudaEventElapsedTime");
    return ms;
  }

  cudaStream_t stream = nullptr;

 private:
  struct Opener {
    Gate &gate;
    ~Opener() { gate.open(); }
  };

  Gate gate_;
  cudaEvent_t begun_ = nullptr, ended_ = nullptr;
};

}  // namespace

std::vector<ReadRow> readRounds(const ReadJob &job) {
  use(job.device);
  int units = 0;
  check(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, static_cast<int>(job.device)), "cudaDeviceGetAttribute");
  Buffer data, sink;
  Stopwatch watch;
  data.reserve(job.bytes);
  sink.reserve(sizeof(uint32_t));
  check(cudaMemsetAsync(data.memory(), 0, job.bytes, watch.stream), "cudaMemset");
  check(cudaMemsetAsync(sink.memory(), 0, sizeof(uint32_t), watch.stream), "cudaMemset");
  std::vector<ReadRow> rows;
  for (uint32_t variant = 0; variant < readVariants; variant++) {
    const auto once = [&](bool isFirst) {
      return watch.milliseconds(isFirst, [&] {
        check(read(data.memory(), job.bytes, variant, job.blocks * units, static_cast<uint32_t *>(sink.memory()),
                   watch.stream),
              "read");
      });
    };
    once(true);
    ReadRow row{readVariantName(variant), job.blocks, {}};
    for (uint32_t round = 0; round < job.rounds; round++) row.ms.push_back(once(false));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<double> copyRounds(const CopyJob &job) {
  use(job.device);
  Buffer data, pinned(Buffer::Where::host);
  data.reserve(job.bytes);
  // The pages are written first. Pages that were never touched would all map to one physical page.
  std::vector<uint8_t> pageable(job.pinned ? 0 : job.bytes, 1);
  if (job.pinned) pinned.reserve(job.bytes);
  const void *const host = job.pinned ? pinned.memory() : pageable.data();
  std::vector<double> ms;
  for (uint32_t round = 0; round <= job.rounds; round++) {
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const auto start = std::chrono::steady_clock::now();
    check(cudaMemcpy(data.memory(), host, job.bytes, cudaMemcpyHostToDevice), "a copy");
    check(cudaDeviceSynchronize(), "a copy");
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    if (round > 0) ms.push_back(taken.count());
  }
  return ms;
}

}  // namespace polybin
