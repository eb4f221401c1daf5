// Finds the rows of samples. Each of rows-*.cc compiles these loops for one set of instructions. They have no branches
// that depend on the data, so that a compiler makes vectors of them. All names are local to the file, because a linker
// may keep only one of several equal names.
//
//   samples   x x x x …            as they lie in memory, of any alignment
//   place     (x - lo) * scale + 1    an even axis: 1 is the first edge, bounds + 1 the last
//   row       0 | 1 … bins | bins + 1 | bins + 2
//
// Places grow with the samples, as each of their operations does. So the places of the first and of the last sample of
// each bin show how far a place errs at most, and that is computed beforehand. A sample whose place is farther from a
// whole number than that is right by arithmetic. Near a whole number, one comparison with that edge decides.
//
// The compiler may assume that no sample is NaN, which lets it use the instructions for a minimum. So only integers tell
// NaN apart.
//
// Bound: one increment of a counter takes as long as finding a row.
// Source: polybin, "exact by exception".
#include <cstring>

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

/** Samples that are looked at together: one near an edge makes all of them compare. */
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
  F lo, scale, slack;
  explicit Line(const Lookup &of)
      : lo(static_cast<F>(of.lo)), scale(static_cast<F>(of.scale)), slack(static_cast<F>(of.slack)) {}
  F place(F x) const { return multiplied(x, lo, scale, F(1)); }
};

/** The sign is set if a sample is NaN. */
template <typename F>
inline typename Float<F>::Signed nanOf(typename Float<F>::Bits bits) {
  using Float = Float<F>;
  return Float::INFINITE - static_cast<typename Float::Signed>(bits & Float::MAGNITUDE);
}

/** Rows by comparing every sample with the edge next to its place. */
template <typename S, typename F>
inline void compared(const Lookup &of, const Loose<S> *__restrict x, size_t n, uint32_t *__restrict rows) {
  const Line<F> line(of);
  const F *__restrict bounds = Float<F>::bounds(of);
  const F top = static_cast<F>(of.bounds + 1);
  const uint32_t last = of.bounds, nan = of.bins + 2;
  for (size_t i = 0; i < n; i++) {
    const F value = static_cast<F>(x[i]);
    const F place = line.place(value);
    const F some = place > F(1) ? place : F(1);
    const F known = some < top ? some : top;
    const auto near = static_cast<uint32_t>(bitsOf(known + Float<F>::ROUND) & Float<F>::WHOLE) - 1;
    // NaN has any place.
    const uint32_t edge = near < last ? near : last;
    const uint32_t row = edge + (value >= bounds[edge] ? 1 : 0);
    rows[i] = nanOf<F>(bitsOf(value)) < 0 ? nan : row;
  }
}

/** Rows by arithmetic. @returns whether a sample is too near to an edge for that, or NaN */
template <typename S, typename F>
inline bool near(const Lookup &of, const Loose<S> *__restrict x, size_t n, uint32_t *__restrict rows) {
  const Line<F> line(of);
  const F most = static_cast<F>(of.bounds) + F(1.5);
  const F closed = static_cast<F>(of.closed);
  typename Float<F>::Signed nan = 0;
  F closest = 1;
  for (size_t i = 0; i < n; i++) {
    const F value = static_cast<F>(x[i]);
    const F place = line.place(value);
    const F some = place > F(0.5) ? place : F(0.5);
    const F known = some < most ? some : most;
    const F distance = Float<F>::size(known - ((known + Float<F>::ROUND) - Float<F>::ROUND));
    closest = distance < closest ? distance : closest;
    if constexpr (!isWhole<S>) nan |= nanOf<F>(bitsOf(value));
    const auto row = static_cast<uint32_t>(static_cast<int32_t>(known));
    rows[i] = isWhole<S> && value == closed ? row - 1 : row;
  }
  return closest <= line.slack || nan < 0;
}

template <typename S, typename F>
void findNearLine(const Lookup &of, const void *samples, size_t n, uint32_t *rows) {
  const auto *const x = static_cast<const Loose<S> *>(samples);
  size_t i = 0;
  for (; i + STEP <= n; i += STEP) {
    if (near<S, F>(of, x + i, STEP, rows + i)) break;
  }
  // The neighbours of a sample near an edge are often near one too.
  compared<S, F>(of, x + i, n - i, rows + i);
}

template <typename S, typename F>
void findLine(const Lookup &of, const void *samples, size_t n, uint32_t *rows) {
  compared<S, F>(of, static_cast<const Loose<S> *>(samples), n, rows);
}

/** The sample before a value. */
template <typename S, typename F>
inline F before(F of) {
  if constexpr (isWhole<S>) return of - 1;
  else return static_cast<F>(Float<S>::next(static_cast<S>(of), -static_cast<S>(__builtin_inf())));
}

template <typename S, typename F>
void placesOf(const Lookup &of, double *below, double *above) {
  const Line<F> line(of);
  const F *const bounds = Float<F>::bounds(of);
  for (uint32_t edge = 0; edge <= of.bounds; edge++) {
    below[edge] = line.place(before<S, F>(bounds[edge]));
    above[edge] = line.place(bounds[edge]);
  }
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
  const uint32_t cell = ((key > of.base ? key : of.base) - of.base) >> of.shift;
  return cell < of.cells - 1 ? cell : of.cells - 1;
}

template <typename S, typename F, uint32_t (*Cell)(const Lookup &, F)>
void findBySearch(const Lookup &of, const void *samples, size_t n, uint32_t *rows) {
  const auto *const x = static_cast<const Loose<S> *>(samples);
  const F *const bounds = Float<F>::bounds(of);
  const uint32_t bins = of.bins, steps = of.steps;
  const uint32_t end = of.end, missing = bins - of.bounds;
  for (size_t from = 0; from < n; from += STEP) {
    const size_t most = n - from < STEP ? n - from : STEP;
    F values[STEP];
    for (size_t i = 0; i < most; i++) {
      values[i] = static_cast<F>(x[from + i]);
      rows[from + i] = of.starts[Cell(of, values[i])];
    }
    for (uint32_t step = steps; step-- > 0;) {
      const uint32_t width = 1U << step;
      for (size_t i = 0; i < most; i++) {
        const uint32_t row = rows[from + i];
        rows[from + i] = row + (values[i] >= bounds[row + width - 1] ? width : 0);
      }
    }
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
  to.nearLine = findNearLine<S, F>;
  to.line = findLine<S, F>;
  to.searchLine = findBySearch<S, F, lineCell<F>>;
  to.searchKeys = findBySearch<S, F, keyCell<F>>;
  to.places = placesOf<S, F>;
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
      to.table = findTable<uint16_t>;
      byKeys<uint16_t, float>(to);
      to.extend = extendWhole<uint16_t>;
      break;
    case Type::i16:
      to.direct = findDirect<int16_t>;
      to.table = findTable<uint16_t>;
      byKeys<int16_t, float>(to);
      to.extend = extendWhole<int16_t>;
      break;
    case Type::u32:
      to.direct = findDirect<uint32_t>;
      byKeys<uint32_t, double>(to);
      to.extend = extendWhole<uint32_t>;
      break;
    case Type::i32:
      to.direct = findDirect<int32_t>;
      byKeys<int32_t, double>(to);
      to.extend = extendWhole<int32_t>;
      break;
    case Type::f32:
      if (narrow) byKeys<float, float>(to);
      else byKeys<float, double>(to);
      to.extend = extendFloats<float>;
      break;
    case Type::f64:
      byKeys<double, double>(to);
      to.extend = extendFloats<double>;
      break;
  }
  return to;
}

}  // namespace
}  // namespace polybin
