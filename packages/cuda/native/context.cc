#include "context.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>

namespace polybin {
namespace {

/** Bytes of a piece of host memory or of a file: large enough to hide a launch, small beside any memory. */
constexpr size_t kPieceBytes = 32u << 20;
/** Threads that copy into page-locked memory: one alone reaches a fifth of the bus. */
constexpr unsigned kCopyThreads = 8;
/** Codes of one channel that are written out at a time, for the algorithms that count codes. */
constexpr uint64_t kCodes = 64u << 20;
/** A sample type may need 8 bytes, and the kernels read 16 at a time: pieces start at multiples of this. */
constexpr uint64_t kAlignPixels = 64;
/** Room behind every allocation that a 16-byte load may touch. */
constexpr size_t kPadding = 32;

void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  // An error that stays after it was read cannot be got rid of: the device is lost to this process.
  cudaGetLastError();
  const bool sticky = error != cudaErrorMemoryAllocation && cudaDeviceSynchronize() == error;
  throw Failure{sticky ? "ERR_DEVICE_LOST" : codeOf(error),
                std::string(cudaGetErrorName(error)) + " in " + what + ": " + cudaGetErrorString(error)};
}

double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

/** A kernel's last 16-byte load may reach past the samples: what it finds there is not counted, but is defined. */
void pad(void *memory, size_t bytes, cudaStream_t stream) {
  constexpr size_t word = 16;
  const size_t rest = bytes % word;
  if (rest) check(cudaMemsetAsync(static_cast<uint8_t *>(memory) + bytes, 0xff, word - rest, stream), "cudaMemset");
}

bool isPinned(const void *memory) {
  cudaPointerAttributes of;
  if (cudaPointerGetAttributes(&of, memory) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return of.type == cudaMemoryTypeHost;
}

bool isDense(const Source &of) { return of.fd >= 0 || of.pixels == 0 || of.rowPitch == of.width * of.pixelBytes; }

/** Copies bytes [first, first + bytes) of the dense picture out of rows that are apart. */
void copyRows(const Source &of, uint64_t first, uint64_t bytes, uint8_t *to) {
  const uint64_t rowBytes = of.width * of.pixelBytes;
  while (bytes > 0) {
    const uint64_t row = first / rowBytes, column = first % rowBytes;
    const uint64_t part = std::min(bytes, rowBytes - column);
    std::memcpy(to, of.host + row * of.rowPitch + column, part);
    first += part, to += part, bytes -= part;
  }
}

void readFile(const Source &of, uint64_t first, uint64_t bytes, uint8_t *to) {
  while (bytes > 0) {
    const ssize_t part = pread(of.fd, to, bytes, static_cast<off_t>(of.offset + first));
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) throw Failure{"ERR_INPUT", std::string("cannot read the file: ") + std::strerror(errno)};
    if (part == 0) {
      throw Failure{"ERR_INPUT", "expected " + std::to_string(bytes) + " more bytes but the file ended: it was "
                                 "cut while it was read"};
    }
    first += part, to += part, bytes -= part;
  }
}

/** Fills page-locked memory with dense bytes of a source, on several threads. @throws Failure */
void fill(const Source &of, uint64_t first, uint64_t bytes, uint8_t *to) {
  const auto part = [&](uint64_t from, uint64_t size) {
    if (of.fd >= 0) readFile(of, first + from, size, to + from);
    else if (isDense(of)) std::memcpy(to + from, of.host + first + from, size);
    else copyRows(of, first + from, size, to + from);
  };
  const unsigned threads = std::min<uint64_t>(std::min(kCopyThreads, std::max(1u, std::thread::hardware_concurrency())),
                                              bytes >> 20);
  if (threads < 2) return part(0, bytes);
  std::vector<std::thread> helpers;
  std::vector<std::unique_ptr<Failure>> failures(threads);
  const uint64_t each = (bytes + threads - 1) / threads;
  for (unsigned i = 0; i < threads; i++) {
    helpers.emplace_back([&, i] {
      try {
        const uint64_t from = std::min(bytes, i * each);
        part(from, std::min(each, bytes - from));
      } catch (const Failure &failure) {
        failures[i] = std::make_unique<Failure>(failure);
      }
    });
  }
  for (auto &helper : helpers) helper.join();
  for (const auto &failure : failures) if (failure) throw *failure;
}

}  // namespace

