// The samples that a workgroup of per-segment counts, and the place of its counts.
//
//   samples   | segment 0 | segment 1      | 2 |       a part: up to partSamples samples of a segment; short ones have one
//   parts     | 0         | 1      | 2     | 3 |
//   counts    [row * rowBins + bin], and from params.flowAt on [row * 3 + underflow, overflow, NaN]
//   scratch   three words per listed part: row, first pixel, pixels

override THREADS: u32;
override INTERLEAVED: u32;
// Whether params.cut gives the segments. Otherwise all samples are one segment, and block.z is the counted channel.
override SEGMENTED: bool;
override RANKED: bool;
// The position in the pixel of each channel, if all samples are one segment.
override CHANNEL_0: u32;
override CHANNEL_1: u32;
override CHANNEL_2: u32;
override CHANNEL_3: u32;

const EVERY = 0u;
const LISTED = 1u;
const TILES = 2u;

struct Part {
  row: u32,
  // Pixel 0 of the segment, and the range of its pixels that is counted.
  start: u32,
  first: u32,
  end: u32,
  // The width of a tile's row, and the distance to the next row. A width of 0 means that the segment is no tile.
  width: u32,
  pitch: u32,
}

fn partCount() -> u32 {
  if (SEGMENTED) {
    return params.parts;
  }
  return (params.count / INTERLEAVED + params.partSamples - 1u) / params.partSamples;
}

fn partOf(number: u32) -> Part {
  if (!SEGMENTED) {
    let first = number * params.partSamples;
    return Part(0u, 0u, first, first + min(params.partSamples, params.count / INTERLEAVED - first), 0u, 0u);
  }
  if (params.cut == LISTED) {
    return Part(scratch[3u * number], scratch[3u * number + 1u], 0u, scratch[3u * number + 2u], 0u, 0u);
  }
  let segment = number / params.partsEach;
  var part = Part(params.firstRow + segment, 0u, 0u, 0u, 0u, 0u);
  var pixels: u32;
  if (params.cut == TILES) {
    let tile = params.firstTile + segment;
    let x = tile % params.columns * params.width;
    let y = tile / params.columns * params.height;
    let across = min(params.width, params.imageWidth - x);
    part.start = params.start + y * params.imageWidth + x;
    part.width = select(across, 0u, across == params.imageWidth);
    part.pitch = params.imageWidth;
    pixels = across * min(params.height, params.imageHeight - y);
  } else {
    part.start = params.start + segment * params.every;
    pixels = min(params.every, params.count / INTERLEAVED - part.start);
  }
  part.first = min(pixels, number % params.partsEach * params.partSamples);
  part.end = part.first + min(params.partSamples, pixels - part.first);
  return part;
}

fn pixelOf(part: Part, i: u32) -> u32 {
  if (part.width == 0u) {
    return part.start + i;
  }
  return part.start + i / part.width * part.pitch + i % part.width;
}

// The samples before the first aligned vector, then the vectors. The kernel reads the remaining samples one at a time.
// If there are no vectors, it reads all samples that way.
struct Vectors {
  head: u32,
  count: u32,
}

fn vectorsOf(part: Part) -> Vectors {
  let left = part.end - part.first;
  // If there is less than one vector per thread, reading the samples one at a time is faster.
  if (INTERLEAVED != 1u || left < MANY * THREADS) {
    return Vectors(0u, 0u);
  }
  if (part.width != 0u) {
    let aligned = (part.width | part.pitch | part.start | part.first) % MANY == 0u;
    return Vectors(0u, select(0u, left / MANY, aligned));
  }
  let head = (MANY - (part.start + part.first) % MANY) % MANY;
  return Vectors(head, (left - head) / MANY);
}

fn vectorAt(part: Part, run: Vectors, i: u32) -> u32 {
  return pixelOf(part, part.first + run.head + i * MANY) / MANY;
}

fn singleAt(part: Part, run: Vectors, i: u32, channel: u32) -> Bits {
  let at = pixelOf(part, part.first + select(i + run.count * MANY, i, i < run.head));
  return bitsAt(at * INTERLEAVED + channel);
}

// Returns the position of the counted channel in the pixel.
fn channelOf(block: vec3<u32>) -> u32 {
  if (SEGMENTED) {
    return params.channel;
  }
  switch (block.z) {
    case 1u: { return CHANNEL_1; }
    case 2u: { return CHANNEL_2; }
    case 3u: { return CHANNEL_3; }
    default: { return CHANNEL_0; }
  }
}

// The first part of a workgroup, and the distance to its next part.
fn firstPart(block: vec3<u32>, blocks: vec3<u32>) -> u32 {
  return select(block.x, block.y * blocks.x + block.x, SEGMENTED);
}

fn partStride(blocks: vec3<u32>) -> u32 {
  return select(blocks.x, blocks.y * blocks.x, SEGMENTED);
}

// Stores the count of a table's row, which is a raw value or a rank.
fn put(row: u32, found: u32, amount: u32, block: vec3<u32>) {
  var cell = found;
  if (RANKED) {
    cell = select(select(found, found - 1u, found <= params.cells), params.cells, found == 0u);
  }
  if (!SEGMENTED) {
    if (amount != 0u) {
      atomicAdd(&counts[block.z * (params.cells + 3u) + cell], amount);
    }
    return;
  }
  if (!RANKED && params.coded != 0u) {
    cell = lookup[cell];
  }
  let isBin = cell < params.rowBins;
  let to = select(params.flowAt + row * 3u + (cell - params.rowBins), row * params.rowBins + cell, isBin);
  if (params.adds == 0u) {
    atomicStore(&counts[to], amount);
  } else if (amount != 0u) {
    atomicAdd(&counts[to], amount);
  }
}
