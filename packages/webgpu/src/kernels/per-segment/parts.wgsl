// Which samples a workgroup of per-segment counts, and where it leaves what it found.
//
//   samples   | segment 0 | segment 1      | 2 |       a part: up to so many samples of a segment, all of a short one
//   parts     | 0         | 1      | 2     | 3 |
//   counts    [row * rowBins + bin], and from params.flowAt on [row * 3 + underflow, overflow, NaN]
//   scratch   of listed parts three words each: row, first pixel, pixels

override THREADS: u32;
override INTERLEAVED: u32;
// Where params.cut says how: else all samples are one segment, and block.z is the channel that is counted.
override SEGMENTED: bool;
override RANKED: bool;
// Where all samples are one segment: for each channel its place in the pixel.
override CHANNEL_0: u32;
override CHANNEL_1: u32;
override CHANNEL_2: u32;
override CHANNEL_3: u32;

const EVERY = 0u;
const LISTED = 1u;
const TILES = 2u;

struct Part {
  row: u32,
  // Pixel 0 of the segment, and of its pixels those that are counted.
  start: u32,
  first: u32,
  end: u32,
  // A row of a tile, and how far it is to the next one; 0: no tile.
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

// Samples before the vectors of a part, and its vectors: what is behind them is read one by one, as all is where there
// are no vectors.
struct Vectors {
  head: u32,
  count: u32,
}

fn vectorsOf(part: Part) -> Vectors {
  let left = part.end - part.first;
  // Too few for a vector each are read sooner one by one.
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

// Place in the pixel of what is counted.
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

// A part's place among those that a workgroup takes in turns, and how many workgroups do.
fn firstPart(block: vec3<u32>, blocks: vec3<u32>) -> u32 {
  return select(block.x, block.y * blocks.x + block.x, SEGMENTED);
}

fn partStride(blocks: vec3<u32>) -> u32 {
  return select(blocks.x, blocks.y * blocks.x, SEGMENTED);
}

// Leaves the count of a row of a table: of a raw value, or of a rank.
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