const char *codeOf(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation: return "ERR_OUT_OF_MEMORY";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorInvalidDevice:
    case cudaErrorNoKernelImageForDevice: return "ERR_UNAVAILABLE";
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration: return "ERR_LIMIT";
    default: return "ERR_DEVICE_LOST";
  }
}

void *Buffer::reserve(size_t bytes) {
  if (bytes <= bytes_) return memory_;
  release();
  void *memory = nullptr;
  check(host_ ? cudaHostAlloc(&memory, bytes, cudaHostAllocDefault) : cudaMalloc(&memory, bytes), "an allocation");
  memory_ = memory;
  bytes_ = bytes;
  return memory_;
}

void Buffer::release() {
  if (memory_) host_ ? cudaFreeHost(memory_) : cudaFree(memory_);
  memory_ = nullptr;
  bytes_ = 0;
}

Context::~Context() {
  try {
    close();
  } catch (const Failure &) {
    // The device is lost; its memory is gone with it.
  }
}

/** Makes this thread work on the device; the first time it makes the streams. */
void Context::begin() {
  check(cudaSetDevice(device_), "cudaSetDevice");
  if (open_) return;
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "cudaStreamCreate");
  for (int i = 0; i < kSlots; i++) {
    check(cudaEventCreateWithFlags(&copied_[i], cudaEventDisableTiming), "cudaEventCreate");
    check(cudaEventCreateWithFlags(&used_[i], cudaEventDisableTiming), "cudaEventCreate");
  }
  check(cudaEventCreate(&started_), "cudaEventCreate");
  check(cudaEventCreate(&ended_), "cudaEventCreate");
  open_ = true;
}

void Context::close() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!open_) return;
  cudaSetDevice(device_);
  cudaStreamSynchronize(stream_);
  for (const auto &resident : residents_) cudaFree(resident.second);
  residents_.clear();
  for (Buffer *buffer : {&tables_, &counts_, &codes_, &scratch_, &result_}) buffer->release();
  for (int i = 0; i < kSlots; i++) {
    chunk_[i].release();
    staging_[i].release();
    cudaEventDestroy(copied_[i]);
    cudaEventDestroy(used_[i]);
  }
  cudaEventDestroy(started_);
  cudaEventDestroy(ended_);
  cudaStreamDestroy(stream_);
  cudaStreamDestroy(copies_);
  open_ = false;
}

uint32_t Context::upload(const Source &from, const Control &control) {
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  const size_t bytes = from.pixels * from.pixelBytes;
  void *memory = nullptr;
  check(cudaMalloc(&memory, bytes + kPadding), "an allocation");
  try {
    uint64_t at = 0;
    eachPiece(from, ~0ull, control, [&](const void *data, uint64_t pixels) {
      check(cudaMemcpyAsync(static_cast<uint8_t *>(memory) + at, data, pixels * from.pixelBytes,
                            cudaMemcpyDeviceToDevice, stream_), "an upload");
      at += pixels * from.pixelBytes;
    }, nullptr);
    pad(memory, bytes, stream_);
    check(cudaStreamSynchronize(stream_), "an upload");
    if (control.stop->load()) throw Failure{"ERR_STOPPED", "stopped"};
  } catch (...) {
    cudaFree(memory);
    throw;
  }
  residents_[nextId_] = memory;
  return nextId_++;
}

void Context::free(uint32_t id) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = residents_.find(id);
  if (found == residents_.end()) return;
  cudaSetDevice(device_);
  cudaFree(found->second);
  residents_.erase(found);
}

/** Hands a source over in pieces on the device, none longer than a launch may be. */
void Context::eachPiece(const Source &from, uint64_t launchPixels, const Control &control, const Use &use,
                        double *uploadMs) {
  if (from.resident == 0) return eachStaged(from, launchPixels, control, use, uploadMs);
  const auto found = residents_.find(from.resident);
  if (found == residents_.end()) throw Failure{"ERR_INPUT", "expected resident samples but they were freed"};
  const uint64_t most = launchPixels - launchPixels % kAlignPixels;
  for (uint64_t first = 0; first < from.pixels && !control.stop->load(); first += most) {
    const uint64_t pixels = std::min(most, from.pixels - first);
    use(static_cast<const uint8_t *>(found->second) + first * from.pixelBytes, pixels);
    control.done->fetch_add(pixels);
  }
}

