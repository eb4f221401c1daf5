#include "pieces.h"

#include <algorithm>
#include <utility>

#include "generated/limits.cuh"
#include "platform/failure.h"
#include "source.h"

namespace polybin {

namespace {

/** Bytes that a thread copies at a time, so that several threads share a megabyte. */
constexpr uint64_t partBytes = limits::COPY_BYTES / 2;
/** A last piece that is longer than this number of tails has one cut off. */
constexpr uint64_t tailed = 4;

}  // namespace

void checkGoesOn(const Control &control) {
  if (control.stop->load() != 0) throw Failure{"ERR_STOPPED", "stopped"};
}

void pad(void *memory, size_t bytes, cudaStream_t stream) {
  const size_t rest = bytes % limits::VECTOR_BYTES;
  if (rest == 0) return;
  check(cudaMemsetAsync(static_cast<uint8_t *>(memory) + bytes, 0xff, limits::VECTOR_BYTES - rest, stream),
        "cudaMemset");
}

Pieces::Drain::~Drain() {
  if (!isNeeded_) return;
  of_.gate_.open();
  cudaStreamSynchronize(of_.copies_);
  cudaStreamSynchronize(of_.stream);
  for (Slot &slot : of_.slots_) slot.pixels = 0;
}

void Pieces::begin(bool timed) {
  kernelMs_ = 0;
  isTimed_ = timed;
  isGated_ = false;
  if (isMade_) return;
  for (cudaStream_t *of : {&stream, &copies_}) {
    if (!*of) check(cudaStreamCreateWithFlags(of, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  for (Slot &slot : slots_) {
    if (!slot.copied) check(cudaEventCreateWithFlags(&slot.copied, cudaEventDisableTiming), "cudaEventCreate");
    if (!slot.begun) check(cudaEventCreate(&slot.begun), "cudaEventCreate");
    if (!slot.ended) check(cudaEventCreate(&slot.ended), "cudaEventCreate");
  }
  isMade_ = true;
}

void Pieces::close() {
  copiers_.stop();
  gate_.release();
  for (Slot &slot : slots_) {
    slot.chunk.release();
    slot.staging.release();
    for (cudaEvent_t *event : {&slot.copied, &slot.begun, &slot.ended}) {
      if (*event) cudaEventDestroy(*event);
      *event = nullptr;
    }
  }
  for (cudaStream_t *of : {&stream, &copies_}) {
    if (*of) cudaStreamDestroy(*of);
    *of = nullptr;
  }
  isMade_ = false;
}

uint64_t Pieces::pixelsOf(const Source &of, uint64_t most) {
  const uint64_t piece =
      of.resident != 0 ? most : std::min<uint64_t>(most, limits::GPU_PIECE_BYTES / of.pixelBytes);
  return std::max<uint64_t>(limits::ALIGN_PIXELS, piece - piece % limits::ALIGN_PIXELS);
}

void Pieces::each(const Source &from, const uint8_t *resident, uint64_t most, const Control &control, const Use &use,
                  uint64_t tail) {
  if (resident != nullptr) {
    return timed(0, from.pixels, [&] {
      for (uint64_t first = 0; first < from.pixels && control.stop->load() == 0; first += most) {
        const uint64_t rest = from.pixels - first;
        use(resident + first * from.pixelBytes, std::min(most, rest), rest <= most);
      }
    });
  }
  const bool isDirect = isPinnedAndDense(from);
  // A single piece has no other copy to overlap with. On one stream nothing waits for an event.
  const bool isOne = from.pixels <= most && (tail == 0 || from.pixels * from.pixelBytes <= tailed * tail);
  uint32_t next = 0;
  for (uint64_t first = 0, pixels = 0; first < from.pixels && control.stop->load() == 0; first += pixels) {
    const uint32_t turn = next++ % limits::PIECES;
    settle(turn, control);
    Slot &slot = slots_[turn];
    const uint64_t rest = from.pixels - first;
    pixels = std::min(most, rest);
    if (!isOne && tail != 0 && rest <= most && rest * from.pixelBytes > tailed * tail) {
      pixels -= tail / from.pixelBytes;
      pixels -= pixels % limits::ALIGN_PIXELS;
    }
    slot.chunk.reserve(std::min(most, from.pixels) * from.pixelBytes + limits::GPU_PADDING_BYTES);
    const cudaStream_t copies = isOne ? stream : copies_;
    const uint64_t bytes = pixels * from.pixelBytes;
    const Place place{static_cast<uint8_t *>(slot.chunk.memory()),
                      isDirect ? nullptr : static_cast<uint8_t *>(slot.staging.reserve(bytes))};
    stage(from, (from.first + first) * from.pixelBytes, bytes, place, copies);
    if (!isOne) {
      check(cudaEventRecord(slot.copied, copies), "a copy");
      check(cudaStreamWaitEvent(stream, slot.copied), "a copy");
    }
    timed(turn, pixels, [&] { use(slot.chunk.memory(), pixels, pixels == rest); });
  }
}

void Pieces::each(const std::vector<Read> &reads, uint64_t most, const Control &control, const UseAll &use) {
  const uint64_t all = reads[0].source.pixels;
  // A source that lies on the device takes no room in a piece.
  const auto bytesOf = [](const Read &of, uint64_t pixels) {
    return of.resident != nullptr ? 0 : (pixels + of.serves - 1) / of.serves * of.source.pixelBytes;
  };
  const auto roomOf = [&](const Read &of, uint64_t pixels) {
    const uint64_t bytes = bytesOf(of, pixels), vectors = (bytes + limits::VECTOR_BYTES - 1) / limits::VECTOR_BYTES;
    return bytes == 0 ? 0 : vectors * limits::VECTOR_BYTES + limits::GPU_PADDING_BYTES;
  };
  uint64_t each = 0;
  for (const Read &of : reads) each += bytesOf(of, limits::ALIGN_PIXELS);
  if (each > 0) most = std::min<uint64_t>(most, limits::GPU_PIECE_BYTES / each * limits::ALIGN_PIXELS);
  most = std::max<uint64_t>(limits::ALIGN_PIXELS, most - most % limits::ALIGN_PIXELS);
  std::vector<const void *> at(reads.size());
  const auto pass = [&](uint64_t first, uint64_t pixels, uint8_t *chunk) {
    for (size_t i = 0; i < reads.size(); i++) {
      const Read &of = reads[i];
      at[i] = of.resident == nullptr ? chunk : of.resident + first / of.serves * of.source.pixelBytes;
      if (chunk != nullptr) chunk += roomOf(of, pixels);
    }
    use(at, pixels);
  };
  if (each == 0) {
    return timed(0, all, [&] {
      for (uint64_t first = 0; first < all && control.stop->load() == 0; first += most) {
        pass(first, std::min(most, all - first), nullptr);
      }
    });
  }
  uint64_t room = 0;
  for (const Read &of : reads) room += roomOf(of, std::min(most, all));
  uint32_t next = 0;
  for (uint64_t first = 0; first < all && control.stop->load() == 0; first += most) {
    const uint32_t turn = next++ % limits::PIECES;
    settle(turn, control);
    Slot &slot = slots_[turn];
    const uint64_t pixels = std::min(most, all - first);
    auto *const chunk = static_cast<uint8_t *>(slot.chunk.reserve(room));
    auto *const staging = static_cast<uint8_t *>(slot.staging.reserve(room));
    uint64_t offset = 0;
    for (const Read &of : reads) {
      if (of.resident != nullptr) continue;
      const Place place{chunk + offset, isPinnedAndDense(of.source) ? nullptr : staging + offset};
      stage(of.source, (of.source.first + first / of.serves) * of.source.pixelBytes, bytesOf(of, pixels), place, copies_);
      offset += roomOf(of, pixels);
    }
    check(cudaEventRecord(slot.copied, copies_), "a copy");
    check(cudaStreamWaitEvent(stream, slot.copied), "a copy");
    timed(turn, pixels, [&] { pass(first, pixels, chunk); });
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

void Pieces::timed(uint32_t turn, uint64_t pixels, const std::function<void()> &work) {
  Slot &slot = slots_[turn];
  if (isGated_) gate_.close(stream);
  if (isTimed_) checkQueued(cudaEventRecord(slot.begun, stream), "cudaEventRecord");
  work();
  checkQueued(cudaEventRecord(slot.ended, stream), "cudaEventRecord");
  gate_.open();
  slot.pixels = pixels;
}

void Pieces::checkQueued(cudaError_t error, const char *what) {
  if (error != cudaSuccess) gate_.open();
  check(error, what);
}

double Pieces::settle(uint32_t turn, const Control &control) {
  Slot &slot = slots_[turn];
  if (slot.pixels == 0) return 0;
  check(cudaEventSynchronize(slot.ended), "a launch");
  float ms = 0;
  if (isTimed_) check(cudaEventElapsedTime(&ms, slot.begun, slot.ended), "cudaEventElapsedTime");
  kernelMs_ += ms;
  control.done->fetch_add(static_cast<int64_t>(slot.pixels));
  slot.pixels = 0;
  return ms;
}

void Pieces::allDone(const Control &control) {
  for (Slot &slot : slots_) control.done->fetch_add(static_cast<int64_t>(std::exchange(slot.pixels, 0)));
}

void Pieces::settleAll(const Control &control) {
  for (uint32_t turn = 0; turn < limits::PIECES; turn++) settle(turn, control);
}

}  // namespace polybin
