#include "joint.h"

#include <algorithm>
#include <chrono>

#include "checks.h"
#include "generated/limits.cuh"
#include "memory/source.h"
#include "pixels.h"
#include "platform/failure.h"

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
void Joiner::launch(const JointShape &shape, const Joint &joint, Pieces &pieces) {
  const CountShape &count = shape.count;
  const CountKernel &kernel = countKernel(count.algorithm);
  const cudaStream_t stream = pieces.stream;
  if (shape.direct) {
    return pieces.checkQueued(kernel.columns(joint, count.plan, count.own.bytes, stream), kernel.slug);
  }
  auto *const cells = static_cast<uint32_t *>(cells_.memory());
  for (uint64_t first = 0; first < joint.count; first += limits::JOINT_CELLS) {
    const uint64_t many = std::min<uint64_t>(limits::JOINT_CELLS, joint.count - first);
    pieces.checkQueued(writeCells(joint, first, static_cast<uint32_t>(many), cells, stream), "cells");
    // There may be more launches than fit behind the gate.
    pieces.gate().open();
    pad(cells, many * sizeof(uint32_t), stream);
    if (kernel.codes != nullptr) {
      const Codes codes{cells, many, false, 0, joint.counts, static_cast<uint32_t *>(partials_.memory())};
      pieces.checkQueued(kernel.codes(codes, count.plan, count.own.bytes, stream), kernel.slug);
      continue;
    }
    Pixels pixels = pixelsOf(cells, many, count.wanted);
    pixels.counts = joint.counts;
    const Lowering lowering{count.lowering.numbers, 0, nullptr, nullptr, nullptr, nullptr};
    pieces.checkQueued(kernel.samples(pixels, lowering, count.plan, count.own.bytes, stream), kernel.slug);
  }
}

JointCounted Joiner::count(const JointJob &job, const std::vector<const uint8_t *> &residents, Pieces &pieces) {
  Pieces::Drain drain(pieces);
  struct Wait {
    Carrier &of;
    ~Wait() { of.drop(); }
  } wait{carrier_};
  const JointShape &shape = job.shape;
  const Plan &plan = shape.count.plan;
  const cudaStream_t stream = pieces.stream;
  const auto start = std::chrono::steady_clock::now();
  const bool isListed = job.where.data != nullptr;
  const uint64_t pixels = job.sources[0].pixels, samples = isListed ? job.where.size : pixels;
  const size_t size = size_t{plan.cells} + limits::FLOW_ROWS;
  auto *const counts = static_cast<Count *>(counts_.reserve((size + 1) * sizeof(Count)));
  auto *const masked = static_cast<Count *>(masked_.reserve(sizeof(Count)));
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
  std::vector<Read> reads;
  for (uint32_t k = 0; k < joint.columns; k++) {
    const ColumnShape &of = shape.columns[k];
    joint.column[k] = {nullptr, of.wanted.interleaved, of.wanted.channels.of[0],
                       of.extent, of.stride, lowerings_[k].toDevice(of.lowering, stream)};
  }
  for (size_t i = 0; i < job.sources.size(); i++) reads.push_back({job.sources[i], residents[i], 1});
  if (shape.mask != MaskKind::none) reads.push_back({job.mask, residents.back(), joint.maskBits ? byteBits : 1});
  const auto place = [&](const std::vector<const void *> &at) {
    for (uint32_t k = 0; k < joint.columns; k++) joint.column[k].data = at[job.sourceOf.of[k]];
    joint.mask = shape.mask == MaskKind::none ? nullptr : static_cast<const uint8_t *>(at.back());
  };
  if (isListed) {
    place({residents.begin(), residents.end()});
    const Source list = wordsOf(job.where);
    pieces.each({{list, nullptr, 1}}, shape.count.launchPixels, job.control,
                [&](const std::vector<const void *> &at, uint64_t many) {
                  joint.list = static_cast<const uint32_t *>(at[0]);
                  joint.count = many;
                  launch(shape, joint, pieces);
                });
  } else {
    pieces.each(reads, shape.count.launchPixels, job.control, [&](const std::vector<const void *> &at, uint64_t many) {
      place(at);
      joint.count = many;
      launch(shape, joint, pieces);
    });
  }
  carrier_.bring(counts, plan.cells, true, job.into, 0, stream, copiers_);
  check(cudaMemcpyAsync(masked, joint.masked, sizeof(Count), cudaMemcpyDeviceToHost, stream), "a copy");
  carrier_.settle();
  check(cudaStreamSynchronize(stream), shape.count.algorithm.c_str());
  pieces.settleAll(job.control);
  checkGoesOn(job.control);
  drain.done();
  JointCounted counted;
  counted.masked = *masked;
  counted.kernelMs = pieces.kernelMs();
  const bool isThere = std::all_of(residents.begin(), residents.end(), [](auto *at) { return at != nullptr; });
  if (!isThere || isListed) {
    counted.uploadMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  return counted;
}

void Joiner::release() {
  for (LoweringArrays &of : lowerings_) of.release();
  for (Buffer *of : {&counts_, &cells_, &partials_, &masked_}) of->release();
  carrier_.release();
  copiers_.stop();
}

}  // namespace polybin
