// Finds the rows of samples. Each of rows-*.cc compiles these loops for one set of instructions. They have no branches
// that depend on the data, so that a compiler makes vectors of them. All names are local to the file, because a linker
// may keep only one of several equal names.
//
//   samples   x x x x …            as they lie in memory, of any alignment
//   place     (x - lo) * scale     an even axis: 0 is the first edge, bounds the last
//   row       0 | 1 … bins | bins + 1 | bins + 2
//
// The loops over an even axis read no edge from memory, because collecting them takes longer than everything else:
//
//   between   integers whose places are never near an edge
//   scaled    the same by a product of integers
//   shifted   the same by a shift, if the bins hold all integers and each holds a power of two of them
//   wide      32-bit floats: a double tells the place of the middle between a sample and its successor from that of an edge
//   floored   floats: places that no rounding moves across an edge, such as those between 0 and 1 in 256 bins
//   stepped   floats: the edge next to a place, computed as core computes it, decides
//   compared  whatever is left: the edge next to a place, read from memory, decides
//
// Places grow with the samples, as each of their operations does. So a loop is right for all samples of a bin if it is
// right for the first and the last one. That is tried beforehand, for each bin (isExact).
//
// The compiler may assume that no sample is NaN, which lets it use the instructions for a minimum. So only integers tell
// NaN apart.
//
// Bound: one increment of a counter takes as long as finding a row.
// Source: polybin, "exact by exception".
#include <cstring>
#include <limits>

#include "lookup.h"

