// Brings samples to the device piece by piece. It copies a piece while the device works on the one before, and measures
// times.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include "buffer.h"
#include "copiers.h"
#include "generated/messages.h"
#include "platform/gate.h"

namespace polybin {

/** @throws Failure ERR_STOPPED if the engine asked a call to stop */
void checkGoesOn(const Control &);

/** A kernel's last load may reach past the samples. The bytes there are not counted but must be defined. */
void pad(void *memory, size_t bytes, cudaStream_t);

/** A source that is read together with others: the n-th pixel of one belongs to the n-th of all. */
struct Read {
  const Source &source;
  /** Where it lies on the device, from its first pixel on, or null. */
  const uint8_t *resident;
  /** Pixels of the others that one pixel of this source serves: 8 for the bits of a mask. */
  uint32_t serves;
};

/** Two streams of one device, one for copies and one for work, and the memory of the pieces in flight. */
class Pieces {
 public:
  /** Called for dense pieces on the device. All work goes to `stream`. */
  using Use = std::function<void(const void *data, uint64_t pixels, bool isLast)>;
  /** The same for sources that are read together. */
  using UseAll = std::function<void(const std::vector<const void *> &data, uint64_t pixels)>;

  /** Waits for both streams when a call fails: nothing of the caller's memory is read afterwards. */
  class Drain {
   public:
    explicit Drain(Pieces &of) : of_(of) {}
    ~Drain();
    Drain(const Drain &) = delete;
    Drain &operator=(const Drain &) = delete;
    /** The call succeeded. */
    void done() { isNeeded_ = false; }

   private:
    Pieces &of_;
    bool isNeeded_ = true;
  };

  /** Begins a call. The first call creates the streams. `timed`: whether to measure times. @throws Failure */
  void begin(bool timed);
  /** Releases everything. Nothing here is checked, because a lost device answers every call with its error at once. */
  void close();
  bool isOpen() const { return stream != nullptr; }

  /**
   * Passes a source on in pieces on the device, of `most` pixels each. `resident` is where it lies on the device, from
   * its first pixel on. The last pieces are still in flight when this returns and must be settled. `tail`: bytes that
   * are cut off a long last piece as a piece of their own, or 0.
   */
  void each(const Source &, const uint8_t *resident, uint64_t most, const Control &, const Use &, uint64_t tail = 0);
  /** The same for sources that are read together. The first one's pixels are counted. */
  void each(const std::vector<Read> &, uint64_t most, const Control &, const UseAll &);
  /**
   * Returns the pixels of a piece: `most`, or what is copied at a time. They are whole vectors, so that the next piece
   * is aligned.
   */
  static uint64_t pixelsOf(const Source &, uint64_t most);

  /** Runs work on the stream between two events. It is the `turn`-th of several that may be in flight. */
  void timed(uint32_t turn, uint64_t pixels, const std::function<void()> &work);
  /** Waits until this work is done, if there is any. Returns its milliseconds. */
  double settle(uint32_t turn, const Control &);
  void settleAll(const Control &);
  /** Does the same if all work is known to be done. */
  void allDone(const Control &);
  /** Returns the milliseconds that the settled work of this call took on the device. */
  double kernelMs() const { return kernelMs_; }

  /** From now on, this call queues timed work behind the gate. */
  void closeGate() { isGated_ = true; }
  Gate &gate() { return gate_; }
  /** Does what `check` does for work behind the gate. It may query the device, which must not be waiting then. */
  void checkQueued(cudaError_t, const char *what);

  cudaStream_t stream = nullptr;

 private:
  /** A piece in flight. */
  struct Slot {
    Buffer chunk, staging{Buffer::Where::host};
    cudaEvent_t copied = nullptr, begun = nullptr, ended = nullptr;
    /** Pixels between `begun` and `ended`, until `settle` finds them done. */
    uint64_t pixels = 0;
  };

  /** Where a piece of one source goes: on the device, and in page-locked memory on the way. */
  struct Place {
    uint8_t *chunk, *staging;
  };
  void stage(const Source &, uint64_t first, uint64_t bytes, Place, cudaStream_t);

  bool isMade_ = false;
  cudaStream_t copies_ = nullptr;
  Slot slots_[limits::PIECES];
  Gate gate_;
  Copiers copiers_;
  bool isTimed_ = false, isGated_ = false;
  double kernelMs_ = 0;
};

}  // namespace polybin
