// Moves data between the host and a device piece by piece. It copies a piece while the device works on the one before,
// and measures times.
#pragma once
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include "buffer.h"
#include "carrier.h"
#include "copiers.h"
#include "generated/messages.h"
#include "platform/gate.h"
#include "platform/handles.h"

namespace polybin {

/** A kernel's last load may reach past the samples. The bytes there are not counted but must be defined. */
void pad(void *memory, size_t bytes, cudaStream_t);

/** Sources that are read together: the n-th pixel of one belongs to the n-th of all. */
struct Read {
  const Source &source;
  /** Where it lies on the device, from its first pixel on, or null. */
  const uint8_t *resident;
  /** Pixels of the others that one pixel of this source serves: 8 for the bits of a mask. */
  uint32_t serves = 1;
};
using Reads = std::vector<Read>;

/** The durations of a call in milliseconds: of its work on the device, and until everything was there and counted. */
struct Times {
  double kernelMs = 0, uploadMs = 0;
};

/** Streams of one device, for work and for copies in both directions, and the memory of the pieces in flight. */
class Pieces {
 public:
  /** Called for dense pieces on the device, one per source. All work goes to `stream`. */
  using Use = std::function<void(const std::vector<const void *> &data, uint64_t pixels, bool isLast)>;

  /** Waits for everything when a call fails: nothing of the caller's memory is read or written afterwards. */
  class Drain {
   public:
    explicit Drain(Pieces &of) : of_(of), failures_(std::uncaught_exceptions()) {}
    ~Drain();
    Drain(const Drain &) = delete;
    Drain &operator=(const Drain &) = delete;

   private:
    Pieces &of_;
    const int failures_;
  };

  /** Begins a call. Without a control it cannot be stopped. `timed`: whether to measure times. */
  void begin(const Control &, bool timed);
  /** Whether the engine asked the call to stop. */
  bool isStopped() const { return control_.stop != nullptr && control_.stop->load() != 0; }
  /** @throws Failure ERR_STOPPED */
  void checkGoesOn() const;
  /** Whether pixels that are done are reported from now on. Default: true. */
  void report(bool yes) { reports_ = yes; }
  /**
   * Passes sources on in pieces on the device, of `most` pixels each. The first one's pixels are counted. The last pieces
   * are still in flight when this returns and must be settled. `tail`: bytes that are cut off a long last piece as a
   * piece of their own, or 0.
   */
  void each(const Reads &, uint64_t most, const Use &, uint64_t tail = 0);
  /**
   * Returns the pixels of a piece: `most`, or what is copied at a time. They are whole vectors, so that the next piece
   * is aligned.
   */
  static uint64_t pixelsOf(const Reads &, uint64_t most);
  /** Copies a whole source to `to` on the device. The copies are under way when this returns. @throws Failure */
  void copy(const Read &, uint8_t *to);

  /**
   * Brings numbers to the host after the work of `stream`, before it returns. `pixelBytes`: the bytes of a pixel whose
   * arrival is reported, or 0. @throws Failure
   */
  void bring(const std::vector<Freight> &, uint32_t pixelBytes = 0);
  /**
   * Does the same while later work runs. It is the `turn`-th of two that may be in flight, and settles the one before.
   */
  void bringBeside(uint32_t turn, const std::vector<Freight> &);
  /** Waits until these numbers have arrived, if there are any. @throws Failure */
  void settleBeside(uint32_t turn) { carriers_[turn].settle(); }

  /** Runs work on the stream between two events. It is the `turn`-th of several that may be in flight. */
  void timed(uint32_t turn, uint64_t pixels, const std::function<void()> &work);
  /** Waits until this work is done, if there is any. Returns its milliseconds. */
  double settle(uint32_t turn);
  void settleAll();
  /** Does the same if all work is known to be done. */
  void allDone();
  /** Waits for everything, also for what the carriers bring. @throws Failure, ERR_STOPPED too */
  void finish(const char *what);
  /** Returns the times of the settled work. Without sources on the host, nothing was uploaded. */
  Times times() const;

  /** From now on, this call queues timed work behind the gate. */
  void closeGate() { isGated_ = true; }

 private:
  const Stream work_ = newStream(), copies_ = newStream(), returns_ = newStream();
  const Event ready_ = newEvent(cudaEventDisableTiming);

 public:
  const cudaStream_t stream = work_.get();
  Gate gate;

 private:
  /** A piece in flight. */
  struct Slot {
    Buffer chunk, staging{Buffer::Where::host};
    const Event copied = newEvent(cudaEventDisableTiming), begun = newEvent(), ended = newEvent();
    /** Pixels between `begun` and `ended`, until `settle` finds them done. */
    uint64_t pixels = 0;
  };

  /** Where a piece of one source goes: on the device, and in page-locked memory on the way. */
  struct Place {
    uint8_t *chunk, *staging;
  };
  void stage(const Source &, uint64_t first, uint64_t bytes, Place, cudaStream_t);
  void done(uint64_t pixels);

  Slot slots_[limits::PIECES];
  Copiers copiers_;
  Carrier carriers_[2]{Carrier(copiers_), Carrier(copiers_)};
  Control control_{};
  bool isTimed_ = false, isGated_ = false, isFed_ = false, reports_ = true;
  std::chrono::steady_clock::time_point begun_;
  double kernelMs_ = 0;
};

}  // namespace polybin