namespace {

/** Waits for both streams however a call ends: nothing of the caller's memory is read afterwards. */
struct Drain {
  cudaStream_t first, second;
  ~Drain() {
    cudaStreamSynchronize(first);
    cudaStreamSynchronize(second);
  }
};

}  // namespace

/** Copies pieces to the device, one while the one before is counted. */
void Context::eachStaged(const Source &from, uint64_t launchPixels, const Control &control, const Use &use,
                         double *uploadMs) {
  const auto start = std::chrono::steady_clock::now();
  const Drain drain{copies_, stream_};
  const bool direct = from.fd < 0 && isDense(from) && from.host != nullptr && isPinned(from.host);
  uint64_t most = std::min<uint64_t>(launchPixels, kPieceBytes / from.pixelBytes);
  most = std::max<uint64_t>(kAlignPixels, most - most % kAlignPixels);
  uint64_t previous = 0;
  int slot = 0;
  for (uint64_t first = 0; first < from.pixels && !control.stop->load(); first += most) {
    const uint64_t pixels = std::min(most, from.pixels - first);
    const uint64_t at = first * from.pixelBytes, bytes = pixels * from.pixelBytes;
    void *chunk = chunk_[slot].reserve(std::min<uint64_t>(most, from.pixels) * from.pixelBytes + kPadding);
    const uint8_t *host = from.host + at;
    if (!direct) {
      // The slot's last copy must have left the staging memory before it is written again.
      check(cudaEventSynchronize(copied_[slot]), "a copy");
      auto *staging = static_cast<uint8_t *>(staging_[slot].reserve(std::min<uint64_t>(most, from.pixels) * from.pixelBytes));
      fill(from, at, bytes, staging);
      host = staging;
    }
    check(cudaStreamWaitEvent(copies_, used_[slot]), "a copy");
    check(cudaMemcpyAsync(chunk, host, bytes, cudaMemcpyHostToDevice, copies_), "a copy");
    pad(chunk, bytes, copies_);
    check(cudaEventRecord(copied_[slot], copies_), "a copy");
    check(cudaStreamWaitEvent(stream_, copied_[slot]), "a copy");
    use(chunk, pixels);
    check(cudaEventRecord(used_[slot], stream_), "a launch");
    control.done->fetch_add(previous);
    previous = pixels;
    slot = (slot + 1) % kSlots;
  }
  check(cudaStreamSynchronize(stream_), "a launch");
  control.done->fetch_add(previous);
  if (uploadMs) *uploadMs += milliseconds(start);
}

/** Copies a lowering's arrays to the device. */
Lowering Context::toDevice(const HostLowering &of) {
  const auto padded = [](const Words &words) { return (words.size * sizeof(uint32_t) + 255) / 256 * 256; };
  const size_t bytes = padded(of.table) + padded(of.low) + padded(of.high) + padded(of.starts);
  Lowering to = of.plain;
  if (to.kind == Kind::keys && !to.linear) {
    to.steps = searchSteps(to, of.starts.data, of.high.size > 0 ? of.high.data : of.low.data);
  }
  if (bytes == 0) return to;
  auto *memory = static_cast<uint8_t *>(tables_.reserve(bytes));
  const auto place = [&](const Words &words) -> const uint32_t * {
    if (words.size == 0) return nullptr;
    check(cudaMemcpyAsync(memory, words.data, words.size * sizeof(uint32_t), cudaMemcpyHostToDevice, stream_), "a copy");
    const auto *at = reinterpret_cast<const uint32_t *>(memory);
    memory += padded(words);
    return at;
  };
  to.table = place(of.table);
  to.low = place(of.low);
  to.high = place(of.high);
  to.starts = place(of.starts);
  return to;
}

