#include "context.h"

#include <algorithm>
#include <chrono>

#include "checks.h"
#include "memory.h"
#include "rows.h"

namespace polybin {
namespace {

double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

/** A kernel's last load may reach past the samples: what it finds there is not counted, but is defined. */
void pad(void *memory, size_t bytes, cudaStream_t stream) {
  const size_t rest = bytes % limits::VECTOR_BYTES;
  if (rest == 0) return;
  check(cudaMemsetAsync(static_cast<uint8_t *>(memory) + bytes, 0xff, limits::VECTOR_BYTES - rest, stream),
        "cudaMemset");
}

/** Pixels of a piece: those of a launch, or what is copied at a time; whole vectors, so that the next is aligned. */
uint64_t pixelsOfPiece(const Source &of, uint64_t launchPixels) {
  const uint64_t most =
      of.resident != 0 ? launchPixels : std::min<uint64_t>(launchPixels, limits::GPU_PIECE_BYTES / of.pixelBytes);
  return std::max<uint64_t>(limits::GPU_ALIGN_PIXELS, most - most % limits::GPU_ALIGN_PIXELS);
}

bool isCountedAsItIs(const CountJob &job) { return job.lowering.plain.kind == Kind::raw && job.wanted.interleaved == 1; }

/** Do 32 bits hold what a call counts? */
bool isNarrow(const CountJob &job) { return job.algorithm == "per-lane" && job.source.pixels <= limits::U32_MAX; }

Pixels pixelsOf(const void *data, uint64_t count, const Wanted &wanted) {
  Pixels all{};
  all.data = data;
  all.count = count;
  all.interleaved = wanted.interleaved;
  all.channels = wanted.channels;
  std::copy(wanted.channel, wanted.channel + 4, all.channel);
  return all;
}

/** What tells launches apart. */
std::string signatureOf(const CountJob &job) {
  std::string of = job.algorithm;
  const auto add = [&](const auto &part) { of.append(reinterpret_cast<const char *>(&part), sizeof part); };
  add(job.lowering.plain);
  add(job.plan);
  add(job.wanted);
  return of;
}

uint64_t wholeVectors(uint64_t bytes) {
  return (bytes + limits::VECTOR_BYTES - 1) / limits::VECTOR_BYTES * limits::VECTOR_BYTES;
}

/** Launches of sums that are queued at a time. */
constexpr size_t underWay = 2;

/** Numbers that a launch adds to. */
size_t totalsOf(const SumsLaunch &of) {
  const size_t kinds = 1 + of.plan.counts + of.plan.squares;
  return of.features.size() * kinds * of.plan.bins;
}

void checkGoesOn(const Control &control) {
  if (control.stop->load() != 0) throw Failure{"ERR_STOPPED", "stopped"};
}

}  // namespace

struct Context::Drain {
  Context &of;
  bool isNeeded = true;
  ~Drain() {
    if (!isNeeded) return;
    of.gate_.open();
    cudaStreamSynchronize(of.copies_);
    cudaStreamSynchronize(of.stream_);
    for (Slot &slot : of.slots_) slot.pixels = 0;
  }
};

/** Makes this thread work on the device; the first time it makes the streams. */
void Context::begin() {
  checkNotLost();
  check(cudaSetDevice(device_), "cudaSetDevice");
  // An error that another call of this thread left behind is not this one's.
  cudaGetLastError();
  kernelMs_ = 0;
  isGated_ = false;
  if (open_) return;
  for (cudaStream_t *stream : {&stream_, &copies_}) {
    if (!*stream) check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  for (Slot &slot : slots_) {
    if (!slot.copied) check(cudaEventCreateWithFlags(&slot.copied, cudaEventDisableTiming), "cudaEventCreate");
    if (!slot.begun) check(cudaEventCreate(&slot.begun), "cudaEventCreate");
    if (!slot.ended) check(cudaEventCreate(&slot.ended), "cudaEventCreate");
  }
  open_ = true;
}

void Context::close() {
  std::lock_guard<std::mutex> lock(mutex_);
  // The stream is made first: without it there is nothing. Nothing here is checked: on a lost device every call answers
  // with its error, at once, and there is nothing to free.
  if (!stream_) return;
  cudaSetDevice(device_);
  cudaStreamSynchronize(stream_);
  for (const auto &resident : residents_) giveDevice(resident.second.memory);
  residents_.clear();
  for (const auto &table : featureTables_) giveDevice(table.second.memory);
  featureTables_.clear();
  tables_.release();
  arrays_.release();
  gate_.release();
  for (Buffer *buffer : {&codes_, &scratch_, &minmax_, &result_, &weights_, &squares_, &list_, &features_, &totals_}) {
    buffer->release();
  }
  for (Slot &slot : slots_) {
    slot.chunk.release();
    slot.staging.release();
    for (cudaEvent_t *event : {&slot.copied, &slot.begun, &slot.ended}) {
      if (*event) cudaEventDestroy(*event);
      *event = nullptr;
    }
  }
  for (cudaStream_t *stream : {&stream_, &copies_}) {
    if (*stream) cudaStreamDestroy(*stream);
    *stream = nullptr;
  }
  cudaGetLastError();
  open_ = false;
}

uint32_t Context::upload(const Source &from, const Control &control) {
  checkUpload(from);
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  const size_t bytes = from.pixels * from.pixelBytes;
  void *const memory = takeDevice(bytes + limits::GPU_PADDING_BYTES);
  try {
    Drain drain{*this};
    uint64_t at = 0;
    eachPiece(from, pixelsOfPiece(from, ~0ull), control, [&](const void *data, uint64_t pixels) {
      check(cudaMemcpyAsync(static_cast<uint8_t *>(memory) + at, data, pixels * from.pixelBytes,
                            cudaMemcpyDeviceToDevice, stream_), "an upload");
      at += pixels * from.pixelBytes;
    });
    pad(memory, bytes, stream_);
    check(cudaStreamSynchronize(stream_), "an upload");
    for (Slot &slot : slots_) settle(slot, control);
    checkGoesOn(control);
    drain.isNeeded = false;
  } catch (...) {
    giveDevice(memory);
    throw;
  }
  residents_[nextId_] = {memory, bytes};
  return nextId_++;
}

void Context::free(uint32_t id) {
  std::lock_guard<std::mutex> lock(mutex_);
  cudaSetDevice(device_);
  if (const auto found = residents_.find(id); found != residents_.end()) {
    giveDevice(found->second.memory);
    residents_.erase(found);
  }
  if (const auto found = featureTables_.find(id); found != featureTables_.end()) {
    giveDevice(found->second.memory);
    featureTables_.erase(found);
  }
  cudaGetLastError();
}

/** Does work on the stream between two events. */
void Context::timed(Slot &slot, uint64_t pixels, const std::function<void()> &work) {
  if (isGated_) gate_.close(stream_);
  checkQueued(cudaEventRecord(slot.begun, stream_), "cudaEventRecord");
  work();
  checkQueued(cudaEventRecord(slot.ended, stream_), "cudaEventRecord");
  gate_.open();
  slot.pixels = pixels;
}

void Context::checkQueued(cudaError_t error, const char *what) {
  if (error != cudaSuccess) gate_.open();
  check(error, what);
}

/** Waits until a piece is done, if there is one. */
void Context::settle(Slot &slot, const Control &control) {
  if (slot.pixels == 0) return;
  check(cudaEventSynchronize(slot.ended), "a launch");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, slot.begun, slot.ended), "cudaEventElapsedTime");
  kernelMs_ += ms;
  control.done->fetch_add(static_cast<int64_t>(slot.pixels));
  slot.pixels = 0;
}

