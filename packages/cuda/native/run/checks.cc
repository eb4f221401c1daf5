#include "checks.h"

#include <algorithm>
#include <iterator>

namespace polybin {
namespace {

/** Bytes and pixels of what JavaScript describes are at most 2^53 - 1 each: their products need more than 64 bits. */
using Wide = unsigned __int128;

constexpr uint32_t blockThreads = 1024, gridRows = 65535;
constexpr uint32_t sampleBytes[] = {1, 1, 2, 2, 4, 4, 4, 8};

std::string shown(Wide of) { return of > ~0ull ? "more than 2^64" : std::to_string(static_cast<uint64_t>(of)); }

void expect(bool holds, const char *name, const std::string &what, Wide received) {
  if (holds) return;
  throw Failure{"ERR_INTERNAL", std::string("expected ") + what + " for " + name + " but received " + shown(received)};
}

void within(const char *name, Wide value, Wide least, Wide most) {
  expect(value >= least && value <= most, name, shown(least) + " to " + shown(most), value);
}

void exactly(const char *name, Wide value, Wide wanted) { expect(value == wanted, name, shown(wanted), value); }

bool isPower(uint32_t of) { return of != 0 && (of & (of - 1)) == 0; }

uint32_t ceiling(uint32_t of, uint32_t by) { return (of - 1) / by + 1; }

void checkType(Type type) { within("type", static_cast<uint32_t>(type), 0, std::size(sampleBytes) - 1); }

void checkSource(const Source &of) {
  within("source.pixelBytes", of.pixelBytes, 1, sizeof(double) * std::size(Pixels{}.channel));
  const Wide rowBytes = Wide{of.width} * of.pixelBytes;
  if (of.pixels == 0) return;
  within("source.width", of.width, 1, ~0ull);
  within("source.rowPitch", of.rowPitch, rowBytes, ~0ull);
  const Wide last = Wide{of.first} + of.pixels - 1;
  if (of.resident != 0) return;
  if (of.fd >= 0) return within("source.offset", Wide{of.offset} + (last + 1) * of.pixelBytes, 0, INT64_MAX);
  const Wide end = last / of.width * of.rowPitch + (last % of.width + 1) * of.pixelBytes;
  if (of.host == nullptr || of.hostBytes < end) {
    throw Failure{"ERR_INPUT", "expected " + shown(end) + " bytes of memory behind the samples but there are " +
                                   shown(of.host == nullptr ? 0 : of.hostBytes) + ": was it transferred?"};
  }
}

void checkWanted(const Source &source, const Wanted &of) {
  checkType(of.type);
  within("wanted.interleaved", of.interleaved, 1, std::size(of.channel));
  within("wanted.channels.length", of.channels, 1, of.interleaved);
  uint32_t seen = 0;
  for (uint32_t i = 0; i < of.channels; i++) {
    within("wanted.channels", of.channel[i], 0, of.interleaved - 1);
    expect((seen >> of.channel[i] & 1) == 0, "wanted.channels", "each channel once", of.channel[i]);
    seen |= 1u << of.channel[i];
  }
  exactly("source.pixelBytes", source.pixelBytes, of.interleaved * sampleBytes[static_cast<uint32_t>(of.type)]);
}

void checkRanks(const HostLowering &of) {
  const Lowering &plain = of.plain;
  within("lowering.low.length", of.low.size, 1, plain.bins + 1);
  exactly("lowering.high.length", of.high.size, plain.type == Type::f64 ? of.low.size : 0);
  within("lowering.steps", plain.steps, 0, 31);
  // Cells are found as floats' bits: below 2^22 they are exact.
  within("lowering.cells", plain.cells, 0, of.starts.size == 0 ? of.low.size : 1u << 22);
  if (!plain.line) within("lowering.shift", plain.shift, 0, 31);
  if (of.starts.size == 0) return expect(plain.line, "lowering.starts.length", "one more than the last cell", 0);
  exactly("lowering.starts.length", of.starts.size, plain.cells + 1);
  within("lowering.starts", *std::max_element(of.starts.data, of.starts.data + of.starts.size), 0, of.low.size);
}

void checkLowering(const HostLowering &of, const Wanted &wanted, const Plan &plan) {
  const Lowering &plain = of.plain;
  exactly("lowering.type", static_cast<uint32_t>(plain.type), static_cast<uint32_t>(wanted.type));
  within("lowering.bins", plain.bins, 1, limits::MAX_BINS);
  exactly("plan.cells", plan.cells, plain.bins);
  const uint32_t bytes = sampleBytes[static_cast<uint32_t>(plain.type)];
  const bool isFloat = plain.type >= Type::f32;
  const auto takes = [&](const char *what, bool fits) {
    expect(fits, "lowering.type", what, static_cast<uint32_t>(plain.type));
  };
  switch (plain.kind) {
    case Kind::raw:
      takes("8-bit samples", bytes == 1);
      return exactly("lowering.bins", plain.bins, limits::BYTE_VALUES);
    case Kind::table:
      takes("8-bit samples", bytes == 1);
      return exactly("lowering.table.length", of.table.size, limits::BYTE_VALUES);
    case Kind::direct: return takes("integers of 16 or 32 bits", bytes > 1 && !isFloat);
    case Kind::scaled:
      takes("16-bit samples", bytes == 2);
      within("lowering.last", plain.last, plain.first, limits::U16_MAX);
      return within("lowering.scale", plain.scale, 0, INT32_MAX);
    case Kind::ranks:
      takes("samples of 16 bits or more", bytes > 1);
      return checkRanks(of);
  }
  expect(false, "lowering.kind", "0 to 4", static_cast<uint32_t>(plain.kind));
}

void checkLanes(const CountJob &job) {
  const Plan &plan = job.plan;
  const HostLowering &lowering = job.lowering;
  const bool flow = lowering.plain.kind != Kind::raw && lowering.plain.flow;
  exactly("plan.rows", plan.rows, plan.cells + (flow ? limits::FLOW_ROWS : 0));
  within("plan.rowsPerBlock", plan.rowsPerBlock, 1, plan.rows);
  exactly("plan.passes", plan.passes, ceiling(plan.rows, plan.rowsPerBlock));
  expect(isPower(plan.replicas) && plan.replicas <= limits::WARP_THREADS, "plan.replicas", "a power of two up to 32",
         plan.replicas);
  const uint32_t channels = job.wanted.channels;
  expect(plan.channelsPerBlock == 1 || plan.channelsPerBlock == channels, "plan.channelsPerBlock", "1 or all",
         plan.channelsPerBlock);
  const Wide counters = Wide{plan.rowsPerBlock} * plan.replicas * limits::WORD_BYTES * plan.channelsPerBlock;
  const Wide vectors = (counters + limits::VECTOR_BYTES - 1) / limits::VECTOR_BYTES;
  exactly("plan.counterBytes", plan.counterBytes, vectors * limits::VECTOR_BYTES);
  within("plan.inFlight", plan.inFlight, 1, limits::PER_LANE_IN_FLIGHT);
  Wide lookup = 0;
  if (plan.lookupReplicas != 0) {
    expect(lowering.plain.kind == Kind::ranks, "plan.lookupReplicas", "0", plan.lookupReplicas);
    expect(isPower(plan.lookupReplicas) && plan.lookupReplicas <= limits::WARP_THREADS, "plan.lookupReplicas",
           "a power of two up to 32", plan.lookupReplicas);
    const uint32_t keyBytes = lowering.plain.type == Type::f64 ? 2 * limits::WORD_BYTES : limits::WORD_BYTES;
    lookup = Wide{lowering.low.size + limits::RANK_PADDING} * keyBytes * plan.lookupReplicas +
             Wide{lowering.starts.size} * limits::WORD_BYTES * std::max(1u, plan.lookupReplicas / 2);
  }
  within("plan.sharedBytes", plan.sharedBytes, plan.counterBytes + lookup, UINT32_MAX);
}

/** An algorithm that counts codes: how many threads a block may have, and what its tables take of shared memory. */
struct Tables {
  const char *slug;
  /** A multiple of `threadsAre`. */
  uint32_t threadsAre, threads;
  uint32_t cells;
  uint64_t (*sharedBytes)(const Plan &);
};

constexpr uint32_t anyCells = limits::MAX_BINS;
constexpr Tables ofCodes[] = {
    {"global", 1, limits::BLOCK_THREADS, anyCells, [](const Plan &) -> uint64_t { return 0; }},
    {"per-block", 1, limits::BLOCK_THREADS, anyCells,
     [](const Plan &of) -> uint64_t { return uint64_t{of.cellsPerPass} * limits::WORD_BYTES; }},
    {"per-warp", limits::WARP_THREADS, limits::PER_WARP_THREADS, anyCells,
     [](const Plan &of) { return uint64_t{of.threads / limits::WARP_THREADS} * of.cellsPerPass * limits::WORD_BYTES; }},
    {"per-thread-64", 2 * limits::WARP_THREADS, limits::PER_THREAD_64_THREADS, limits::PER_THREAD_64_BINS,
     [](const Plan &of) { return uint64_t{of.cellsPerPass} * of.threads; }},
    {"per-thread", limits::PER_THREAD_THREADS, limits::PER_THREAD_THREADS, anyCells,
     [](const Plan &of) { return uint64_t{ceiling(of.cellsPerPass, 2)} * of.threads * limits::WORD_BYTES; }},
    {"privatized", limits::PRIVATIZED_THREADS, limits::PRIVATIZED_THREADS, limits::PRIVATIZED_BINS,
     [](const Plan &) -> uint64_t { return limits::PRIVATIZED_THREADS * limits::PRIVATIZED_BINS; }},
    {"trish", limits::TRISH_THREADS, limits::TRISH_THREADS, limits::TRISH_BINS,
     [](const Plan &) -> uint64_t { return limits::TRISH_THREADS * limits::TRISH_BINS; }},
    {"bank-owned", limits::WARP_THREADS, limits::WARP_THREADS, anyCells,
     [](const Plan &of) { return (uint64_t{limits::TILE_WORDS} + of.cellsPerPass) * limits::WORD_BYTES; }},
};

void checkCodes(const CountJob &job) {
  const Plan &plan = job.plan;
  const auto found = std::find_if(std::begin(ofCodes), std::end(ofCodes), [&](const Tables &of) { return job.algorithm == of.slug; });
  if (found == std::end(ofCodes)) throw Failure{"ERR_UNSUPPORTED", "no kernel for " + job.algorithm};
  within("plan.cells", plan.cells, 1, found->cells);
  within("plan.cellsPerPass", plan.cellsPerPass, 1, std::max(plan.cells, found->cells == anyCells ? 1 : found->cells));
  exactly("plan.passes", plan.passes, ceiling(plan.cells, plan.cellsPerPass));
  within("plan.threads", plan.threads, found->threadsAre, found->threads);
  exactly("plan.threads", plan.threads % found->threadsAre, 0);
  within("plan.sharedBytes", plan.sharedBytes, found->sharedBytes(plan), UINT32_MAX);
  if (job.algorithm != "trish") return;
  within("plan.k", plan.k, 1, limits::TRISH_WORDS);
  // What its blocks leave for the sum of them all.
  exactly("plan.cellsPerPass", plan.cellsPerPass, limits::TRISH_BINS);
}

/** The last of the documents that are added up, and one more. */
uint64_t endOfDocuments(const SumsJob &job) {
  if (job.list.pixels == 0) return job.documents;
  const auto *const list = reinterpret_cast<const uint32_t *>(job.list.host);
  return uint64_t{*std::max_element(list, list + job.documents)} + 1;
}

uint64_t rowBytesOf(ValueType type, uint64_t documents) {
  return type == ValueType::u4 ? (documents + 1) / 2 : type == ValueType::u8 ? documents : 2 * documents;
}

/** Words that a bin takes of a table in shared memory where sums of integers have two. */
uint64_t wordsOf(const WeightedPlan &of) { return of.counts + (of.fast ? 1 : 2) * (1 + of.squares); }

struct SumTables {
  const char *slug;
  uint64_t (*sharedWords)(const WeightedPlan &);
};

constexpr SumTables ofSums[] = {
    {"weighted-collision-free",
     [](const WeightedPlan &of) { return uint64_t{ceiling(of.binsPerPass, 2)} * of.threads * (of.counts + 2 * (1 + of.squares)); }},
    {"weighted-collision", [](const WeightedPlan &of) { return of.binsPerPass * wordsOf(of); }},
    {"weighted-collision-reduced",
     [](const WeightedPlan &of) {
       return uint64_t{of.threads} * of.buffer * (2 + of.squares) + of.binsPerPass * wordsOf(of);
     }},
    {"weighted-fixed-point",
     [](const WeightedPlan &of) {
       const uint32_t planes = of.counts + (of.wide ? 2 : 1) * (1 + of.squares);
       return uint64_t{of.featuresPerBlock} * of.binsPerPass * of.replicas * planes;
     }},
};

void checkWeightedPlan(const std::string &algorithm, const WeightedPlan &of, uint64_t documents) {
  const auto found = std::find_if(std::begin(ofSums), std::end(ofSums), [&](const SumTables &one) { return algorithm == one.slug; });
  if (found == std::end(ofSums)) throw Failure{"ERR_UNSUPPORTED", "no kernel for " + algorithm};
  within("plan.type", static_cast<uint32_t>(of.type), 0, static_cast<uint32_t>(ValueType::u16));
  within("plan.bins", of.bins, 1, limits::MAX_BINS);
  within("plan.binsPerPass", of.binsPerPass, 1, of.bins);
  exactly("plan.passes", of.passes, ceiling(of.bins, of.binsPerPass));
  within("plan.threads", of.threads, limits::WARP_THREADS, blockThreads);
  exactly("plan.threads", of.threads % limits::WARP_THREADS, 0);
  within("plan.replicas", of.replicas, 1, blockThreads);
  within("plan.featuresPerBlock", of.featuresPerBlock, 1, limits::FEATURES_PER_BLOCK);
  within("plan.segments", of.segments, 1, gridRows);
  exactly("plan.segmentDocuments", of.segmentDocuments % limits::SEGMENT_ALIGN, 0);
  within("plan.segmentDocuments", Wide{of.segmentDocuments} * of.segments, documents, ~Wide{0});
  within("plan.unroll", of.unroll, 0, limits::UNROLL_MAX);
  within("plan.buffer", of.buffer, 0, limits::BUFFER_MAX);
  const bool isFixedPoint = algorithm == "weighted-fixed-point";
  if (isFixedPoint) {
    exactly("plan.fast", of.fast, 0);
    expect(isPower(of.replicas), "plan.replicas", "a power of two", of.replicas);
    if (of.wide) exactly("plan.type", static_cast<uint32_t>(of.type), static_cast<uint32_t>(ValueType::u16));
    else within("plan.flushDocuments", of.flushDocuments, uint64_t{limits::WEIGHTED_IN_FLIGHT} * limits::WEIGHTED_UNIT * of.threads, ~0ull);
    if (!of.wide) within("plan.binsPerPass", Wide{of.featuresPerBlock} * of.binsPerPass, 1, Wide{limits::WEIGHTED_ROWS} * of.threads);
  } else {
    exactly("plan.featuresPerBlock", of.featuresPerBlock, 1);
    const bool isReduced = algorithm == "weighted-collision-reduced";
    within(isReduced ? "plan.buffer" : "plan.unroll", isReduced ? of.buffer : of.unroll, 1, limits::BUFFER_MAX);
  }
  within("plan.sharedBytes", of.sharedBytes, Wide{found->sharedWords(of)} * limits::WORD_BYTES, UINT32_MAX);
}

}  // namespace

void checkDevice(uint32_t device) { within("device", device, 0, INT32_MAX); }

void checkUpload(const Source &of) {
  checkSource(of);
  within("source.pixels", Wide{of.pixels} * of.pixelBytes, 0, INT64_MAX);
}

void checkExtent(const Source &source, const Wanted &wanted) {
  checkUpload(source);
  checkWanted(source, wanted);
}

void checkCount(const CountJob &job) {
  checkExtent(job.source, job.wanted);
  const Plan &plan = job.plan;
  checkLowering(job.lowering, job.wanted, plan);
  within("launchPixels", job.launchPixels, 1, limits::U32_MAX);
  within("plan.threads", plan.threads, 1, blockThreads);
  within("plan.blocks", plan.blocks, 1, INT32_MAX);
  within("plan.layout", plan.layout, 0, 2);
  if (job.algorithm == "per-lane") checkLanes(job);
  else checkCodes(job);
}

void checkTable(const TableSource &of) {
  checkSource(of.rows);
  if (of.rowBytes == 0) return exactly("bytes.length", of.rows.pixels, 0);
  exactly("bytes.length", of.rows.pixels % of.rowBytes, 0);
}

void checkSums(const SumsJob &job, const TableShape &table) {
  within("documents", job.documents, 0, limits::U32_MAX);
  const uint64_t bytes = job.documents * limits::WORD_BYTES;
  exactly("weights.length", job.weights.hostBytes, bytes);
  if (job.squares.hostBytes != 0) exactly("squares.length", job.squares.hostBytes, bytes);
  if (job.list.hostBytes != 0) exactly("list.length", job.list.hostBytes, bytes);
  const uint64_t end = endOfDocuments(job);
  for (const SumsLaunch &launch : job.launches) {
    const WeightedPlan &plan = launch.plan;
    checkWeightedPlan(launch.algorithm, plan, job.documents);
    exactly("plan.fast", plan.fast, job.floats);
    if (plan.squares) exactly("squares.length", job.squares.hostBytes, bytes);
    within("documents", rowBytesOf(plan.type, end), 0, table.rowBytes);
    within("rows.length", launch.features.size(), 1, limits::U32_MAX);
    expect(table.rows > 0, "table", "a row", 0);
    for (const WeightedFeature &of : launch.features) within("rows", of.row, 0, table.rows - 1);
  }
}

void checkResident(const Source &of, uint64_t bytes) {
  within("source.pixels", (Wide{of.first} + of.pixels) * of.pixelBytes, 0, bytes);
}

void checkRead(const ReadJob &of) {
  checkDevice(of.device);
  within("bytes", of.bytes, limits::VECTOR_BYTES, INT64_MAX);
  exactly("bytes", of.bytes % limits::VECTOR_BYTES, 0);
  within("rounds", of.rounds, 1, limits::U32_MAX);
  within("blocks", of.blocks, 1, gridRows);
}

void checkCopy(const CopyJob &of) {
  checkDevice(of.device);
  within("bytes", of.bytes, 1, INT64_MAX);
  within("rounds", of.rounds, 1, limits::U32_MAX);
}

}  // namespace polybin
