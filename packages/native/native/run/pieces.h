// A count whose samples threads take in pieces until none is left, each into tables of its own, and add their counts.
#pragma once
#include <atomic>
#include <mutex>
#include <optional>

#include "platform/failure.h"
#include "platform/pool.h"

namespace polybin {

/** How a count is stopped and watched. A number that is absent is not looked at. */
struct Control {
  /** Not 0: stop. */
  const std::atomic<uint32_t> *closing = nullptr, *aborted = nullptr;
  /** Pixels that were counted. */
  std::atomic<uint64_t> *done = nullptr;
};

/** The pixels of a count, and how threads share them. */
struct Division {
  uint64_t pixels;
  /** Pixels that a thread takes at a time, and that pay for one more thread. */
  uint64_t piece, share;
  uint32_t threads;
  /** Whether each thread takes one piece. */
  bool contiguous = false;
};

class Pieces : public Call {
 public:
  Pieces(const Division &, const Control &);

  /** The threads that the size pays for. */
  uint32_t threads() const { return threads_; }
  void take(uint32_t place) noexcept final;
  /** Completes the counts, after all threads have left, unless one of them failed. */
  void conclude() noexcept;
  /** What went wrong on any thread. */
  const std::optional<Failure> &failure() const { return failure_; }

 protected:
  /** Words of all tables of a thread. */
  virtual size_t words() const = 0;
  virtual void count(uint64_t from, uint64_t to, uint32_t *tables) = 0;
  /** The tables that the thread at a place shares with others, or null if it has its own. */
  virtual uint32_t *shared(uint32_t) { return nullptr; }
  /** Adds up what threads leave to the end. */
  virtual void finish() {}
  /** Adds a thread's tables to the counts, and clears them. What threads share is written with the lock only. */
  virtual void sum(uint32_t *tables) = 0;
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

 private:
  bool isStopped() const;
  void takePieces(uint32_t *tables, bool isOwn);

  static Division cut(Division);
  void countPiece(uint64_t from, uint64_t to, uint32_t *tables);

  /** Pixels after which a thread looks whether it has to stop. */
  const uint64_t step_;
  const Division of_;
  const Control control_;
  const uint64_t pieces_;
  const uint32_t threads_;
  std::atomic<uint64_t> next_{0};
  std::mutex mutex_;
  std::optional<Failure> failure_;
};

}  // namespace polybin