/**
 * Hands a source over in pieces on the device, `most` pixels each. The last ones are still under way when it returns:
 * their slots are to be settled.
 */
void Context::eachPiece(const Source &from, uint64_t most, const Control &control, const Use &use) {
  if (from.resident != 0) {
    const auto found = residents_.find(from.resident);
    if (found == residents_.end()) throw Failure{"ERR_INPUT", "expected resident samples but they were freed"};
    checkResident(from, found->second.bytes);
    return timed(slots_[0], from.pixels, [&] {
      for (uint64_t first = 0; first < from.pixels && control.stop->load() == 0; first += most) {
        use(static_cast<const uint8_t *>(found->second.memory) + (from.first + first) * from.pixelBytes,
            std::min(most, from.pixels - first));
      }
    });
  }
  uint32_t turn = 0;
  for (uint64_t first = 0; first < from.pixels && control.stop->load() == 0; first += most) {
    Slot &slot = slots_[turn++ % limits::GPU_PIECES];
    settle(slot, control);
    const uint64_t pixels = std::min(most, from.pixels - first);
    slot.chunk.reserve(std::min(most, from.pixels) * from.pixelBytes + limits::GPU_PADDING_BYTES);
    stage(from, (from.first + first) * from.pixelBytes, pixels * from.pixelBytes, slot);
    check(cudaStreamWaitEvent(stream_, slot.copied), "a copy");
    timed(slot, pixels, [&] { use(slot.chunk.memory(), pixels); });
  }
}

