#include "lowering.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "job.h"
#include "platform/instructions.h"

namespace polybin {
namespace {

/** The sample of a key (core's lowering/keys.ts). */
double valueOf(Type type, uint32_t low, uint32_t high) {
  constexpr uint64_t SIGN = 1ULL << 63;
  switch (type) {
    case Type::u32:
      return low;
    case Type::i32:
      return static_cast<double>(low) - 2147483648.0;
    case Type::f32: {
      const uint32_t bits = low & 0x80000000U ? low ^ 0x80000000U : ~low;
      float value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    default: {
      const uint64_t key = static_cast<uint64_t>(high) << 32 | low;
      const uint64_t bits = key & SIGN ? key ^ SIGN : ~key;
      double value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
  }
}

/** The first value past the last one of the bins, or NaN after infinity. Integers have one beyond their type's range. */
double valueAfter(const JobNumbers &of) {
  if (of.type == Type::u32 || of.type == Type::i32) return valueOf(of.type, of.lastLow, 0) + 1;
  const uint64_t last = static_cast<uint64_t>(of.lastHigh) << 32 | of.lastLow;
  return valueOf(of.type, static_cast<uint32_t>(last + 1), static_cast<uint32_t>((last + 1) >> 32));
}

}  // namespace

RowKernels kernelsOf(const JobNumbers &of, bool narrow) {
  switch (supported(of.instructions)) {
    case Instructions::avx512:
      return avx512Rows(of.type, narrow);
    case Instructions::avx2:
      return avx2Rows(of.type, narrow);
    default:
      return plainRows(of.type, narrow);
  }
}

Lowering::Lowering(const LoweringNumbers &of) {
  const JobNumbers &numbers = of.numbers;
  lookup_.type = numbers.type;
  lookup_.bins = numbers.bins;
  lookup_.start = numbers.start;
  if (numbers.kind == Kind::direct) lookup_.find = kernelsOf(numbers, false).direct;
  if (numbers.kind == Kind::table) {
    if (numbers.linear) {
      makeBoundsOfTable(of);
      if (isOnLine(of, true)) return;
    }
    makeTable(of, kernelsOf(numbers, false));
  }
  if (numbers.kind != Kind::keys) return;
  const bool isFloat = numbers.type == Type::f32;
  makeBounds(of, isFloat);
  if (isFloat && isOnLine(of, true)) return;
  if (isOnLine(of, false)) return;
  makeSearch(of, isFloat);
}

void Lowering::makeTable(const LoweringNumbers &of, const RowKernels &kernels) {
  const uint32_t bins = of.numbers.bins;
  const auto rowOf = [bins](uint32_t code) { return code < bins ? code + 1 : code == bins ? 0
                                                                                          : code; };
  if (bins + 2 <= std::numeric_limits<uint16_t>::max()) {
    rows16_.resize(of.length);
    std::transform(of.low, of.low + of.length, rows16_.begin(),
                   [&](uint32_t code) { return static_cast<uint16_t>(rowOf(code)); });
    lookup_.rows16 = rows16_.data();
  } else {
    rows32_.resize(of.length);
    std::transform(of.low, of.low + of.length, rows32_.begin(), rowOf);
    lookup_.rows32 = rows32_.data();
  }
  lookup_.find = kernels.table;
}

void Lowering::makeBounds(const LoweringNumbers &of, bool narrow) {
  wide_.resize(of.length + 1);
  for (size_t bin = 0; bin < of.length; bin++) {
    wide_[bin] = valueOf(of.numbers.type, of.low[bin], of.high == nullptr ? 0 : of.high[bin]);
  }
  const double after = valueAfter(of.numbers);
  const bool isOpen = std::isnan(after);
  wide_[of.length] = isOpen ? std::numeric_limits<double>::infinity() : after;
  lookup_.end = static_cast<uint32_t>(of.length) + (isOpen ? 0 : 1);
  // A search may look past the last one.
  wide_.resize(3 * wide_.size() + 2, std::numeric_limits<double>::infinity());
  lookup_.bounds = static_cast<uint32_t>(of.length);
  lookup_.wide = wide_.data();
  if (narrow) narrow_.assign(wide_.begin(), wide_.end());
  lookup_.narrow = narrow_.data();
}

void Lowering::makeBoundsOfTable(const LoweringNumbers &of) {
  const uint32_t bins = of.numbers.bins;
  const auto first = of.numbers.type == Type::i16 ? -32768 : 0;
  // Codes grow with the values, but the one of underflow comes before the bins.
  uint32_t bin = 0;
  for (int value = first; value < first + 65536; value++) {
    const uint32_t code = of.low[static_cast<uint16_t>(value)];
    for (; code != bins && bin <= std::min(code, bins); bin++) narrow_.push_back(static_cast<float>(value));
    for (; code == bins + 1 && bin <= bins; bin++) narrow_.push_back(static_cast<float>(value));
  }
  for (; bin <= bins; bin++) narrow_.push_back(static_cast<float>(first + 65536));
  lookup_.bounds = bins;
  lookup_.narrow = narrow_.data();
}

bool Lowering::isOnLine(const LoweringNumbers &of, bool narrow) {
  if (!of.numbers.linear || (narrow && of.numbers.bins > limits::NARROW_BINS)) return false;
  lookup_.scale = of.numbers.scale;
  const RowKernels kernels = kernelsOf(of.numbers, narrow);
  const auto finds = [&](FindRows find) {
    lookup_.find = find;
    return find != nullptr && kernels.isExact(lookup_);
  };
  lookup_.lo = of.numbers.lo;
  if (isScaled(of.numbers, kernels)) return true;
  lookup_.step = of.numbers.step;
  const bool isFloat = of.numbers.type == Type::f64 || (of.numbers.type == Type::f32 && narrow);
  if (isFloat && (finds(kernels.floored) || finds(kernels.stepped))) return true;
  if (isFloat && narrow) {
    lookup_.offset = -lookup_.lo * lookup_.scale;
    lookup_.top = std::nextafter(std::nextafter(narrow_[lookup_.bounds], -INFINITY), -INFINITY);
    if (finds(kernels.wide)) return true;
  }
  if (kernels.between != nullptr && isBetween(kernels)) return true;
  lookup_.lo = of.numbers.lo;
  return finds(kernels.compared);
}

bool Lowering::isScaled(const JobNumbers &of, const RowKernels &kernels) {
  const bool isShort = bytesOf(of.type) == 2;
  const double values = isShort ? 65536 : 4294967296.0;
  if (kernels.scaled == nullptr || of.bins + 1.0 >= values) return false;
  const double least = of.type == Type::i16 || of.type == Type::i32 ? values / 2 : 0;
  const auto bound = [&](uint32_t edge) { return (lookup_.narrow != nullptr ? narrow_[edge] : wide_[edge]) + least; };
  const double first = bound(0), last = bound(lookup_.bounds) - 1;
  if (!(first <= last) || first >= values) return false;
  lookup_.find = kernels.scaled;
  const double factor = lookup_.scale * values;
  for (const double base : {first, first - 1}) {
    for (const double some : {std::ceil(factor), std::floor(factor)}) {
      if (base < 0 || some >= values) continue;
      const auto set = [&]<typename U>(Scaled<U> &of) {
        of = {static_cast<U>(base), static_cast<U>(first), static_cast<U>(last), static_cast<U>(some)};
      };
      if (isShort) set(lookup_.scaled16);
      else set(lookup_.scaled32);
      if (!kernels.isExact(lookup_)) continue;
      const auto whole = static_cast<uint32_t>(some);
      const bool isPower = whole > 1 && (whole & (whole - 1)) == 0;
      if (isPower && base == 0 && first == 0 && last == values - 1) lookup_.find = kernels.shifted;
      return true;
    }
  }
  return false;
}

bool Lowering::isBetween(const RowKernels &kernels) {
  lookup_.lo -= 0.5;
  lookup_.find = kernels.between;
  if (kernels.isExact(lookup_)) return true;
  // The last bin has its upper edge too. Without that sample, its bounds may be as even as those of the others.
  const double after = lookup_.narrow != nullptr ? narrow_[lookup_.bounds] : wide_[lookup_.bounds];
  lookup_.closed = after - 1;
  if (kernels.isExact(lookup_)) return true;
  lookup_.closed = lookup_.NOT_CLOSED;
  return false;
}

void Lowering::makeSearch(const LoweringNumbers &of, bool narrow) {
  const RowKernels kernels = kernelsOf(of.numbers, narrow);
  lookup_.cells = static_cast<uint32_t>(std::clamp<uint64_t>(4 * of.length, limits::CELLS_LEAST, limits::CELLS_MOST));
  makeCells(kernels, narrow);
  // One comparison instead of two is worth a table that a first-level cache does not hold.
  while (lookup_.steps > 1 && lookup_.cells < limits::CELLS_FINEST) {
    lookup_.cells *= 2;
    makeCells(kernels, narrow);
  }
}

void Lowering::makeCells(const RowKernels &kernels, bool narrow) {
  const double first = wide_[0], last = wide_[lookup_.bounds];
  std::vector<uint32_t> byLine, byKey;
  const double scale = lookup_.cells / (last - first);
  const bool hasLine = std::isfinite(scale) && std::isfinite(static_cast<float>(scale)) && scale > 0;
  lookup_.lo = first;
  lookup_.scale = hasLine ? scale : 0;
  const uint32_t lineSteps = hasLine ? makeStarts(kernels.lineCells, byLine) : 32;
  // The leading words of the keys that the bounds have.
  const auto leading = [&](size_t edge) {
    uint32_t bits;
    if (narrow) {
      std::memcpy(&bits, &narrow_[edge], sizeof bits);
    } else {
      uint64_t wide;
      std::memcpy(&wide, &wide_[edge], sizeof wide);
      bits = static_cast<uint32_t>(wide >> 32);
    }
    return bits >> 31 ? ~bits : bits | 0x80000000U;
  };
  lookup_.lowest = leading(0);
  const uint32_t span = leading(lookup_.bounds) - lookup_.lowest;
  lookup_.shift = 0;
  while (span >> lookup_.shift >= lookup_.cells) lookup_.shift++;
  const uint32_t keySteps = makeStarts(kernels.keyCells, byKey);
  const bool line = lineSteps <= keySteps;
  lookup_.steps = line ? lineSteps : keySteps;
  lookup_.find = line ? kernels.searchLine : kernels.searchKeys;
  starts_ = std::move(line ? byLine : byKey);
  lookup_.starts = starts_.data();
}

uint32_t Lowering::makeStarts(void (*cells)(const Lookup &, uint32_t *), std::vector<uint32_t> &starts) {
  std::vector<uint32_t> found(lookup_.bounds + 1);
  cells(lookup_, found.data());
  std::vector<uint32_t> inCell(lookup_.cells, 0);
  for (const uint32_t cell : found) inCell[cell]++;
  starts.resize(lookup_.cells);
  uint32_t row = 0, most = 0;
  for (uint32_t cell = 0; cell < lookup_.cells; cell++) {
    starts[cell] = row;
    row += inCell[cell];
    most = std::max(most, inCell[cell]);
  }
  uint32_t steps = 0;
  while ((1ULL << steps) <= most) steps++;
  return steps;
}

}  // namespace polybin
