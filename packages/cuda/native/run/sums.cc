#include "sums.h"

#include <algorithm>
#include <numeric>

#include "checks.h"
#include "generated/limits.cuh"
#include "memory/source.h"
#include "platform/cuda-errors.h"

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

/** Uploads numbers of 32 bits to the device. Null: there are none. */
template <typename Number>
const Number *Summer::bring(const void *data, size_t bytes, Buffer &to) {
  if (bytes == 0) return nullptr;
  const Source from = rowOf(static_cast<const uint8_t *>(data), bytes);
  auto *const memory = static_cast<uint8_t *>(to.reserve(bytes + limits::GPU_PADDING_BYTES));
  pieces_.copy({from, nullptr}, memory);
  // Kernels load whole units. The values behind the last document are not added.
  check(cudaMemsetAsync(memory + bytes, 0, limits::GPU_PADDING_BYTES, pieces_.stream), "cudaMemset");
  // The next upload uses the same slots.
  pieces_.settleAll();
  return reinterpret_cast<const Number *>(memory);
}

/** Integers have at most 53 bits. */
std::vector<double> Summer::bringBack(const Count *from, size_t size, bool areFloats) {
  std::vector<double> to(size);
  const Written place{reinterpret_cast<uint8_t *>(to.data()), size * sizeof(double), true};
  pieces_.bring({{from, size, areFloats ? Lies::f64 : Lies::i64, place}});
  return to;
}

/**
 * Keeps two launches under way: the next one waits behind the one that runs. There are no more, so that a call stops
 * soon. Returns the duration of each.
 */
std::vector<double> Summer::launchAll(const SumsJob &job, WeightedInput in) {
  std::vector<double> launchMs(job.launches.size());
  uint32_t *const subHistograms = in.subHistograms;
  const auto settled = [&](size_t i) { launchMs[i] = pieces_.settle(i % underWay); };
  size_t next = 0;
  for (; next < job.launches.size() && !pieces_.isStopped(); next++) {
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
      check(kernel.launch(nothing, of.plan, of.own.bytes, pieces_.stream), kernel.slug);
    }
    pieces_.timed(next % underWay, in.count * job.documents,
                  [&] { pieces_.gate.check(kernel.launch(in, of.plan, of.own.bytes, pieces_.stream), kernel.slug); });
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
std::vector<double> Summer::sharesOf(const SumsJob &job, const Count *cycles, const std::vector<double> &launchMs) {
  std::vector<double> shares;
  for (size_t i = 0; i < job.launches.size(); i++) {
    const size_t count = job.launches[i].rows.size;
    const std::vector<double> own = bringBack(cycles, count, false);
    cycles += count;
    const double all = std::accumulate(own.begin(), own.end(), 0.0);
    // A kernel that does not report cycles has features of equal shares.
    for (const double one : own) shares.push_back(launchMs[i] * (all > 0 ? one / all : 1.0 / static_cast<double>(count)));
  }
  return shares;
}

Summed Summer::sum(const SumsJob &job, const Residents &residents) {
  const auto table = residents.find<FeatureTable>(job.table);
  checkSums(job, *table);
  // Uploads do not count as progress.
  pieces_.report(false);
  WeightedInput in{};
  in.values = table->at();
  in.pitch = table->pitch;
  in.documents = job.documents;
  in.weights = bring<int32_t>(job.weights.data, job.weights.bytes, weights_);
  in.squares = bring<int32_t>(job.squares.data, job.squares.bytes, squares_);
  in.list = bring<uint32_t>(job.list.data, job.list.size * sizeof(uint32_t), list_);
  pieces_.report(true);
  pieces_.checkGoesOn();

  std::vector<WeightedFeature> features;
  size_t size = 0, subHistogramBytes = 0;
  for (const SumsLaunch &launch : job.launches) {
    for (size_t i = 0; i < launch.rows.size; i++) features.push_back({launch.rows.data[i], launch.skip.data[i]});
    size += totalsOf(launch);
    subHistogramBytes = std::max(subHistogramBytes, subHistogramBytesOf(launch));
  }
  const cudaStream_t stream = pieces_.stream;
  const size_t featureBytes = features.size() * sizeof(WeightedFeature);
  in.features = static_cast<WeightedFeature *>(features_.reserve(featureBytes));
  check(cudaMemcpyAsync(features_.memory(), features.data(), featureBytes, cudaMemcpyHostToDevice, stream), "a copy");
  in.totals = static_cast<Count *>(totals_.reserve(size * sizeof(Count)));
  check(cudaMemsetAsync(in.totals, 0, size * sizeof(Count), stream), "cudaMemset");
  if (job.timed) {
    const size_t bytes = features.size() * sizeof(Count);
    in.cycles = static_cast<Count *>(cycles_.reserve(bytes));
    check(cudaMemsetAsync(in.cycles, 0, bytes, stream), "cudaMemset");
  }
  check(cudaStreamSynchronize(stream), "a copy");
  in.subHistograms = static_cast<uint32_t *>(subHistograms_.reserve(subHistogramBytes));

  Summed summed;
  summed.uploadMs = pieces_.times().uploadMs;
  const std::vector<double> launchMs = launchAll(job, in);
  summed.kernelMs = std::accumulate(launchMs.begin(), launchMs.end(), 0.0);
  pieces_.checkGoesOn();
  if (job.timed) summed.ms = sharesOf(job, in.cycles, launchMs);
  summed.totals = bringBack(in.totals, size, job.weights.floats);
  return summed;
}

}  // namespace polybin