/** Copies dense bytes of a source into a slot's chunk, through page-locked memory where they are not in such. */
void Context::stage(const Source &from, uint64_t first, uint64_t bytes, Slot &slot) {
  const void *host = from.host + first;
  if (!isPinnedAndDense(from)) {
    auto *const staging = static_cast<uint8_t *>(slot.staging.reserve(bytes));
    fill(from, first, bytes, staging);
    host = staging;
  }
  check(cudaMemcpyAsync(slot.chunk.memory(), host, bytes, cudaMemcpyHostToDevice, copies_), "a copy");
  pad(slot.chunk.memory(), bytes, copies_);
  check(cudaEventRecord(slot.copied, copies_), "a copy");
}

void Context::launch(const CountJob &job, const Lowering &lowering, const void *data, uint64_t pixels, Count *counts) {
  Pixels all = pixelsOf(data, pixels, job.wanted);
  all.counts = counts;
  if (job.algorithm == "per-lane") {
    all.next = tables_.next();
    all.narrow = isNarrow(job);
    checkQueued(perLane(all, lowering, job.plan, stream_), "per-lane");
    return;
  }
  auto *const scratch = static_cast<uint32_t *>(scratch_.memory());
  auto *const codes = static_cast<uint32_t *>(codes_.memory());
  for (uint32_t i = 0; i < job.wanted.channels; i++) {
    Count *const table = counts + i * (job.plan.cells + limits::FLOW_ROWS);
    if (isCountedAsItIs(job)) {
      launchCodes(job, {data, pixels, true, table, scratch});
      continue;
    }
    for (uint64_t first = 0; first < pixels; first += limits::GPU_CODES) {
      Pixels part = all;
      part.data = static_cast<const uint8_t *>(data) + first * job.source.pixelBytes;
      part.count = std::min<uint64_t>(limits::GPU_CODES, pixels - first);
      part.channels = 1;
      part.channel[0] = job.wanted.channel[i];
      part.counts = table;
      checkQueued(lower(part, lowering, job.plan, codes, stream_), "lower");
      // There may be more launches than fit behind it.
      gate_.open();
      pad(codes, part.count * sizeof(uint32_t), stream_);
      launchCodes(job, {codes, part.count, false, table, scratch});
    }
  }
}

void Context::launchCodes(const CountJob &job, const Codes &codes) {
  using Launch = cudaError_t (*)(const Codes &, const Plan &, cudaStream_t);
  static const std::unordered_map<std::string, Launch> launches = {
      {"trish", trish},           {"per-warp", perWarp},      {"per-thread-64", perThread64}, {"per-thread", perThread},
      {"privatized", privatized}, {"bank-owned", bankOwned},  {"global", global},             {"per-block", perBlock},
  };
  const auto found = launches.find(job.algorithm);
  if (found == launches.end()) throw Failure{"ERR_UNSUPPORTED", "no kernel for " + job.algorithm};
  checkQueued(found->second(codes, job.plan, stream_), job.algorithm.c_str());
}

