#include "pieces.h"

#include <algorithm>

#include "tables.h"

namespace polybin {
namespace {

/** The most samples that a counter of 32 bits holds. */
constexpr uint64_t COUNTER_MOST = 0xffffffff;

uint32_t threadsOf(const Division &of) {
  const uint64_t pieces = (of.pixels + of.piece - 1) / of.piece;
  return static_cast<uint32_t>(std::max<uint64_t>(1, std::min({uint64_t{of.threads}, of.pixels / of.share, pieces})));
}

}  // namespace

Division Pieces::cut(Division of) {
  const uint32_t threads = threadsOf(of);
  if (of.contiguous) of.piece = std::clamp<uint64_t>((of.pixels + threads - 1) / threads, 1, COUNTER_MOST);
  of.threads = threads;
  return of;
}

Pieces::Pieces(const Division &of, const Control &control)
    : step_(of.piece),
      of_(cut(of)),
      control_(control),
      pieces_((of_.pixels + of_.piece - 1) / of_.piece),
      threads_(of_.threads) {}

void Pieces::take(uint32_t place) noexcept {
  uint32_t *own = nullptr;
  try {
    uint32_t *const common = shared(place);
    if (common == nullptr) own = clearWords(words());
    takePieces(common == nullptr ? own : common, common == nullptr);
  } catch (...) {
    // A thread's tables are 0 between calls.
    if (own != nullptr) std::fill_n(own, words(), 0);
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = failureCaught();
    next_ = pieces_;
  }
}

void Pieces::conclude() noexcept {
  if (failure_) return;
  try {
    finish();
  } catch (...) {
    failure_ = failureCaught();
  }
}

bool Pieces::isStopped() const {
  return (control_.closing != nullptr && *control_.closing != 0) ||
         (control_.aborted != nullptr && *control_.aborted != 0);
}

void Pieces::countPiece(uint64_t from, uint64_t to, uint32_t *tables) {
  for (uint64_t at = from; at < to && !isStopped(); at += step_) {
    const uint64_t end = std::min(to, at + step_);
    count(at, end, tables);
    if (control_.done != nullptr) *control_.done += end - at;
  }
}

void Pieces::takePieces(uint32_t *tables, bool isOwn) {
  uint64_t counted = 0;
  for (;;) {
    const uint64_t piece = next_.fetch_add(1, std::memory_order_relaxed);
    if (piece >= pieces_ || isStopped()) break;
    const uint64_t from = piece * of_.piece, to = std::min(of_.pixels, from + of_.piece);
    if (isOwn && counted + (to - from) > COUNTER_MOST) {
      sum(tables);
      counted = 0;
    }
    countPiece(from, to, tables);
    counted += to - from;
  }
  if (isOwn && counted > 0) sum(tables);
}

}  // namespace polybin
