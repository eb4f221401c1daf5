#include "joint.h"

#include <algorithm>

#include "generated/limits.cuh"
#include "memory/source.h"
#include "pixels.h"
#include "platform/cuda-errors.h"

namespace polybin {
namespace {

/** Pixels whose mask lies in a byte, if it has a bit for each. */
constexpr uint32_t byteBits = 8;

/** Words as pixels of four bytes. */
Source wordsOf(const Words &words) {
  Source of = rowOf(reinterpret_cast<const uint8_t *>(words.data), words.size * sizeof(uint32_t));
  of.pixelBytes = sizeof(uint32_t);
  of.pixels = of.width = words.size;
  return of;
}

/** The most words of cells that are written at a time. */
uint64_t cellsAtOnce(const JointShape &shape, uint64_t samples) {
  return shape.direct ? 0 : std::min<uint64_t>(limits::JOINT_CELLS, samples);
}

}  // namespace

/** Counts samples that lie on the device. */
void Joiner::launch(const JointShape &shape, const Joint &joint) {
  const CountShape &count = shape.count;
  const CountKernel &kernel = countKernel(count.algorithm);
  const cudaStream_t stream = pieces_.stream;
  if (shape.direct) {
    return pieces_.gate.check(kernel.columns(joint, count.plan, count.own.bytes, stream), kernel.slug);
  }
  auto *const cells = static_cast<uint32_t *>(cells_.memory());
  for (uint64_t first = 0; first < joint.count; first += limits::JOINT_CELLS) {
    const uint64_t many = std::min<uint64_t>(limits::JOINT_CELLS, joint.count - first);
    pieces_.gate.check(writeCells(joint, first, static_cast<uint32_t>(many), cells, stream), "cells");
    // There may be more launches than fit behind the gate.
    pieces_.gate.open();
    pad(cells, many * sizeof(uint32_t), stream);
    if (kernel.codes != nullptr) {
      const Codes codes{cells, many, false, 0, joint.counts, static_cast<uint32_t *>(partials_.memory()), false};
      pieces_.gate.check(kernel.codes(codes, count.plan, count.own.bytes, stream), kernel.slug);
      continue;
    }
    Pixels pixels = pixelsOf(cells, many, count.wanted);
    pixels.counts = joint.counts;
    const Lowering lowering{count.lowering.numbers, 0, nullptr, nullptr, nullptr, nullptr};
    pieces_.gate.check(kernel.samples(pixels, lowering, count.plan, count.own.bytes, stream), kernel.slug);
  }
}

JointCounted Joiner::count(const JointJob &job, const Residents &residents) {
  const JointShape &shape = *job.shape;
  const Plan &plan = shape.count.plan;
  const cudaStream_t stream = pieces_.stream;
  const bool isListed = job.where.data != nullptr, isMasked = shape.mask != MaskKind::none;
  const uint64_t samples = isListed ? job.where.size : job.sources[0].pixels;
  const size_t size = size_t{plan.cells} + limits::FLOW_ROWS;
  auto *const counts = static_cast<Count *>(counts_.reserve((size + 1) * sizeof(Count)));
  check(cudaMemsetAsync(counts, 0, (size + 1) * sizeof(Count), stream), "cudaMemset");
  cells_.reserve(cellsAtOnce(shape, samples) * sizeof(uint32_t) + limits::GPU_PADDING_BYTES);
  partials_.reserve(size_t{plan.partials} * plan.cellsPerPass * sizeof(uint32_t));

  Joint joint{};
  joint.columns = static_cast<uint32_t>(shape.columns.size());
  joint.offset = shape.offset;
  joint.cells = plan.cells;
  joint.maskBits = shape.mask == MaskKind::bits;
  joint.counts = counts;
  joint.masked = counts + size;
  for (uint32_t k = 0; k < joint.columns; k++) {
    const ColumnShape &of = shape.columns[k];
    joint.column[k] = {nullptr, of.wanted.interleaved, of.wanted.channels.of[0],
                       of.extent, of.stride, lowerings_[k].toDevice(of.lowering, stream)};
  }
  Reads reads;
  for (const Source &source : job.sources) reads.push_back({source, residents.at(source)});
  if (isMasked) reads.push_back({job.mask, residents.at(job.mask), joint.maskBits ? byteBits : 1});
  const auto count = [&](const auto &at, uint64_t many) {
    for (uint32_t k = 0; k < joint.columns; k++) joint.column[k].data = at(job.sourceOf.of[k]);
    if (isMasked) joint.mask = static_cast<const uint8_t *>(at(reads.size() - 1));
    joint.count = many;
    launch(shape, joint);
  };
  const Source list = wordsOf(job.where);
  // With a list, everything else lies on the device.
  pieces_.each(isListed ? Reads{{list, nullptr}} : reads, shape.count.launchPixels,
               [&](const auto &data, uint64_t many, bool) {
                 if (isListed) joint.list = static_cast<const uint32_t *>(data[0]);
                 count([&](size_t i) { return isListed ? reads[i].resident : data[i]; }, many);
               });
  double masked = 0;
  const Written place{reinterpret_cast<uint8_t *>(&masked), sizeof masked, true};
  pieces_.bring({{counts, plan.cells, Lies::u64, job.into}, {joint.masked, 1, Lies::u64, place}});
  pieces_.finish(shape.count.algorithm.c_str());
  return {pieces_.times(), static_cast<uint64_t>(masked)};
}

}  // namespace polybin
