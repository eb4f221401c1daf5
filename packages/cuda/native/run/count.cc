#include "count.h"

#include <algorithm>

#include "generated/limits.cuh"
#include "platform/cuda-errors.h"
#include "platform/watch.h"

namespace polybin {
namespace {

/** The size in bytes of the area before the counts, which holds the flag. */
constexpr size_t head = 256;

/** The size in bytes of the last piece. Nothing is copied while it is counted. */
constexpr uint64_t tail = uint64_t{4} << 20;

}  // namespace

Counted Counter::count(const CountJob &call, Job &job, const uint8_t *resident, bool exact, Total *total) {
  const cudaStream_t stream = pieces_.stream;
  const uint64_t pixels = call.source.pixels;
  const bool narrow = job.isNarrow(pixels);
  const Reads reads{{call.source, resident}};
  const uint64_t most = Pieces::pixelsOf(reads, job.launchPixels());
  // All memory is allocated before the first event, so that only launches lie between two events.
  if (!workspace_.fits(job, std::min(most, pixels))) {
    check(cudaStreamSynchronize(stream), job.kernel.slug);
    workspace_.reserve(job, std::min(most, pixels), stream);
  }
  auto *const result = static_cast<uint8_t *>(result_.reserve(head + job.countBytes(false)));
  job.onDevice(stream);
  Count *const added = total == nullptr ? nullptr : total->onDevice(stream);
  workspace_.begin(job, narrow, stream);
  // A first launch may wait for the device.
  if (exact && resident != nullptr && job.wasLaunched) pieces_.closeGate();

  auto *const flag = reinterpret_cast<uint32_t *>(result);
  *flag = 0;
  const Home home = total == nullptr ? Home{result + head, nullptr, flag, 1} : Home{nullptr, added, flag, 1};
  bool isDelivered = false;
  const auto countPiece = [&](const auto &data, uint64_t pixels, bool isLast) {
    // A timed call delivers separately, so that the time covers the counting alone.
    isDelivered = isLast && !call.timed;
    workspace_.count(job, data[0], pixels, isDelivered ? &home : nullptr);
    job.wasLaunched = true;
  };
  pieces_.each(reads, most, countPiece, tail);
  if (!isDelivered) {
    // The counts of a stopped call are discarded.
    pieces_.checkGoesOn();
    workspace_.deliver(home);
  }
  Watch watch(flag, 1, stream);
  while (!watch.look()) continue;
  // Counts that were added stay. The counts of a stopped call are discarded.
  if (total == nullptr) pieces_.checkGoesOn();
  if (call.timed) pieces_.settleAll();
  else pieces_.allDone();
  Counted counted{pieces_.times(), {}};
  if (total != nullptr) return counted;
  counted.counts.resize(job.size());
  const auto copy = [&](const auto *counts) { std::copy_n(counts, job.size(), counted.counts.begin()); };
  narrow ? copy(reinterpret_cast<const uint32_t *>(result + head)) : copy(reinterpret_cast<const Count *>(result + head));
  return counted;
}

}  // namespace polybin
