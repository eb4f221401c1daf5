// per-lane (ours): a replica of the histogram for each bank of workgroup memory, so that no two lanes that run
// together meet, neither in a counter nor in a bank, whatever the data.
//
//   workgroup memory               R = replicas, a power of two
//     for each channel             u32 table[rows][R]: row r of lane l at [r][l mod R]
//     the lookup, where it fits    copies of thresholds and starts (lib/lookup-shared-*.wgsl)
//
//   rows:  raw 0 … 255, the sample's bits; else ranks: 0 underflow | 1 … bins | bins + 1 overflow | bins + 2 NaN
//   grid:  x blocks over the samples, y windows of rows where not all fit, z channels where not all fit
//
// Bound: one 32-bit workgroup atomic a sample, conflict-free, and the bytes of the samples: the memory's bandwidth
// from 8-bit samples on. No counter can overflow: a dispatch reads fewer than 2^32 bytes.

// Before this text: const REPLICAS. (An inner length cannot be an override.) Two indices, since the checks that
// WebGPU adds to each then cost less than to their sum: 4270 instead of 4100 GB/s on an H200.

override THREADS: u32;
// Of all channels of a block.
override ROWS: u32;
// A block counts some of the rows only.
override WINDOWED: bool;
override RANKED: bool;
// 1 where nothing can underflow; of raw samples 0.
override FIRST_ROW: u32;
override INTERLEAVED: u32;
override CHANNELS: u32;
// workgroup_id.z is the only channel that a block counts.
override SPLIT: bool;
// 16-byte loads that a thread has in flight.
override IN_FLIGHT: u32;
// For each position in the pixel, the channel that it is; NONE: it is not counted.
override CHANNEL_0: u32;
override CHANNEL_1: u32;
override CHANNEL_2: u32;
override CHANNEL_3: u32;

var<workgroup> table: array<array<atomic<u32>, REPLICAS>, ROWS>;

var<private> lane: u32;
var<private> firstRow: u32;
var<private> blockRows: u32;
var<private> onlyChannel: u32;
// For each position in the pixel, the first row of its table; NONE: it is not counted.
var<private> tables: vec4<u32>;

fn tableAt(position: u32) -> u32 {
  var channel = CHANNEL_0;
  switch (position) {
    case 1u: { channel = CHANNEL_1; }
    case 2u: { channel = CHANNEL_2; }
    case 3u: { channel = CHANNEL_3; }
    default: {}
  }
  if (channel == NONE || (SPLIT && channel != onlyChannel)) {
    return NONE;
  }
  return select(channel * params.rowsPerBlock, 0u, SPLIT);
}

// Tables of a vector's samples: sample i counts into [i % INTERLEAVED]. Those of the first vector, turned.
fn tablesOf(vector: u32) -> vec4<u32> {
  if (MANY % INTERLEAVED == 0u) {
    return tables;
  }
  let turn = vector * (MANY % INTERLEAVED) % INTERLEAVED;
  if (INTERLEAVED == 4u) {
    return select(tables, tables.zwxy, turn == 2u);
  }
  return select(select(tables, tables.yzxx, turn == 1u), tables.zxyx, turn == 2u);
}

fn countSample(bits: Bits, to: u32) {
  if (INTERLEAVED > 1u && to == NONE) {
    return;
  }
  let row = find(bits) - select(FIRST_ROW, firstRow, WINDOWED);
  // A branch around every sample would halve the throughput.
  if (WINDOWED && row >= blockRows) {
    return;
  }
  atomicAdd(&table[to + row][lane], 1u);
}

// This block's share: whole vectors, several in flight; then what is left of them, and the odd samples.
fn countShare(thread: u32, threads: u32) {
  let vectors = params.count / MANY;
  var at = thread;
  if (IN_FLIGHT > 1u) {
    for (; at + 3u * threads < vectors; at += 4u * threads) {
      countBatch(at, threads, data[at], data[at + threads], data[at + 2u * threads], data[at + 3u * threads]);
    }
  }
  for (; at < vectors; at += threads) {
    countVector(data[at], tablesOf(at));
  }
  if (thread < params.count % MANY) {
    let odd = vectors * MANY + thread;
    countSample(bitsAt(odd), tables[odd % INTERLEAVED]);
  }
}

// Where the count of a row lies: first the cells, then underflow, overflow, NaN.
fn countOf(row: u32) -> u32 {
  if (!RANKED) {
    return row;
  }
  return select(select(row, row - 1u, row <= params.cells), params.cells, row == 0u);
}

// Adds a table's replicas up. Neighbouring threads begin their rows at different banks.
fn addReplicas(start: u32, channel: u32, thread: u32) {
  for (var row = thread; row < blockRows; row += THREADS) {
    let stagger = row * REPLICAS / 32u;
    var sum = 0u;
    for (var i = 0u; i < REPLICAS; i++) {
      sum += atomicLoad(&table[start + row][(i + stagger) % REPLICAS]);
    }
    if (sum != 0u) {
      atomicAdd(&counts[channel * (params.cells + 3u) + countOf(firstRow + row)], sum);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let window = block.y * params.rowsPerBlock;
  lane = thread % REPLICAS;
  firstRow = window + FIRST_ROW;
  blockRows = min(params.rowsPerBlock, params.rows - window);
  onlyChannel = block.z;
  tables = vec4(tableAt(0u), tableAt(1u), tableAt(2u), tableAt(3u));
  prepareLookup(thread, THREADS);
  workgroupBarrier();
  countShare(block.x * THREADS + thread, blocks.x * THREADS);
  workgroupBarrier();
  if (SPLIT) {
    addReplicas(0u, block.z, thread);
  } else {
    for (var channel = 0u; channel < CHANNELS; channel++) {
      addReplicas(channel * params.rowsPerBlock, channel, thread);
    }
  }
}
