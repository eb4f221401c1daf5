// How what is to be counted comes to the device: piece by piece, copied while the one before is worked on, and timed.
#pragma once
#include <cstdint>
#include <functional>

#include <cuda_runtime.h>

#include "buffer.h"
#include "copiers.h"
#include "generated/messages.h"
#include "platform/gate.h"

namespace polybin {

/** @throws Failure ERR_STOPPED where the engine asked a call to stop */
void checkGoesOn(const Control &);

/** A kernel's last load may reach past the samples: what it finds there is not counted, but is defined. */
void pad(void *memory, size_t bytes, cudaStream_t);

/** Two streams of one device, one that copies and one that works, and memory for what is on its way. */
class Pieces {
 public:
  /** Called for pieces that lie on the device, dense; all work goes to `stream`. */
  using Use = std::function<void(const void *data, uint64_t pixels, bool isLast)>;

  /** Waits for both streams when a call fails: nothing of the caller's memory is read afterwards. */
  class Drain {
   public:
    explicit Drain(Pieces &of) : of_(of) {}
    ~Drain();
    Drain(const Drain &) = delete;
    Drain &operator=(const Drain &) = delete;
    /** The call ended well. */
    void done() { isNeeded_ = false; }

   private:
    Pieces &of_;
    bool isNeeded_ = true;
  };

  /** Begins a call; the first one makes the streams. `timed`: what takes how long is to be told. @throws Failure */
  void begin(bool timed);
  /** Lets go of everything; nothing here is checked: a lost device answers every call with its error, at once. */
  void close();
  bool isOpen() const { return stream != nullptr; }

  /**
   * Hands a source over in pieces on the device, `most` pixels each; `resident`: it lies there from its first pixel on.
   * The last pieces are still under way when it returns: they are to be settled. `tail`: bytes that are cut off a long last
   * piece, as one of their own; 0: none.
   */
  void each(const Source &, const uint8_t *resident, uint64_t most, const Control &, const Use &, uint64_t tail = 0);
  /** The pixels of a piece: `most` of them, or what is copied at a time; whole vectors, so that the next is aligned. */
  static uint64_t pixelsOf(const Source &, uint64_t most);

  /** Does work on the stream between two events, the `turn`-th of several that may be under way. */
  void timed(uint32_t turn, uint64_t pixels, const std::function<void()> &work);
  /** Waits until such work is done, if there is any; what it took. */
  double settle(uint32_t turn, const Control &);
  void settleAll(const Control &);
  /** The same where it is known that all of it is done. */
  void allDone(const Control &);
  /** What the settled work of this call took on the device: milliseconds. */
  double kernelMs() const { return kernelMs_; }

  /** From now on what is timed is queued behind the gate, of this call. */
  void closeGate() { isGated_ = true; }
  Gate &gate() { return gate_; }
  /** As check, of what may be behind the gate: it may ask the device, which then must not wait. */
  void checkQueued(cudaError_t, const char *what);

  cudaStream_t stream = nullptr;

 private:
  /** A piece on its way. */
  struct Slot {
    Buffer chunk, staging{Buffer::Where::host};
    cudaEvent_t copied = nullptr, begun = nullptr, ended = nullptr;
    /** Pixels between `begun` and `ended`, until `settle` has seen them done. */
    uint64_t pixels = 0;
  };

  void stage(const Source &, bool isDirect, uint64_t first, uint64_t bytes, Slot &, cudaStream_t);

  bool isMade_ = false;
  cudaStream_t copies_ = nullptr;
  Slot slots_[limits::PIECES];
  Gate gate_;
  Copiers copiers_;
  bool isTimed_ = false, isGated_ = false;
  double kernelMs_ = 0;
};

}  // namespace polybin
