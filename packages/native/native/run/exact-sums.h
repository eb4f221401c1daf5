// Exact sums of doubles, one for each cell.
//
//   sum = Σ limb[j] * 2^(32 * j - 1074)      limbs of 64 bits, so that carries are made from time to time only
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace polybin {

class ExactSums {
 public:
  explicit ExactSums(size_t cells) : cells_(cells) {}

  /** Adds whole * 2^exponent, which has no bit that a double could not have. */
  void add(size_t cell, int64_t whole, int32_t exponent);
  /** Adds a finite number. */
  void add(size_t cell, double number);
  void add(const ExactSums &);
  /**
   * The number of limbs that some cell has, their exponents, and then the limbs of all cells from the lowest exponent on.
   * They are whole numbers of at most 2^31.
   */
  void write(std::vector<double> &to, size_t cells);

 private:
  static constexpr int32_t LIMB_BITS = 32, LOWEST = -1074;
  /** Additions after which a limb may be full. */
  static constexpr uint64_t MOST_ADDENDS = uint64_t{1} << 29;

  int64_t *limb(size_t j);
  void added(uint64_t addends);
  void carry();

  const size_t cells_;
  uint64_t addends_ = 0;
  /** Those that no cell has are empty. */
  std::array<std::vector<int64_t>, 70> limbs_;
};

}  // namespace polybin
