#include "pieces.h"

#include <algorithm>
#include <utility>

#include "generated/limits.cuh"
#include "platform/cuda-errors.h"
#include "source.h"

namespace polybin {

namespace {

/** Bytes that a thread copies at a time, so that several threads share a megabyte. */
constexpr uint64_t partBytes = limits::COPY_BYTES / 2;
/** A last piece that is longer than this number of tails has one cut off. */
constexpr uint64_t tailed = 4;

/** The bytes of some pixels in a piece. A source that lies on the device takes none. */
uint64_t bytesOf(const Read &of, uint64_t pixels) {
  return of.resident != nullptr ? 0 : (pixels + of.serves - 1) / of.serves * of.source.pixelBytes;
}

/** The room that they take, with the padding that a last load may touch behind them. */
uint64_t roomOf(const Read &of, uint64_t pixels) {
  const uint64_t bytes = bytesOf(of, pixels);
  return bytes == 0 ? 0 : wholeVectors(bytes) + limits::GPU_PADDING_BYTES;
}

template <typename Of>
uint64_t sum(const Reads &reads, const Of &of) {
  uint64_t all = 0;
  for (const Read &read : reads) all += of(read);
  return all;
}

}  // namespace

void pad(void *memory, size_t bytes, cudaStream_t stream) {
  const size_t rest = bytes % limits::VECTOR_BYTES;
  if (rest == 0) return;
  check(cudaMemsetAsync(static_cast<uint8_t *>(memory) + bytes, 0xff, limits::VECTOR_BYTES - rest, stream),
        "cudaMemset");
}

Pieces::Drain::~Drain() {
  if (std::uncaught_exceptions() == failures_) return;
  of_.gate.open();
  for (const cudaStream_t stream : {of_.copies_.get(), of_.stream, of_.returns_.get()}) cudaStreamSynchronize(stream);
  for (Carrier &carrier : of_.carriers_) carrier.drop();
  for (Slot &slot : of_.slots_) slot.pixels = 0;
}

void Pieces::begin(const Control &control, bool timed) {
  control_ = control;
  kernelMs_ = 0;
  isTimed_ = timed;
  isGated_ = isFed_ = false;
  reports_ = true;
  begun_ = std::chrono::steady_clock::now();
}

void Pieces::checkGoesOn() const {
  if (isStopped()) throw Failure{"ERR_STOPPED", "stopped"};
}

void Pieces::done(uint64_t pixels) {
  if (reports_ && control_.done != nullptr) control_.done->fetch_add(static_cast<int64_t>(pixels));
}

uint64_t Pieces::pixelsOf(const Reads &reads, uint64_t most) {
  const uint64_t group = sum(reads, [](const Read &of) { return bytesOf(of, limits::ALIGN_PIXELS); });
  if (group > 0) most = std::min<uint64_t>(most, limits::GPU_PIECE_BYTES / group * limits::ALIGN_PIXELS);
  return std::max<uint64_t>(limits::ALIGN_PIXELS, most - most % limits::ALIGN_PIXELS);
}

void Pieces::each(const Reads &reads, uint64_t most, const Use &use, uint64_t tail) {
  const uint64_t all = reads[0].source.pixels;
  most = pixelsOf(reads, most);
  std::vector<const void *> data(reads.size());
  const auto placeResidents = [&](uint64_t first) {
    for (size_t i = 0; i < reads.size(); i++) {
      const Read &of = reads[i];
      if (of.resident != nullptr) data[i] = of.resident + first / of.serves * of.source.pixelBytes;
    }
  };
  const uint64_t room = sum(reads, [&](const Read &of) { return roomOf(of, std::min(most, all)); });
  if (room == 0) {
    return timed(0, all, [&] {
      for (uint64_t first = 0; first < all && !isStopped(); first += most) {
        placeResidents(first);
        use(data, std::min(most, all - first), all - first <= most);
      }
    });
  }
  isFed_ = true;
  std::vector<bool> isDirect;
  for (const Read &of : reads) isDirect.push_back(of.resident != nullptr || isPinnedAndDense(of.source));
  const bool isStaged = std::find(isDirect.begin(), isDirect.end(), false) != isDirect.end();
  const auto cut = [&](uint64_t pixels) {
    return tail != 0 && sum(reads, [&](const Read &of) { return bytesOf(of, pixels); }) > tailed * tail;
  };
  // A single piece has no other copy to overlap with. On one stream nothing waits for an event.
  const bool isOne = all <= most && !cut(all);
  const cudaStream_t copies = isOne ? stream : copies_.get();
  uint32_t next = 0;
  for (uint64_t first = 0, pixels = 0; first < all && !isStopped(); first += pixels) {
    const uint32_t turn = next++ % limits::PIECES;
    settle(turn);
    Slot &slot = slots_[turn];
    const uint64_t rest = all - first;
    pixels = std::min(most, rest);
    if (rest <= most && cut(rest)) {
      pixels -= tail / reads[0].source.pixelBytes;
      pixels -= pixels % limits::ALIGN_PIXELS;
    }
    auto *const chunk = static_cast<uint8_t *>(slot.chunk.reserve(room));
    auto *const staging = isStaged ? static_cast<uint8_t *>(slot.staging.reserve(room)) : nullptr;
    placeResidents(first);
    uint64_t at = 0;
    for (size_t i = 0; i < reads.size(); i++) {
      const Read &of = reads[i];
      if (of.resident != nullptr) continue;
      data[i] = chunk + at;
      stage(of.source, (of.source.first + first / of.serves) * of.source.pixelBytes, bytesOf(of, pixels),
            {chunk + at, isDirect[i] ? nullptr : staging + at}, copies);
      at += roomOf(of, pixels);
    }
    if (!isOne) {
      check(cudaEventRecord(slot.copied.get(), copies), "a copy");
      check(cudaStreamWaitEvent(stream, slot.copied.get()), "a copy");
    }
    timed(turn, pixels, [&] { use(data, pixels, pixels == rest); });
  }
}

/**
 * Copies dense bytes of a source to the device. If they are not page-locked, it copies through page-locked memory.
 */
void Pieces::stage(const Source &from, uint64_t first, uint64_t bytes, Place place, cudaStream_t copies) {
  const auto copy = [&](uint64_t at, const void *host, uint64_t size) {
    check(cudaMemcpyAsync(place.chunk + at, host, size, cudaMemcpyHostToDevice, copies), "a copy");
  };
  if (place.staging == nullptr) {
    copy(0, from.bytes.data + first, bytes);
  } else {
    uint8_t *const staging = place.staging;
    const auto end = [&](uint32_t part) { return std::min<uint64_t>(bytes, part * partBytes); };
    const auto parts = static_cast<uint32_t>((bytes + partBytes - 1) / partBytes);
    // A smaller copy to the device is not worth its start, except for the first ones, which the bus waits for.
    const uint32_t least = std::max(4u, parts / limits::COPIES_OF_A_PIECE);
    copiers_.run(
        parts, least, [&](uint32_t i) { fill(from, first + end(i), end(i + 1) - end(i), staging + end(i)); },
        [&](uint32_t i, uint32_t to) { copy(end(i), staging + end(i), end(to) - end(i)); });
  }
  pad(place.chunk, bytes, copies);
}

void Pieces::copy(const Read &of, uint8_t *to) {
  each({of}, ~0ull, [&](const std::vector<const void *> &data, uint64_t pixels, bool) {
    const uint64_t bytes = pixels * of.source.pixelBytes;
    check(cudaMemcpyAsync(to, data[0], bytes, cudaMemcpyDeviceToDevice, stream), "a copy");
    to += bytes;
  });
}

void Pieces::bring(const std::vector<Freight> &all, uint32_t pixelBytes) {
  std::vector<Freight> some;
  uint64_t room = limits::GPU_PIECE_BYTES, reported = 0;
  uint32_t turn = 0;
  const auto report = [&](uint64_t bytes) {
    if (pixelBytes == 0) return;
    done(bytes / pixelBytes - reported);
    reported = bytes / pixelBytes;
  };
  const auto send = [&] {
    checkGoesOn();
    // One is unpacked while the other one's copy is under way.
    carriers_[turn++ % 2].bring(some, stream);
    if (turn > 2) report((turn - 2) * uint64_t{limits::GPU_PIECE_BYTES});
    room = limits::GPU_PIECE_BYTES;
    some.clear();
  };
  uint64_t bytes = 0;
  for (const Freight &of : all) {
    const uint32_t size = sizeOf(of.as);
    for (uint64_t first = 0, many = 0; first < of.many; first += many) {
      if (room < size) send();
      many = std::min(of.many - first, room / size);
      some.push_back(partOf(of, first, many));
      room -= many * size;
    }
    bytes += of.many * size;
  }
  send();
  for (Carrier &carrier : carriers_) carrier.settle();
  report(bytes);
}

void Pieces::bringBeside(uint32_t turn, const std::vector<Freight> &all) {
  check(cudaEventRecord(ready_.get(), stream), "cudaEventRecord");
  check(cudaStreamWaitEvent(returns_.get(), ready_.get()), "a copy");
  carriers_[turn].bring(all, returns_.get());
}

void Pieces::timed(uint32_t turn, uint64_t pixels, const std::function<void()> &work) {
  Slot &slot = slots_[turn];
  if (isGated_) gate.close(stream);
  if (isTimed_) gate.check(cudaEventRecord(slot.begun.get(), stream), "cudaEventRecord");
  work();
  gate.check(cudaEventRecord(slot.ended.get(), stream), "cudaEventRecord");
  gate.open();
  slot.pixels = pixels;
}

double Pieces::settle(uint32_t turn) {
  Slot &slot = slots_[turn];
  if (slot.pixels == 0) return 0;
  check(cudaEventSynchronize(slot.ended.get()), "a launch");
  float ms = 0;
  if (isTimed_) check(cudaEventElapsedTime(&ms, slot.begun.get(), slot.ended.get()), "cudaEventElapsedTime");
  kernelMs_ += ms;
  done(std::exchange(slot.pixels, 0));
  return ms;
}

void Pieces::allDone() {
  for (Slot &slot : slots_) done(std::exchange(slot.pixels, 0));
}

void Pieces::settleAll() {
  for (uint32_t turn = 0; turn < limits::PIECES; turn++) settle(turn);
}

void Pieces::finish(const char *what) {
  for (Carrier &carrier : carriers_) carrier.settle();
  check(cudaStreamSynchronize(stream), what);
  settleAll();
  checkGoesOn();
}

Times Pieces::times() const {
  const std::chrono::duration<double, std::milli> since = std::chrono::steady_clock::now() - begun_;
  return {kernelMs_, isTimed_ && isFed_ ? since.count() : 0};
}

}  // namespace polybin
