#include "cutting.h"

#include <algorithm>

namespace polybin {

/** For `every` and `offsets`: the first pixel of a segment, or the end of the last one. */
uint64_t Cutting::start(uint64_t segment) const {
  if (job_.cut == Cut::every) return std::min(job_.pixels, segment * job_.every);
  return static_cast<uint64_t>(job_.offsets.data[segment - job_.first]);
}

Span Cutting::pixelsOf(Span of) const {
  if (of.first == of.end) return {0, 0};
  if (job_.cut != Cut::tiles) return {start(of.first), start(of.end)};
  const uint64_t bottom = std::min(job_.imageHeight, ((of.end - 1) / job_.columns + 1) * job_.height);
  return {of.first / job_.columns * job_.height * job_.imageWidth, bottom * job_.imageWidth};
}

Span Cutting::segmentsOf(Span pixels, Span among) const {
  if (pixels.first == pixels.end) return {among.first, among.first};
  Span found{0, 0};
  if (job_.cut == Cut::every) {
    found = {pixels.first / job_.every, (pixels.end - 1) / job_.every + 1};
  } else if (job_.cut == Cut::offsets) {
    const double *const offsets = job_.offsets.data, *const last = offsets + job_.segments;
    found.first = std::upper_bound(offsets, last, static_cast<double>(pixels.first)) - offsets;
    found.first = job_.first + (found.first == 0 ? 0 : found.first - 1);
    found.end = job_.first + (std::lower_bound(offsets, last, static_cast<double>(pixels.end)) - offsets);
  } else {
    const auto rowOf = [&](uint64_t pixel) { return pixel / job_.imageWidth / job_.height; };
    found = {rowOf(pixels.first) * job_.columns, (rowOf(pixels.end - 1) + 1) * job_.columns};
  }
  found.first = std::clamp(found.first, among.first, among.end);
  found.end = std::clamp(found.end, found.first, among.end);
  return found;
}

Span Cutting::next(uint64_t from, uint64_t most) const {
  const uint64_t end = job_.first + job_.segments;
  if (job_.cut == Cut::tiles && most >= job_.columns) most -= (from + most) % job_.columns;
  return {from, std::min(end, from + most)};
}

Segments Cutting::described(Span of, uint64_t partSamples) const {
  Segments to{};
  to.cut = job_.cut;
  to.first = of.first;
  to.count = static_cast<uint32_t>(of.size());
  to.pixels = job_.pixels;
  to.every = job_.every;
  to.width = job_.width;
  to.height = job_.height;
  to.columns = job_.columns;
  to.imageWidth = job_.imageWidth;
  to.imageHeight = job_.imageHeight;
  to.partSamples = partSamples;
  to.partsEach = static_cast<uint32_t>(std::max<uint64_t>(1, (job_.longest + partSamples - 1) / partSamples));
  to.parts = of.size() * to.partsEach;
  return to;
}

std::vector<uint64_t> Cutting::offsetsOf(Span of) const {
  const double *const from = job_.offsets.data + (of.first - job_.first);
  return {from, from + of.size() + 1};
}

Parts partsOf(const std::vector<uint64_t> &offsets, uint64_t partSamples) {
  Parts parts;
  for (size_t i = 0; i + 1 < offsets.size(); i++) {
    parts.before.push_back(static_cast<uint32_t>(parts.segmentOf.size()));
    const uint64_t many = std::max<uint64_t>(1, (offsets[i + 1] - offsets[i] + partSamples - 1) / partSamples);
    parts.segmentOf.insert(parts.segmentOf.end(), many, static_cast<uint32_t>(i));
  }
  return parts;
}

}  // namespace polybin
