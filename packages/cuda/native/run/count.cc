#include "count.h"

#include <algorithm>
#include <chrono>

#include "generated/limits.cuh"
#include "pixels.h"
#include "platform/failure.h"

namespace polybin {
namespace {

double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

/** What tells launches apart. */
std::string signatureOf(const CountJob &job) {
  std::string of = job.algorithm;
  const auto add = [&](const auto &part) { of.append(reinterpret_cast<const char *>(&part), sizeof part); };
  add(job.lowering.numbers);
  add(job.plan);
  add(job.own);
  add(job.wanted);
  return of;
}

}  // namespace

struct Counter::Call {
  const CountJob &job;
  const CountKernel &kernel;
  const Lowering lowering;
  /** All channels' counts. */
  Count *const counts;
  Pieces &pieces;

  /** Do 32 bits hold what a call counts, and does the kernel add to such? */
  static bool isNarrow(const CountJob &job, const CountKernel &kernel) {
    return kernel.narrow && job.source.pixels <= limits::U32_MAX;
  }
  /** Raw samples of one channel are codes as they are. */
  static bool areCodes(const CountJob &job) {
    return job.lowering.numbers.kind == Kind::raw && job.wanted.interleaved == 1;
  }
};

/** Launches a kernel of samples. */
void Counter::launch(const Call &call, const void *data, uint64_t pixels) {
  const CountJob &job = call.job;
  if (call.kernel.samples == nullptr) return launchCodes(call, data, pixels);
  Pixels all = pixelsOf(data, pixels, job.wanted);
  all.counts = call.counts;
  all.next = call.kernel.zeroes ? tables_.next() : nullptr;
  all.narrow = Call::isNarrow(job, call.kernel);
  call.pieces.checkQueued(call.kernel.samples(all, call.lowering, job.plan, job.own.bytes, call.pieces.stream),
                          call.kernel.slug);
}

/** Launches a kernel of codes for one channel after the other, behind what writes the codes. */
void Counter::launchCodes(const Call &call, const void *data, uint64_t pixels) {
  const CountJob &job = call.job;
  Pieces &pieces = call.pieces;
  auto *const scratch = static_cast<uint32_t *>(scratch_.memory());
  auto *const codes = static_cast<uint32_t *>(codes_.memory());
  const auto countCodes = [&](const Codes &of) {
    pieces.checkQueued(call.kernel.codes(of, job.plan, job.own.bytes, pieces.stream), call.kernel.slug);
  };
  for (uint32_t i = 0; i < job.wanted.channels.size; i++) {
    Count *const table = call.counts + i * (job.plan.cells + limits::FLOW_ROWS);
    if (Call::areCodes(job)) {
      countCodes({data, pixels, true, table, scratch});
      continue;
    }
    for (uint64_t first = 0; first < pixels; first += limits::GPU_CODES) {
      Pixels part = pixelsOf(static_cast<const uint8_t *>(data) + first * job.source.pixelBytes,
                             std::min<uint64_t>(limits::GPU_CODES, pixels - first), job.wanted);
      part.channels = 1;
      part.channel[0] = job.wanted.channels.of[i];
      part.counts = table;
      pieces.checkQueued(lower(part, call.lowering, job.plan, codes, pieces.stream), "lower");
      // There may be more launches than fit behind it.
      pieces.openGate();
      pad(codes, part.count * sizeof(uint32_t), pieces.stream);
      countCodes({codes, part.count, false, table, scratch});
    }
  }
}

Counted Counter::count(const CountJob &job, const uint8_t *resident, bool exact, Pieces &pieces) {
  const CountKernel &kernel = countKernel(job.algorithm);
  Pieces::Drain drain(pieces);
  // All memory is had before the first event, so that nothing but the launches lies between two.
  const size_t size = static_cast<size_t>(job.wanted.channels.size) * (job.plan.cells + limits::FLOW_ROWS);
  const bool isNarrow = Call::isNarrow(job, kernel);
  const size_t wide = isNarrow ? (size + 1) / 2 : size;
  const uint64_t most = Pieces::pixelsOf(job.source, job.launchPixels);
  auto *const result = static_cast<Count *>(result_.reserve(wide * sizeof(Count)));
  if (kernel.needs.scratch) {
    scratch_.reserve(static_cast<size_t>(job.plan.blocks) * job.plan.cellsPerPass * sizeof(uint32_t));
  }
  if (kernel.codes != nullptr && !Call::areCodes(job)) {
    const uint64_t codes = std::min<uint64_t>({most, job.source.pixels, limits::GPU_CODES});
    codes_.reserve(codes * sizeof(uint32_t) + limits::GPU_PADDING_BYTES);
  }
  Count *const counts = tables_.begin(wide, pieces.stream);
  const Call call{job, kernel, arrays_.toDevice(job.lowering, pieces.stream), counts, pieces};

  const std::string signature = exact && resident != nullptr ? signatureOf(job) : "";
  if (made_.count(signature) > 0) pieces.closeGate();
  Counted counted;
  bool isLaunched = false;
  const auto start = std::chrono::steady_clock::now();
  pieces.each(job.source, resident, most, job.control, [&](const void *data, uint64_t pixels) {
    launch(call, data, pixels);
    isLaunched = true;
  });
  check(cudaMemcpyAsync(result, counts, wide * sizeof(Count), cudaMemcpyDeviceToHost, pieces.stream), "a copy");
  check(cudaStreamSynchronize(pieces.stream), kernel.slug);
  if (resident == nullptr) counted.uploadMs = milliseconds(start);
  pieces.settleAll(job.control);
  drain.done();
  tables_.end(kernel.zeroes && isLaunched, pieces.stream);
  if (isLaunched && !signature.empty()) made_.insert(signature);
  checkGoesOn(job.control);
  counted.kernelMs = pieces.kernelMs();
  const auto *const words = reinterpret_cast<const uint32_t *>(result);
  if (isNarrow) counted.counts.assign(words, words + size);
  else counted.counts.assign(result, result + size);
  return counted;
}

void Counter::release() {
  tables_.release();
  arrays_.release();
  for (Buffer *buffer : {&codes_, &scratch_, &result_}) buffer->release();
}

}  // namespace polybin
