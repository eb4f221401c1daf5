// Fills one Boost.Histogram axis with the doubles of standard input and prints all its cells in one line: the bins,
// then underflow (0 if the axis has none), then overflow. NaN is in overflow (Boost.Histogram 1.74).
//
// Usage: axes KIND NUMBERS… < doubles, with NUMBERS as below. axes.py compiles and runs it.
#include <boost/histogram.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bh = boost::histogram;

template <typename Axis>
void fill(Axis axis, bool asInteger = false) {
  auto counted = bh::make_histogram(axis);
  for (double value; std::fread(&value, sizeof value, 1, stdin) == 1;) {
    if (asInteger) counted(static_cast<int>(value));
    else counted(value);
  }
  const int bins = axis.size();
  for (int i = 0; i < bins; i++) std::printf("%.0f ", static_cast<double>(counted.at(i)));
  const bool hasUnderflow = bh::axis::traits::options(axis) & bh::axis::option::underflow;
  const bool hasOverflow = bh::axis::traits::options(axis) & bh::axis::option::overflow;
  std::printf("%.0f %.0f\n", hasUnderflow ? static_cast<double>(counted.at(-1)) : 0,
              hasOverflow ? static_cast<double>(counted.at(bins)) : 0);
}

int main(int count, char **words) {
  const std::string kind = words[1];
  std::vector<double> of;
  for (int i = 2; i < count; i++) of.push_back(std::strtod(words[i], nullptr));
  const auto bins = static_cast<unsigned>(of[0]);
  namespace axis = bh::axis;
  if (kind == "regular") fill(axis::regular<>(bins, of[1], of[2]));
  else if (kind == "log") fill(axis::regular<double, axis::transform::log>(bins, of[1], of[2]));
  else if (kind == "power") fill(axis::regular<double, axis::transform::pow>(axis::transform::pow(of[3]), bins, of[1], of[2]));
  else if (kind == "circular") fill(axis::circular<>(bins, of[1], of[2]));
  else if (kind == "variable") fill(axis::variable<>(of));
  else if (kind == "boolean") fill(axis::category<int>({0, 1}), true);
  else if (kind == "category") fill(axis::category<int>(std::vector<int>(of.begin(), of.end())), true);
  else return 1;
}
