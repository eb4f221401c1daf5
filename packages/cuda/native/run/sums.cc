#include "sums.h"

#include <algorithm>
#include <chrono>
#include <numeric>

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

/** The size of the sub-histograms that a launch stores. */
size_t subHistogramBytesOf(const SumsLaunch &of) {
  return of.rows.size * of.plan.segments * of.plan.passes * size_t{of.plan.subHistogramBytes};
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
 * soon. Returns the duration of each.
 */
std::vector<double> Summer::launchAll(const SumsJob &job, WeightedInput in, Summed &summed, Pieces &pieces) {
  std::vector<double> launchMs(job.launches.size());
  uint32_t *const subHistograms = in.subHistograms;
  const auto settled = [&](size_t i) {
    launchMs[i] = pieces.settle(i % underWay, job.control);
    summed.kernelMs += launchMs[i];
  };
  size_t next = 0;
  for (; next < job.launches.size() && job.control.stop->load() == 0; next++) {
    const SumsLaunch &of = job.launches[next];
    const SumsKernel &kernel = sumsKernel(of.algorithm);
    if (next >= underWay) settled(next - underWay);
    in.count = static_cast<uint32_t>(of.rows.size);
    in.skips = hasSkip(of);
    // The launches share the memory, because they run in sequence.
    in.subHistograms = of.plan.subHistogramBytes > 0 ? subHistograms : nullptr;
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
    if (in.cycles != nullptr) in.cycles += in.count;
  }
  for (size_t i = next > underWay ? next - underWay : 0; i < next; i++) settled(i);
  return launchMs;
}

/**
 * Divides the duration of each launch by the cycles of its features' blocks. The features of a launch run side by side,
 * so a feature alone would be slower than among others.
 */
std::vector<double> Summer::sharesOf(const SumsJob &job, const Count *cycles, const std::vector<double> &launchMs,
                                     cudaStream_t stream) {
  std::vector<double> shares;
  for (size_t i = 0; i < job.launches.size(); i++) {
    const size_t count = job.launches[i].rows.size;
    std::vector<double> own;
    bringBack<int64_t>(cycles, count, own, stream);
    cycles += count;
    const double all = std::accumulate(own.begin(), own.end(), 0.0);
    // A kernel that does not report cycles has features of equal shares.
    for (const double one : own) shares.push_back(launchMs[i] * (all > 0 ? one / all : 1.0 / static_cast<double>(count)));
  }
  return shares;
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
  size_t size = 0, subHistogramBytes = 0;
  for (const SumsLaunch &launch : job.launches) {
    for (size_t i = 0; i < launch.rows.size; i++) features.push_back({launch.rows.data[i], launch.skip.data[i]});
    size += totalsOf(launch);
    subHistogramBytes = std::max(subHistogramBytes, subHistogramBytesOf(launch));
  }
  auto *const listed = static_cast<WeightedFeature *>(features_.reserve(features.size() * sizeof(WeightedFeature)));
  check(cudaMemcpyAsync(listed, features.data(), features.size() * sizeof(WeightedFeature), cudaMemcpyHostToDevice,
                        pieces.stream),
        "a copy");
  auto *const totals = static_cast<Count *>(totals_.reserve(size * sizeof(Count)));
  check(cudaMemsetAsync(totals, 0, size * sizeof(Count), pieces.stream), "cudaMemset");
  if (job.timed) {
    const size_t bytes = features.size() * sizeof(Count);
    in.cycles = static_cast<Count *>(cycles_.reserve(bytes));
    check(cudaMemsetAsync(in.cycles, 0, bytes, pieces.stream), "cudaMemset");
  }
  check(cudaStreamSynchronize(pieces.stream), "a copy");
  in.subHistograms = static_cast<uint32_t *>(subHistograms_.reserve(subHistogramBytes));

  Summed summed;
  summed.uploadMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  in.features = listed;
  in.totals = totals;
  const std::vector<double> launchMs = launchAll(job, in, summed, pieces);
  checkGoesOn(job.control);
  if (job.timed) summed.ms = sharesOf(job, in.cycles, launchMs, pieces.stream);
  summed.totals.reserve(size);
  if (job.weights.floats) bringBack<double>(totals, size, summed.totals, pieces.stream);
  else bringBack<int64_t>(totals, size, summed.totals, pieces.stream);
  drain.done();
  return summed;
}

void Summer::release() {
  for (Buffer *buffer : {&weights_, &squares_, &list_, &features_, &totals_, &cycles_, &subHistograms_, &result_}) buffer->release();
}

}  // namespace polybin