namespace polybin {
namespace {

template <typename T>
struct LooseOf {
  typedef T type __attribute__((aligned(1), may_alias));
};
/** A sample at any address. */
template <typename T>
using Loose = typename LooseOf<T>::type;

/** Samples of a step of a search. */
constexpr size_t STEP = 128;

template <typename F>
struct Float;
template <>
struct Float<float> {
  using Bits = uint32_t;
  using Signed = int32_t;
  static constexpr int32_t MAGNITUDE = 0x7fffffff, INFINITE = 0x7f800000;
  /** Adding it rounds to a whole number, which is then in the low bits. */
  static constexpr float ROUND = 8388608.0F;
  static constexpr uint32_t WHOLE = 0x3fffff;
  static const float *bounds(const Lookup &of) { return of.narrow; }
  static float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static float size(float of) { return __builtin_fabsf(of); }
  static float next(float of, float to) { return __builtin_nextafterf(of, to); }
  static uint32_t leading(uint32_t bits) { return bits; }
};
template <>
struct Float<double> {
  using Bits = uint64_t;
  using Signed = int64_t;
  static constexpr int64_t MAGNITUDE = 0x7fffffffffffffff, INFINITE = 0x7ff0000000000000;
  static constexpr double ROUND = 4503599627370496.0;
  static constexpr uint64_t WHOLE = 0xffffffff;
  static const double *bounds(const Lookup &of) { return of.wide; }
  static double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
  static double size(double of) { return __builtin_fabs(of); }
  static double next(double of, double to) { return __builtin_nextafter(of, to); }
  static uint32_t leading(uint64_t bits) { return static_cast<uint32_t>(bits >> 32); }
};

template <typename F>
inline typename Float<F>::Bits bitsOf(F of) {
  typename Float<F>::Bits bits;
  std::memcpy(&bits, &of, sizeof bits);
  return bits;
}

inline double floatOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename F>
inline F multiplied(F x, F lo, F scale, F more) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return Float<F>::fused(x - lo, scale, more);
#else
  return (x - lo) * scale + more;
#endif
}

template <typename S>
constexpr bool isWhole = static_cast<S>(0.5) == static_cast<S>(0);

template <typename F>
struct Line {
  F lo, scale;
  explicit Line(const Lookup &of) : lo(static_cast<F>(of.lo)), scale(static_cast<F>(of.scale)) {}
  /** 1 is the first edge. */
  F row(F x) const { return multiplied(x, lo, scale, F(1)); }
};

/** The sign is set if a sample is NaN. */
template <typename F>
inline typename Float<F>::Signed nanOf(typename Float<F>::Bits bits) {
  using Float = Float<F>;
  return Float::INFINITE - static_cast<typename Float::Signed>(bits & Float::MAGNITUDE);
}

template <typename S, typename F>
void findCompared(const Lookup &of, const void *samples, size_t n, uint32_t *__restrict rows) {
  const auto *const __restrict x = static_cast<const Loose<S> *>(samples);
  const Line<F> line(of);
  const F *__restrict bounds = Float<F>::bounds(of);
  const F top = static_cast<F>(of.bounds + 1);
  const uint32_t last = of.bounds, nan = of.bins + 2;
  for (size_t i = 0; i < n; i++) {
    const F value = static_cast<F>(x[i]);
    const F place = line.row(value);
    const F some = place > F(1) ? place : F(1);
    const F known = some < top ? some : top;
    const auto near = static_cast<uint32_t>(bitsOf(known + Float<F>::ROUND) & Float<F>::WHOLE) - 1;
    // NaN has any place.
    const uint32_t edge = near < last ? near : last;
    const uint32_t row = edge + (value >= bounds[edge] ? 1 : 0);
    rows[i] = nanOf<F>(bitsOf(value)) < 0 ? nan : row;
  }
}

/** The middle between two integers is on an edge, so the arithmetic of floats may err. */
template <typename S, typename F>
void findBetween(const Lookup &of, const void *samples, size_t n, uint32_t *__restrict rows) {
  const auto *const __restrict x = static_cast<const Loose<S> *>(samples);
  const Line<F> line(of);
  const F most = static_cast<F>(of.bounds) + F(1.5);
  const F closed = static_cast<F>(of.closed);
  for (size_t i = 0; i < n; i++) {
    const F value = static_cast<F>(x[i]);
    const F place = line.row(value);
    const F some = place > F(0.5) ? place : F(0.5);
    const F known = some < most ? some : most;
    const auto row = static_cast<uint32_t>(static_cast<int32_t>(known));
    rows[i] = value == closed ? row - 1 : row;
  }
}

template <typename U>
const Scaled<U> &scaledOf(const Lookup &of) {
  if constexpr (sizeof(U) == 2) return of.scaled16;
  else return of.scaled32;
}

/** Integers as unsigned ones in the same order. The upper half of a product is a sample's bin. */
template <typename S, typename U, typename Product>
void findScaled(const Lookup &of, const void *samples, size_t n, uint32_t *__restrict rows) {
  const auto *const __restrict x = static_cast<const Loose<U> *>(samples);
  const auto sign = static_cast<U>(std::numeric_limits<S>::min());
  const auto [base, first, last, factor] = scaledOf<U>(of);
  const auto after = static_cast<U>(of.bins + 1);
  for (size_t i = 0; i < n; i++) {
    const auto value = static_cast<U>(x[i] ^ sign);
    const auto some = static_cast<U>(value > base ? value - base : 0);
    const auto bin = static_cast<U>((static_cast<Product>(some) * factor) >> (8 * sizeof(U)));
    const auto row = static_cast<U>(bin + 1);
    const U above = value < first ? U{0} : row;
    rows[i] = value > last ? after : above;
  }
}

template <typename S, typename U>
void findShifted(const Lookup &of, const void *samples, size_t n, uint32_t *__restrict rows) {
  const auto *const __restrict x = static_cast<const Loose<U> *>(samples);
  const auto sign = static_cast<U>(std::numeric_limits<S>::min());
  const int shift = 8 * static_cast<int>(sizeof(U)) - __builtin_ctz(scaledOf<U>(of).factor);
  for (size_t i = 0; i < n; i++) rows[i] = (static_cast<uint32_t>(static_cast<U>(x[i] ^ sign)) >> shift) + 1;
}

/**
 * Half of the distance to its successor is added to a sample: edges are rounded to floats by less, so the sum is above
 * the edge before it was rounded exactly if the sample is not below the edge.
 */
inline void findWide(const Lookup &of, const void *samples, size_t n, uint32_t *__restrict rows) {
  const auto *const __restrict x = static_cast<const Loose<float> *>(samples);
  constexpr uint64_t EXPONENT = 0x7ff0000000000000;
  constexpr double HALF = 1.0 / (1 << 24);
  const float first = of.narrow[0], after = of.narrow[of.bounds], top = of.top;
  const double scale = of.scale, offset = of.offset;
  const uint32_t bins = of.bins;
  for (size_t i = 0; i < n; i++) {
    const float value = x[i];
    const float some = value > first ? value : first;
    const auto known = static_cast<double>(some < top ? some : top);
    const double middle = multiplied(floatOf(bitsOf(known) & EXPONENT), 0.0, HALF, known);
    const double place = multiplied(middle, 0.0, scale, offset);
    const uint32_t row = static_cast<uint32_t>(static_cast<int32_t>(place)) + 1;
    const uint32_t above = value < first ? 0 : row;
    const uint32_t inside = value >= after ? bins + 1 : above;
    rows[i] = nanOf<float>(bitsOf(value)) < 0 ? bins + 2 : inside;
  }
}

template <typename F>
void findFloored(const Lookup &of, const void *samples, size_t n, uint32_t *__restrict rows) {
  const auto *const __restrict x = static_cast<const Loose<F> *>(samples);
  const F lo = static_cast<F>(of.lo), scale = static_cast<F>(of.scale), last = static_cast<F>(of.bounds - 1);
  const F first = Float<F>::bounds(of)[0], after = Float<F>::bounds(of)[of.bounds];
  const uint32_t bins = of.bins;
  for (size_t i = 0; i < n; i++) {
    const F value = x[i];
    const F place = (value - lo) * scale;
    const F some = place > 0 ? place : 0;
    const F known = some < last ? some : last;
    const uint32_t row = static_cast<uint32_t>(static_cast<int32_t>(known)) + 1;
    const uint32_t above = value < first ? 0 : row;
    const uint32_t inside = value >= after ? bins + 1 : above;
    rows[i] = nanOf<F>(bitsOf(value)) < 0 ? bins + 2 : inside;
  }
}

/** The edges are those of core, lo + i * step, in the samples' arithmetic. */
template <typename F>
void findStepped(const Lookup &of, const void *samples, size_t n, uint32_t *__restrict rows) {
  const auto *const __restrict x = static_cast<const Loose<F> *>(samples);
  using Float = Float<F>;
  const F lo = static_cast<F>(of.lo), scale = static_cast<F>(of.scale), step = static_cast<F>(of.step);
  const F last = static_cast<F>(of.bounds - 1), after = Float::bounds(of)[of.bounds];
  const uint32_t bins = of.bins;
  for (size_t i = 0; i < n; i++) {
    const F value = x[i];
    const F place = (value - lo) * scale;
    const F some = place > 0 ? place : 0;
    const F known = (some < last ? some : last) + Float::ROUND;
    const F near = known - Float::ROUND;
    const auto edge = static_cast<uint32_t>(bitsOf(known) & Float::WHOLE);
    const uint32_t row = edge + (value >= near * step + lo ? 1 : 0);
    const uint32_t inside = value >= after ? bins + 1 : row;
    rows[i] = nanOf<F>(bitsOf(value)) < 0 ? bins + 2 : inside;
  }
}

/** The sample before a value. */
template <typename S, typename F>
inline F before(F of) {
  if constexpr (isWhole<S>) return of - 1;
  else return static_cast<F>(Float<S>::next(static_cast<S>(of), -static_cast<S>(__builtin_inf())));
}

template <typename S, typename F>
bool isExact(const Lookup &of) {
  const F *const bounds = Float<F>::bounds(of);
  constexpr uint32_t EDGES = 64;
  S samples[2 * EDGES];
  uint32_t found[2 * EDGES], wanted[2 * EDGES];
  uint32_t from = 0;
  for (uint32_t edge = 0; edge <= of.bounds;) {
    size_t n = 0;
    for (; edge <= of.bounds && n + 2 <= 2 * EDGES; edge++) {
      // Bins without values have the next one's bound.
      while (from <= of.bounds && bounds[from] < bounds[edge]) from++;
      uint32_t to = edge;
      while (to < of.bounds && bounds[to + 1] == bounds[edge]) to++;
      const auto add = [&](F value, uint32_t row) {
        if constexpr (isWhole<S>) {
          if (value < static_cast<F>(std::numeric_limits<S>::min()) || value > static_cast<F>(std::numeric_limits<S>::max())) return;
        }
        samples[n] = static_cast<S>(value);
        wanted[n++] = row > of.bounds ? of.bins + 1 : row;
      };
      add(before<S, F>(bounds[edge]), from);
      add(bounds[edge], to + 1);
    }
    of.find(of, samples, n, found);
    for (size_t i = 0; i < n; i++) {
      if (found[i] != wanted[i]) return false;
    }
  }
  if constexpr (isWhole<S>) {
    // The sample before a closed one shows whether the others are right without that exception.
    const F value = static_cast<F>(of.closed) - 1;
    if (of.closed == Lookup::NOT_CLOSED || value < static_cast<F>(std::numeric_limits<S>::min())) return true;
    uint32_t row = 0;
    while (row <= of.bounds && bounds[row] <= value) row++;
    samples[0] = static_cast<S>(value);
    of.find(of, samples, 1, found);
    return found[0] == row;
  }
  return true;
}

/** The cell of a sample on a line. NaN has any. */
template <typename F>
inline uint32_t lineCell(const Lookup &of, F value) {
  const F place = multiplied(value, static_cast<F>(of.lo), static_cast<F>(of.scale), F(0));
  const F top = static_cast<F>(of.cells - 1);
  const F some = place > F(0) ? place : F(0);
  const F known = some < top ? some : top;
  const auto cell = static_cast<uint32_t>(static_cast<int32_t>(known));
  return cell < of.cells ? cell : 0;
}

/** The cell of a sample's key. */
template <typename F>
inline uint32_t keyCell(const Lookup &of, F value) {
  const uint32_t leading = Float<F>::leading(bitsOf(value));
  const uint32_t key = leading >> 31 ? ~leading : leading | 0x80000000U;
  const uint32_t cell = ((key > of.lowest ? key : of.lowest) - of.lowest) >> of.shift;
  return cell < of.cells - 1 ? cell : of.cells - 1;
}

/** Rows from cells, by halving the rows of a cell. @param Widest the first half if the compiler knows it, else 0 */
template <typename F, uint32_t Widest>
void halved(const Lookup &of, const F *__restrict values, size_t n, uint32_t widest, uint32_t *__restrict rows) {
  const F *const bounds = Float<F>::bounds(of);
  const uint32_t *const starts = of.starts;
#pragma GCC unroll 4
  for (size_t i = 0; i < n; i++) {
    uint32_t row = starts[rows[i]];
    for (uint32_t width = Widest == 0 ? widest : Widest; width > 0; width >>= 1) {
      row += values[i] >= bounds[row + width - 1] ? width : 0;
    }
    // Numbers from memory that are collected into a vector take longer than one by one.
    asm("" : "+r"(row));
    rows[i] = row;
  }
}

template <typename S, typename F, uint32_t (*Cell)(const Lookup &, F)>
void findBySearch(const Lookup &of, const void *samples, size_t n, uint32_t *rows) {
  const auto *const x = static_cast<const Loose<S> *>(samples);
  const uint32_t bins = of.bins, widest = of.steps == 0 ? 0 : 1U << (of.steps - 1);
  const uint32_t end = of.end, missing = bins - of.bounds;
  for (size_t from = 0; from < n; from += STEP) {
    const size_t most = n - from < STEP ? n - from : STEP;
    F values[STEP];
    for (size_t i = 0; i < most; i++) {
      values[i] = static_cast<F>(x[from + i]);
      rows[from + i] = Cell(of, values[i]);
    }
    if (widest == 1) halved<F, 1>(of, values, most, 1, rows + from);
    else halved<F, 0>(of, values, most, widest, rows + from);
    for (size_t i = 0; i < most; i++) {
      // An infinite sample is at least what follows the last bound.
      const uint32_t row = rows[from + i] < end ? rows[from + i] : end;
      const uint32_t known = row > of.bounds ? row + missing : row;
      rows[from + i] = nanOf<F>(bitsOf(values[i])) < 0 ? bins + 2 : known;
    }
  }
}

template <typename F, uint32_t (*Cell)(const Lookup &, F)>
void cellsOf(const Lookup &of, uint32_t *cells) {
  const F *const bounds = Float<F>::bounds(of);
  for (uint32_t edge = 0; edge <= of.bounds; edge++) cells[edge] = Cell(of, bounds[edge]);
}

/** row = sample - start + 1 */
template <typename S>
void findDirect(const Lookup &of, const void *samples, size_t n, uint32_t *rows) {
  const auto *const x = static_cast<const Loose<S> *>(samples);
  const auto start = static_cast<S>(of.start);
  const uint32_t first = static_cast<uint32_t>(start);
  const uint32_t bins = of.bins;
  for (size_t i = 0; i < n; i++) {
    const S value = x[i];
    const uint32_t bin = static_cast<uint32_t>(value) - first;
    const uint32_t row = (bin < bins ? bin : bins) + 1;
    rows[i] = value < start ? 0 : row;
  }
}

template <typename S>
void findTable(const Lookup &of, const void *samples, size_t n, uint32_t *rows) {
  const auto *const x = static_cast<const Loose<S> *>(samples);
  if (of.rows16 != nullptr) {
    for (size_t i = 0; i < n; i++) rows[i] = of.rows16[x[i]];
  } else {
    for (size_t i = 0; i < n; i++) rows[i] = of.rows32[x[i]];
  }
}

void mix(const uint32_t *__restrict rows, size_t n, uint32_t bins, uint32_t stride, uint32_t *__restrict cells) {
  for (size_t i = 0; i < n; i++) {
    const uint32_t row = rows[i];
    const uint32_t inside = row == 0 ? bins : row - 1;
    cells[i] += (row > bins ? row : inside) * stride;
  }
}

void mixBytes(const uint8_t *__restrict bytes, size_t n, uint32_t shift, uint32_t stride, uint32_t *__restrict cells) {
  for (size_t i = 0; i < n; i++) cells[i] += static_cast<uint32_t>(bytes[i] >> shift) * stride;
}

template <typename S>
void mixDirect(const Lookup &of, const void *samples, size_t n, uint32_t stride, uint32_t *__restrict cells) {
  const auto *const __restrict x = static_cast<const Loose<S> *>(samples);
  const auto start = static_cast<S>(of.start);
  const auto first = static_cast<uint32_t>(start);
  const uint32_t bins = of.bins;
  for (size_t i = 0; i < n; i++) {
    const S value = x[i];
    const uint32_t bin = static_cast<uint32_t>(value) - first;
    const uint32_t above = bin < bins ? bin : bins + 1;
    cells[i] += (value < start ? bins : above) * stride;
  }
}

/** Numbers in the order of their bits as signed integers: those below 0 have all bits but the sign flipped. */
template <typename F>
constexpr typename Float<F>::Signed ordered(typename Float<F>::Bits bits) {
  const auto of = static_cast<typename Float<F>::Signed>(bits);
  return of < 0 ? of ^ Float<F>::MAGNITUDE : of;
}

/** The range of floats by the order of their bits, because a loop over integers may have infinities and NaN in it. */
template <typename F>
void extendFloats(const void *samples, size_t n, double *range) {
  using Signed = typename Float<F>::Signed;
  const auto *const x = static_cast<const Loose<typename Float<F>::Bits> *>(samples);
  constexpr Signed LAST = Float<F>::INFINITE, FIRST = ordered<F>(static_cast<typename Float<F>::Bits>(LAST) | ~static_cast<typename Float<F>::Bits>(Float<F>::MAGNITUDE));
  Signed least = LAST, most = FIRST;
  for (size_t i = 0; i < n; i++) {
    const Signed of = ordered<F>(x[i]);
    const bool isFinite = of > FIRST && of < LAST;
    const Signed low = isFinite ? of : LAST, high = isFinite ? of : FIRST;
    least = low < least ? low : least;
    most = high > most ? high : most;
  }
  if (most == FIRST) return;
  const auto valueOf = [](Signed of) {
    const auto bits = static_cast<typename Float<F>::Bits>(of < 0 ? of ^ Float<F>::MAGNITUDE : of);
    F value;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
  };
  if (valueOf(least) < range[0]) range[0] = valueOf(least);
  if (valueOf(most) > range[1]) range[1] = valueOf(most);
}

/** The range of integers. */
template <typename S>
void extendWhole(const void *samples, size_t n, double *range) {
  const auto *const x = static_cast<const Loose<S> *>(samples);
  if (n == 0) return;
  S least = x[0], most = x[0];
  for (size_t i = 1; i < n; i++) {
    const S value = x[i];
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  if (least < range[0]) range[0] = least;
  if (most > range[1]) range[1] = most;
}

template <typename S, typename F>
void byKeys(RowKernels &to) {
  to.compared = findCompared<S, F>;
  to.isExact = isExact<S, F>;
  if constexpr (isWhole<S>) to.between = findBetween<S, F>;
  if constexpr (isWhole<S> && sizeof(S) == 2) {
    to.scaled = findScaled<S, uint16_t, uint32_t>;
    to.shifted = findShifted<S, uint16_t>;
  }
  if constexpr (isWhole<S> && sizeof(S) == 4) {
    to.scaled = findScaled<S, uint32_t, uint64_t>;
    to.shifted = findShifted<S, uint32_t>;
  }
  to.searchLine = findBySearch<S, F, lineCell<F>>;
  to.searchKeys = findBySearch<S, F, keyCell<F>>;
  to.lineCells = cellsOf<F, lineCell<F>>;
  to.keyCells = cellsOf<F, keyCell<F>>;
}

RowKernels rowsOf(Type type, bool narrow) {
  RowKernels to{};
  to.mix = mix;
  to.mixBytes = mixBytes;
  switch (type) {
    case Type::u8:
      to.table = findTable<uint8_t>;
      to.extend = extendWhole<uint8_t>;
      break;
    case Type::i8:
      to.table = findTable<uint8_t>;
      to.extend = extendWhole<int8_t>;
      break;
    case Type::u16:
      to.direct = findDirect<uint16_t>;
      to.mixDirect = mixDirect<uint16_t>;
      to.table = findTable<uint16_t>;
      byKeys<uint16_t, float>(to);
      to.extend = extendWhole<uint16_t>;
      break;
    case Type::i16:
      to.direct = findDirect<int16_t>;
      to.mixDirect = mixDirect<int16_t>;
      to.table = findTable<uint16_t>;
      byKeys<int16_t, float>(to);
      to.extend = extendWhole<int16_t>;
      break;
    case Type::u32:
      to.direct = findDirect<uint32_t>;
      to.mixDirect = mixDirect<uint32_t>;
      byKeys<uint32_t, double>(to);
      to.extend = extendWhole<uint32_t>;
      break;
    case Type::i32:
      to.direct = findDirect<int32_t>;
      to.mixDirect = mixDirect<int32_t>;
      byKeys<int32_t, double>(to);
      to.extend = extendWhole<int32_t>;
      break;
    case Type::f32:
      if (narrow) byKeys<float, float>(to);
      else byKeys<float, double>(to);
      to.wide = findWide;
      to.floored = findFloored<float>;
      to.stepped = findStepped<float>;
      to.extend = extendFloats<float>;
      break;
    case Type::f64:
      byKeys<double, double>(to);
      to.floored = findFloored<double>;
      to.stepped = findStepped<double>;
      to.extend = extendFloats<double>;
      break;
  }
  return to;
}

}  // namespace
}  // namespace polybin
