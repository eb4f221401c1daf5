// Fills a Boost.Histogram and prints its cells. joint.py compiles and runs it.
//
// Input, words: the number of axes, then each axis; the number of rows, then each row.
//   regular BINS LO HI | circular BINS LO HI | variable EDGES E… | integer START STOP | category VALUES V… | boolean
//   then the number of weights, none or one per row, and the weights.
// Output, words: the number of indices along each axis, flow included, then the cells with the last axis fastest. Without
// weights, a cell is its count. With weights, these are the sum of the weights and of their squares of each cell, and then
// count, mean and variance of the weights of each cell.
#include <boost/histogram.hpp>
#include <iostream>
#include <string>
#include <vector>

namespace bh = boost::histogram;

using Regular = bh::axis::regular<>;
using Circular = bh::axis::circular<>;
using Variable = bh::axis::variable<>;
using Integer = bh::axis::integer<double>;
using Category = bh::axis::category<int>;
using Boolean = bh::axis::boolean<>;
using Axis = bh::axis::variant<Regular, Circular, Variable, Integer, Category, Boolean>;

/// Reads a number, which may be nan, inf or -inf.
double number() {
  std::string word;
  std::cin >> word;
  return std::stod(word);
}

int whole() { return static_cast<int>(number()); }

template <class T>
std::vector<T> list() {
  std::vector<T> values(whole());
  for (T &value : values) value = static_cast<T>(number());
  return values;
}

Axis axis() {
  std::string type;
  std::cin >> type;
  if (type == "boolean") return Boolean();
  if (type == "variable") return Variable(list<double>());
  if (type == "category") return Category(list<int>());
  if (type == "integer") {
    const int start = whole();
    return Integer(start, whole());
  }
  const int bins = whole();
  const double lo = number();
  const double hi = number();
  if (type == "circular") return Circular(bins, lo, hi);
  return Regular(bins, lo, hi);
}

/// Calls `print` with each cell, flow included.
template <class Histogram, class Print>
void each_cell(const Histogram &histogram, Print print) {
  std::vector<int> index;
  histogram.for_each_axis([&](const auto &one) {
    index.push_back(bh::axis::traits::options(one) & bh::axis::option::underflow ? -1 : 0);
  });
  const std::vector<int> first = index;
  for (;;) {
    print(histogram.at(index));
    std::size_t k = index.size();
    while (k > 0 && ++index[k - 1] == first[k - 1] + bh::axis::traits::extent(histogram.axis(k - 1))) {
      index[k - 1] = first[k - 1];
      k--;
    }
    if (k == 0) return;
  }
}

int main() {
  std::cout.precision(17);
  std::vector<Axis> axes(whole());
  for (Axis &one : axes) one = axis();
  std::vector<std::vector<double>> columns(axes.size(), std::vector<double>(whole()));
  for (std::size_t row = 0; row < columns[0].size(); row++) {
    for (auto &column : columns) column[row] = number();
  }
  const std::vector<double> weights = list<double>();
  for (const Axis &one : axes) std::cout << bh::axis::traits::extent(one) << ' ';
  if (weights.empty()) {
    auto counts = bh::make_histogram_with(std::vector<long>(), axes);
    counts.fill(columns);
    each_cell(counts, [](long count) { std::cout << count << ' '; });
    return 0;
  }
  auto sums = bh::make_histogram_with(bh::weight_storage(), axes);
  sums.fill(columns, bh::weight(weights));
  each_cell(sums, [](const auto &cell) { std::cout << cell.value() << ' ' << cell.variance() << ' '; });
  auto profile = bh::make_histogram_with(bh::profile_storage(), axes);
  profile.fill(columns, bh::sample(weights));
  each_cell(profile, [](const auto &cell) {
    std::cout << cell.count() << ' ' << cell.value() << ' ' << cell.variance() << ' ';
  });
}
