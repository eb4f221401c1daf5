// Pixels on the device in the form that kernels take.
#pragma once
#include <algorithm>

#include "generated/messages.h"
#include "kernels/polybin.cuh"

namespace polybin {

/** The selected channels of pixels on the device. */
inline Pixels pixelsOf(const void *data, uint64_t count, const Wanted &wanted) {
  Pixels all{};
  all.data = data;
  all.count = count;
  all.interleaved = wanted.interleaved;
  all.channels = wanted.channels.size;
  std::copy(std::begin(wanted.channels.of), std::end(wanted.channels.of), all.channel);
  return all;
}

}  // namespace polybin