void Context::launch(const CountJob &job, const Lowering &lowering, const void *data, uint64_t pixels, Count *counts) {
  const Wanted &wanted = job.wanted;
  Pixels all{};
  all.data = data;
  all.count = pixels;
  all.interleaved = wanted.interleaved;
  all.channels = wanted.channels;
  std::copy(wanted.channel, wanted.channel + 4, all.channel);
  all.counts = counts;
  if (job.algorithm == "per-lane") return check(perLane(all, lowering, job.plan, stream_), "per-lane");
  auto *scratch = static_cast<uint32_t *>(
      scratch_.reserve(static_cast<size_t>(job.plan.blocks) * job.plan.cellsPerPass * sizeof(uint32_t)));
  const bool asTheyAre = lowering.kind == Kind::raw && wanted.interleaved == 1;
  for (uint32_t i = 0; i < wanted.channels; i++) {
    Count *table = counts + i * (job.plan.cells + 3);
    if (asTheyAre) {
      launchCodes(job, {data, pixels, true, table, scratch});
      continue;
    }
    auto *codes = static_cast<uint32_t *>(codes_.reserve(std::min(pixels, kCodes) * sizeof(uint32_t) + kPadding));
    for (uint64_t first = 0; first < pixels; first += kCodes) {
      Pixels part = all;
      part.data = static_cast<const uint8_t *>(data) + first * job.source.pixelBytes;
      part.count = std::min(kCodes, pixels - first);
      part.channels = 1;
      part.channel[0] = wanted.channel[i];
      part.counts = table;
      check(lower(part, lowering, job.plan, codes, stream_), "lower");
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
  check(found->second(codes, job.plan, stream_), job.algorithm.c_str());
}

Counted Context::count(const CountJob &job) {
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  Counted counted;
  const size_t size = static_cast<size_t>(job.wanted.channels) * (job.plan.cells + 3);
  auto *counts = static_cast<Count *>(counts_.reserve(size * sizeof(Count)));
  auto *result = static_cast<Count *>(result_.reserve(size * sizeof(Count)));
  const Lowering lowering = toDevice(job.lowering);
  check(cudaMemsetAsync(counts, 0, size * sizeof(Count), stream_), "cudaMemset");
  check(cudaEventRecord(started_, stream_), "cudaEventRecord");
  eachPiece(job.source, job.launchPixels, job.control,
            [&](const void *data, uint64_t pixels) { launch(job, lowering, data, pixels, counts); }, &counted.uploadMs);
  check(cudaEventRecord(ended_, stream_), "cudaEventRecord");
  check(cudaMemcpyAsync(result, counts, size * sizeof(Count), cudaMemcpyDeviceToHost, stream_), "a copy");
  check(cudaStreamSynchronize(stream_), job.algorithm.c_str());
  if (job.control.stop->load()) throw Failure{"ERR_STOPPED", "stopped"};
  float kernelMs = 0;
  check(cudaEventElapsedTime(&kernelMs, started_, ended_), "cudaEventElapsedTime");
  counted.kernelMs = kernelMs;
  counted.counts.assign(result, result + size);
  return counted;
}

Extent Context::extent(const Source &from, const Wanted &wanted, const Control &control) {
  std::lock_guard<std::mutex> lock(mutex_);
  begin();
  Extent found;
  auto *minmax = static_cast<Count *>(counts_.reserve(2 * sizeof(Count)));
  check(cudaMemcpyAsync(minmax, &found, sizeof found, cudaMemcpyHostToDevice, stream_), "a copy");
  eachPiece(from, ~0ull, control, [&](const void *data, uint64_t pixels) {
    Pixels all{};
    all.data = data;
    all.count = pixels;
    all.interleaved = wanted.interleaved;
    all.channels = wanted.channels;
    std::copy(wanted.channel, wanted.channel + 4, all.channel);
    check(polybin::extent(all, wanted.type, minmax, stream_), "extent");
  }, nullptr);
  check(cudaMemcpyAsync(&found, minmax, sizeof found, cudaMemcpyDeviceToHost, stream_), "a copy");
  check(cudaStreamSynchronize(stream_), "extent");
  if (control.stop->load()) throw Failure{"ERR_STOPPED", "stopped"};
  return found;
}

}  // namespace polybin