Counted Context::count(const CountJob &job) {
  checkCount(job);
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  Drain drain{*this};
  // All memory is had before the first event, so that nothing but the launches lies between two.
  const size_t size = static_cast<size_t>(job.wanted.channels) * (job.plan.cells + limits::FLOW_ROWS);
  const bool isShort = isNarrow(job);
  const size_t wide = isShort ? (size + 1) / 2 : size;
  const uint64_t most = pixelsOfPiece(job.source, job.launchPixels);
  const bool isPerLane = job.algorithm == "per-lane";
  auto *const result = static_cast<Count *>(result_.reserve(wide * sizeof(Count)));
  if (!isPerLane) scratch_.reserve(static_cast<size_t>(job.plan.blocks) * job.plan.cellsPerPass * sizeof(uint32_t));
  if (!isPerLane && !isCountedAsItIs(job)) {
    const uint64_t codes = std::min<uint64_t>({most, job.source.pixels, limits::GPU_CODES});
    codes_.reserve(codes * sizeof(uint32_t) + limits::GPU_PADDING_BYTES);
  }
  Count *const counts = tables_.begin(wide, stream_);
  const Lowering lowering = arrays_.toDevice(job.lowering, stream_);

  const std::string signature = exactTimings_ && job.source.resident != 0 ? signatureOf(job) : "";
  isGated_ = made_.count(signature) > 0;
  Counted counted;
  bool isLaunched = false;
  const auto start = std::chrono::steady_clock::now();
  eachPiece(job.source, most, job.control, [&](const void *data, uint64_t pixels) {
    launch(job, lowering, data, pixels, counts);
    isLaunched = true;
  });
  check(cudaMemcpyAsync(result, counts, wide * sizeof(Count), cudaMemcpyDeviceToHost, stream_), "a copy");
  check(cudaStreamSynchronize(stream_), job.algorithm.c_str());
  if (job.source.resident == 0) counted.uploadMs = milliseconds(start);
  for (Slot &slot : slots_) settle(slot, job.control);
  drain.isNeeded = false;
  tables_.end(isPerLane && isLaunched, stream_);
  if (isLaunched && !signature.empty()) made_.insert(signature);
  checkGoesOn(job.control);
  counted.kernelMs = kernelMs_;
  const auto *const words = reinterpret_cast<const uint32_t *>(result);
  if (isShort) counted.counts.assign(words, words + size);
  else counted.counts.assign(result, result + size);
  return counted;
}

/** Copies dense bytes, the first of them byte `first` of all rows, to where the rows of a table lie. */
void Context::copyToRows(const uint8_t *data, uint64_t first, uint64_t bytes, uint64_t rowBytes, const FeatureTable &to) {
  auto *const memory = static_cast<uint8_t *>(to.memory);
  for (const RowPart &part : partsOfRows(first, bytes, rowBytes)) {
    check(cudaMemcpy2DAsync(memory + part.row * to.pitch + part.column, to.pitch, data, rowBytes, part.width, part.rows,
                            cudaMemcpyDeviceToDevice, stream_), "an upload");
    data += part.width * part.rows;
  }
}

