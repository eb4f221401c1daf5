#include "sums.h"

#include <algorithm>
#include <chrono>

#include "generated/limits.cuh"
#include "memory/source.h"
#include "platform/failure.h"

namespace polybin {
namespace {

/** The number of launches that are queued at a time. */
constexpr size_t underWay = 2;

/** The number of totals that a launch adds to. */
size_t totalsOf(const SumsLaunch &of) {
  const size_t kinds = 1 + of.plan.counts + of.plan.squares;
  return of.rows.size * kinds * of.plan.bins;
}

bool hasSkip(const SumsLaunch &of) {
  return std::any_of(of.skip.data, of.skip.data + of.skip.size, [](uint32_t value) { return value != noSkip; });
}

}  // namespace

/** Uploads host memory to the device. All of it is under way when this returns. Null: there is no memory to upload. */
const void *Summer::bring(const uint8_t *data, size_t bytes, Buffer &to, const Control &control, Pieces &pieces) {
  if (bytes == 0) return nullptr;
  const Source from = rowOf(data, bytes);
  auto *const memory = static_cast<uint8_t *>(to.reserve(bytes + limits::GPU_PADDING_BYTES));
  uint64_t at = 0;
  pieces.each(from, nullptr, Pieces::pixelsOf(from, ~0ull), control, [&](const void *piece, uint64_t size, bool) {
    check(cudaMemcpyAsync(memory + at, piece, size, cudaMemcpyDeviceToDevice, pieces.stream), "a copy");
    at += size;
  });
  // Kernels load whole units. The values behind the last document are not added.
  check(cudaMemsetAsync(memory + bytes, 0, limits::GPU_PADDING_BYTES, pieces.stream), "cudaMemset");
  // The next upload uses the same slots.
  pieces.settleAll(control);
  return memory;
}

/** Appends totals to a vector: doubles, or integers of at most 53 bits. */
template <typename Number>
void Summer::bringBack(const Count *totals, size_t size, std::vector<double> &to, cudaStream_t stream) {
  const size_t most = std::min<size_t>(size, limits::GPU_PIECE_BYTES / sizeof(Count));
  static_assert(sizeof(Number) == sizeof(Count));
  auto *const result = static_cast<Number *>(result_.reserve(most * sizeof(Count)));
  for (size_t first = 0; first < size; first += most) {
    const size_t part = std::min(most, size - first);
    check(cudaMemcpyAsync(result, totals + first, part * sizeof(Count), cudaMemcpyDeviceToHost, stream), "a copy");
    check(cudaStreamSynchronize(stream), "a copy");
    to.insert(to.end(), result, result + part);
  }
}

/**
 * Keeps two launches under way: the next one waits behind the one that runs. There are no more, so that a call stops
 * soon.
 */
void Summer::launchAll(const SumsJob &job, WeightedInput in, Summed &summed, Pieces &pieces) {
  summed.ms.resize(job.launches.size());
  const auto settled = [&](size_t i) {
    const double ms = pieces.settle(i % underWay, job.control);
    summed.ms[i] = ms;
    summed.kernelMs += ms;
  };
  size_t next = 0;
  for (; next < job.launches.size() && job.control.stop->load() == 0; next++) {
    const SumsLaunch &of = job.launches[next];
    const SumsKernel &kernel = sumsKernel(of.algorithm);
    if (next >= underWay) settled(next - underWay);
    in.count = static_cast<uint32_t>(of.rows.size);
    in.skips = hasSkip(of);
    if (job.timed) {
      // A first launch loads the kernel and settles its memory. This launch over zero documents takes that time, so
      // that it is not measured.
      WeightedInput nothing = in;
      nothing.documents = 0;
      check(kernel.launch(nothing, of.plan, of.own.bytes, pieces.stream), kernel.slug);
    }
    pieces.timed(next % underWay, in.count * job.documents,
                 [&] { pieces.checkQueued(kernel.launch(in, of.plan, of.own.bytes, pieces.stream), kernel.slug); });
    in.features += in.count;
    in.totals += totalsOf(of);
  }
  for (size_t i = next > underWay ? next - underWay : 0; i < next; i++) settled(i);
}

Summed Summer::sum(const SumsJob &job, const FeatureTable &table, Pieces &pieces) {
  Pieces::Drain drain(pieces);
  // Uploads do not count as progress, so they report to a separate counter.
  std::atomic<int64_t> brought{0};
  const Control quiet{job.control.stop, &brought};
  const auto start = std::chrono::steady_clock::now();
  const auto take = [&](const uint8_t *data, size_t bytes, Buffer &to) { return bring(data, bytes, to, quiet, pieces); };
  WeightedInput in{};
  in.values = static_cast<const uint8_t *>(table.memory);
  in.pitch = table.pitch;
  in.documents = job.documents;
  in.weights = static_cast<const int32_t *>(take(job.weights.data, job.weights.bytes, weights_));
  in.squares = static_cast<const int32_t *>(take(job.squares.data, job.squares.bytes, squares_));
  const auto *const list = reinterpret_cast<const uint8_t *>(job.list.data);
  in.list = static_cast<const uint32_t *>(take(list, job.list.size * sizeof(uint32_t), list_));
  checkGoesOn(job.control);

  std::vector<WeightedFeature> features;
  size_t size = 0;
  for (const SumsLaunch &launch : job.launches) {
    for (size_t i = 0; i < launch.rows.size; i++) features.push_back({launch.rows.data[i], launch.skip.data[i]});
    size += totalsOf(launch);
  }
  auto *const listed = static_cast<WeightedFeature *>(features_.reserve(features.size() * sizeof(WeightedFeature)));
  check(cudaMemcpyAsync(listed, features.data(), features.size() * sizeof(WeightedFeature), cudaMemcpyHostToDevice,
                        pieces.stream),
        "a copy");
  auto *const totals = static_cast<Count *>(totals_.reserve(size * sizeof(Count)));
  check(cudaMemsetAsync(totals, 0, size * sizeof(Count), pieces.stream), "cudaMemset");
  check(cudaStreamSynchronize(pieces.stream), "a copy");

  Summed summed;
  summed.uploadMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  in.features = listed;
  in.totals = totals;
  launchAll(job, in, summed, pieces);
  checkGoesOn(job.control);
  summed.totals.reserve(size);
  if (job.weights.floats) bringBack<double>(totals, size, summed.totals, pieces.stream);
  else bringBack<int64_t>(totals, size, summed.totals, pieces.stream);
  drain.done();
  return summed;
}

void Summer::release() {
  for (Buffer *buffer : {&weights_, &squares_, &list_, &features_, &totals_, &result_}) buffer->release();
}

}  // namespace polybin
