// One count of samples. Threads take pieces of it until none is left, each into tables of its own, and add their counts.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "job.h"
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

class Count : public Call {
 public:
  /** @param counts of each channel, added to */
  Count(const Job &job, const Pixels &of, double *counts, Control control = {});

  /** The threads that the size pays for. */
  uint32_t threads() const { return threads_; }
  void take(uint32_t place) noexcept override;
  /** What went wrong on any thread. */
  const std::optional<Failure> &failure() const { return failure_; }

 private:
  bool isStopped() const;
  void takePieces(uint32_t *tables);
  void countPiece(uint64_t from, uint64_t to, uint32_t *tables) const;
  void countRun(const uint8_t *data, uint64_t pixels, uint32_t *tables) const;
  void sum(uint32_t *tables);

  const Job &job_;
  Pixels of_;
  double *const counts_;
  const Control control_;
  uint64_t pixels_, piece_, pieces_;
  uint32_t threads_;
  std::atomic<uint64_t> next_{0};
  std::mutex mutex_;
  std::optional<Failure> failure_;
};

}  // namespace polybin