uint32_t Context::uploadTable(const TableSource &from, const Control &control) {
  checkTable(from);
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  const uint64_t pitch = wholeVectors(from.rowBytes);
  const uint64_t rows = from.rowBytes == 0 ? 0 : from.rows.pixels / from.rowBytes;
  const size_t bytes = rows * pitch + limits::GPU_PADDING_BYTES;
  const FeatureTable table{takeDevice(bytes), pitch, {rows, from.rowBytes}};
  try {
    Drain drain{*this};
    // What lies between and behind the rows is loaded, and not added up.
    check(cudaMemsetAsync(table.memory, 0, bytes, stream_), "cudaMemset");
    uint64_t at = 0;
    eachPiece(from.rows, pixelsOfPiece(from.rows, ~0ull), control, [&](const void *data, uint64_t size) {
      copyToRows(static_cast<const uint8_t *>(data), at, size, from.rowBytes, table);
      at += size;
    });
    check(cudaStreamSynchronize(stream_), "an upload");
    for (Slot &slot : slots_) settle(slot, control);
    checkGoesOn(control);
    drain.isNeeded = false;
  } catch (...) {
    giveDevice(table.memory);
    throw;
  }
  featureTables_[nextId_] = table;
  return nextId_++;
}

/** Brings host memory to the device, all of it under way when it returns; null: there is none. */
const void *Context::bring(const Source &from, Buffer &to, const Control &control) {
  if (from.pixels == 0) return nullptr;
  const size_t bytes = from.pixels * from.pixelBytes;
  auto *const memory = static_cast<uint8_t *>(to.reserve(bytes + limits::GPU_PADDING_BYTES));
  uint64_t at = 0;
  eachPiece(from, pixelsOfPiece(from, ~0ull), control, [&](const void *data, uint64_t pixels) {
    check(cudaMemcpyAsync(memory + at, data, pixels * from.pixelBytes, cudaMemcpyDeviceToDevice, stream_), "a copy");
    at += pixels * from.pixelBytes;
  });
  // Whole units are loaded, and what is behind the last document is not added up.
  check(cudaMemsetAsync(memory + bytes, 0, limits::GPU_PADDING_BYTES, stream_), "cudaMemset");
  // The next one uses the slots anew.
  for (Slot &slot : slots_) settle(slot, control);
  return memory;
}

/** Appends totals to a vector: doubles, or whole numbers of at most 53 bits. */
template <typename Number>
void Context::bringBack(const Count *totals, size_t size, std::vector<double> &to) {
  const size_t most = std::min<size_t>(size, limits::GPU_PIECE_BYTES / sizeof(Count));
  static_assert(sizeof(Number) == sizeof(Count));
  auto *const result = static_cast<Number *>(result_.reserve(most * sizeof(Count)));
  for (size_t first = 0; first < size; first += most) {
    const size_t part = std::min(most, size - first);
    check(cudaMemcpyAsync(result, totals + first, part * sizeof(Count), cudaMemcpyDeviceToHost, stream_), "a copy");
    check(cudaStreamSynchronize(stream_), "a copy");
    to.insert(to.end(), result, result + part);
  }
}

