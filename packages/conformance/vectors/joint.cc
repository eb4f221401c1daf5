// Fills a Boost.Histogram and prints its cells. joint.py compiles and runs it.
//
// Input, words: the number of axes, then each axis; the number of rows, then each row.
//   regular BINS LO HI | circular BINS LO HI | variable EDGES E… | integer START STOP | category VALUES V… | boolean
// Output, words: the number of indices along each axis, flow included, then the cells with the last axis fastest.
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
  for (T& value : values) value = static_cast<T>(number());
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

int main() {
  std::vector<Axis> axes(whole());
  for (Axis& one : axes) one = axis();
  auto histogram = bh::make_histogram_with(std::vector<long>(), axes);
  std::vector<std::vector<double>> columns(axes.size(), std::vector<double>(whole()));
  for (std::size_t row = 0; row < columns[0].size(); row++) {
    for (auto& column : columns) column[row] = number();
  }
  histogram.fill(columns);
  std::vector<int> index;
  for (const Axis& one : axes) {
    std::cout << bh::axis::traits::extent(one) << ' ';
    index.push_back(bh::axis::traits::options(one) & bh::axis::option::underflow ? -1 : 0);
  }
  const std::vector<int> first = index;
  for (;;) {
    std::cout << histogram.at(index) << ' ';
    std::size_t k = axes.size();
    while (k > 0 && ++index[k - 1] == first[k - 1] + bh::axis::traits::extent(axes[k - 1])) {
      index[k - 1] = first[k - 1];
      k--;
    }
    if (k == 0) break;
  }
}
