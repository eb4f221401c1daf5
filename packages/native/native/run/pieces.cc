#include "pieces.h"

#include <algorithm>

#include "tables.h"

namespace polybin {
namespace {

/** The most samples that a counter of 32 bits holds. */
constexpr uint64_t COUNTER_MOST = 0xffffffff;

uint32_t threadsOf(const Division &of, uint64_t pieces) {
  return static_cast<uint32_t>(std::max<uint64_t>(1, std::min({uint64_t{of.threads}, of.pixels / of.share, pieces})));
}

}  // namespace

Pieces::Pieces(const Division &of, const Control &control)
    : of_(of),
      control_(control),
      pieces_((of.pixels + of.piece - 1) / of.piece),
      threads_(threadsOf(of, pieces_)) {}

void Pieces::take(uint32_t) noexcept {
  try {
    takePieces(clearWords(words()));
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = failureCaught();
    next_ = pieces_;
  }
}

bool Pieces::isStopped() const {
  return (control_.closing != nullptr && *control_.closing != 0) ||
         (control_.aborted != nullptr && *control_.aborted != 0);
}

void Pieces::takePieces(uint32_t *tables) {
  const auto add = [&] {
    const std::lock_guard lock(mutex_);
    sum(tables);
  };
  uint64_t counted = 0;
  for (;;) {
    const uint64_t piece = next_.fetch_add(1, std::memory_order_relaxed);
    if (piece >= pieces_ || isStopped()) break;
    const uint64_t from = piece * of_.piece, to = std::min(of_.pixels, from + of_.piece);
    if (counted + (to - from) > COUNTER_MOST) {
      add();
      counted = 0;
    }
    count(from, to, tables);
    counted += to - from;
    if (control_.done != nullptr) *control_.done += to - from;
  }
  if (counted > 0) add();
}

}  // namespace polybin