Summed Context::sums(const SumsJob &job) {
  using Launch = cudaError_t (*)(const WeightedInput &, const WeightedPlan &, cudaStream_t);
  static const std::unordered_map<std::string, Launch> launches = {
      {"weighted-collision-free", weightedCollisionFree},
      {"weighted-collision", weightedCollision},
      {"weighted-collision-reduced", weightedCollisionReduced},
      {"weighted-fixed-point", weightedFixedPoint},
  };
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  const auto found = featureTables_.find(job.table);
  if (found == featureTables_.end()) throw Failure{"ERR_INPUT", "expected a feature table but it was freed"};
  checkSums(job, found->second.shape);
  Drain drain{*this};
  // What is brought is not what is added up: nobody is told.
  std::atomic<int64_t> brought{0};
  const Control quiet{job.control.stop, &brought};
  const auto start = std::chrono::steady_clock::now();
  WeightedInput in{};
  in.values = static_cast<const uint8_t *>(found->second.memory);
  in.pitch = found->second.pitch;
  in.documents = job.documents;
  in.weights = static_cast<const int32_t *>(bring(job.weights, weights_, quiet));
  in.squares = static_cast<const int32_t *>(bring(job.squares, squares_, quiet));
  in.list = static_cast<const uint32_t *>(bring(job.list, list_, quiet));
  checkGoesOn(job.control);

  std::vector<WeightedFeature> features;
  size_t size = 0;
  for (const SumsLaunch &launch : job.launches) {
    features.insert(features.end(), launch.features.begin(), launch.features.end());
    size += totalsOf(launch);
  }
  auto *const listed = static_cast<WeightedFeature *>(features_.reserve(features.size() * sizeof(WeightedFeature)));
  check(cudaMemcpyAsync(listed, features.data(), features.size() * sizeof(WeightedFeature), cudaMemcpyHostToDevice,
                        stream_), "a copy");
  auto *const totals = static_cast<Count *>(totals_.reserve(size * sizeof(Count)));
  check(cudaMemsetAsync(totals, 0, size * sizeof(Count), stream_), "cudaMemset");
  check(cudaStreamSynchronize(stream_), "a copy");

  Summed summed;
  summed.uploadMs = milliseconds(start);
  summed.ms.resize(job.launches.size());
  kernelMs_ = 0;
  // Two launches under way: while one runs the next one waits behind it, and no more, so that a call is soon stopped.
  const auto settled = [&](size_t i) {
    const double before = kernelMs_;
    settle(slots_[i % underWay], job.control);
    summed.ms[i] = kernelMs_ - before;
  };
  size_t next = 0;
  in.features = listed;
  in.totals = totals;
  for (; next < job.launches.size() && job.control.stop->load() == 0; next++) {
    const SumsLaunch &of = job.launches[next];
    if (next >= underWay) settled(next - underWay);
    const auto kernel = launches.find(of.algorithm);
    if (kernel == launches.end()) throw Failure{"ERR_UNSUPPORTED", "no kernel for " + of.algorithm};
    in.count = static_cast<uint32_t>(of.features.size());
    in.skips = std::any_of(of.features.begin(), of.features.end(), [](const WeightedFeature &one) { return one.skip != noSkip; });
    if (job.timed) {
      // A first launch loads the kernel and settles its memory: one of no documents has that behind it.
      WeightedInput nothing = in;
      nothing.documents = 0;
      check(kernel->second(nothing, of.plan, stream_), of.algorithm.c_str());
    }
    timed(slots_[next % underWay], in.count * job.documents,
          [&] { checkQueued(kernel->second(in, of.plan, stream_), of.algorithm.c_str()); });
    in.features += in.count;
    in.totals += totalsOf(of);
  }
  for (size_t i = next > underWay ? next - underWay : 0; i < next; i++) settled(i);
  checkGoesOn(job.control);
  summed.totals.reserve(size);
  // All launches add up the same weights.
  const bool isFast = !job.launches.empty() && job.launches[0].plan.fast;
  if (isFast) bringBack<double>(totals, size, summed.totals);
  else bringBack<int64_t>(totals, size, summed.totals);
  summed.kernelMs = kernelMs_;
  drain.isNeeded = false;
  return summed;
}

Extent Context::extent(const Source &from, const Wanted &wanted, const Control &control) {
  checkExtent(from, wanted);
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  Drain drain{*this};
  auto *const minmax = static_cast<Count *>(minmax_.reserve(sizeof(Extent)));
  auto *const found = static_cast<Extent *>(result_.reserve(sizeof(Extent)));
  *found = Extent{};
  check(cudaMemcpyAsync(minmax, found, sizeof(Extent), cudaMemcpyHostToDevice, stream_), "a copy");
  eachPiece(from, pixelsOfPiece(from, ~0ull), control, [&](const void *data, uint64_t pixels) {
    check(polybin::extent(pixelsOf(data, pixels, wanted), wanted.type, minmax, stream_), "extent");
  });
  check(cudaMemcpyAsync(found, minmax, sizeof(Extent), cudaMemcpyDeviceToHost, stream_), "a copy");
  check(cudaStreamSynchronize(stream_), "extent");
  for (Slot &slot : slots_) settle(slot, control);
  drain.isNeeded = false;
  checkGoesOn(control);
  return *found;
}

}  // namespace polybin
