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
// Of each of them: those that are counted, and those from one table to the next.
override ROWS_PER_CHANNEL: u32;
override TABLE_ROWS: u32;
// So many rows share a line of banks and change places in it, so that rows which are a power of two apart, as those of
// coarse values over many bins, lie in different banks; 1: none do. LINE_BITS is its logarithm.
override SHARERS: u32;
override LINE_BITS: u32;
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

// The channel that a position is; a number at compile time where the position is one.
fn channelAt(position: u32) -> u32 {
  switch (position) {
    case 1u: { return CHANNEL_1; }
    case 2u: { return CHANNEL_2; }
    case 3u: { return CHANNEL_3; }
    default: { return CHANNEL_0; }
  }
}

fn tableAt(position: u32) -> u32 {
  let channel = channelAt(position);
  if (channel == NONE || (SPLIT && channel != onlyChannel)) {
    return NONE;
  }
  return select(channel * TABLE_ROWS, 0u, SPLIT);
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

// A row of a sample at a position in the pixel, from which its table follows: at compile time, but where blocks share
// the channels out, or vectors do not begin with a pixel.
fn countRow(found: u32, position: u32, to: vec4<u32>) {
  let isFixed = !SPLIT && MANY % INTERLEAVED == 0u;
  var start = channelAt(position) * TABLE_ROWS;
  if (isFixed) {
    if (channelAt(position) == NONE) {
      return;
    }
  } else {
    start = to[position];
    if (start == NONE) {
      return;
    }
  }
  let row = found - select(FIRST_ROW, firstRow, WINDOWED);
  // A branch around every sample would halve the throughput.
  if (WINDOWED && row >= blockRows) {
    return;
  }
  atomicAdd(&table[start + placeOf(row)][lane], 1u);
}

// Where in its table a row lies: in its line, as far from its own place as its line's number says.
fn placeOf(row: u32) -> u32 {
  if (SHARERS == 1u) {
    return row;
  }
  let line = row >> LINE_BITS;
  return row ^ ((line + (line >> 6u)) & (SHARERS - 1u));
}

// This block's share: whole vectors, several in flight; then what is left of them, and the odd samples.
fn countShare(thread: u32, threads: u32) {
  let vectors = params.count / MANY;
  var at = thread;
  if (IN_FLIGHT > 1u) {
    // The next ones are on their way while those before them are counted. Past the end, an index stays at the last one.
    var a = data[at];
    var b = data[at + threads];
    var c = data[at + 2u * threads];
    var d = data[at + 3u * threads];
    while (at + 3u * threads < vectors) {
      let next = at + 4u * threads;
      let nextA = data[next];
      let nextB = data[next + threads];
      let nextC = data[next + 2u * threads];
      let nextD = data[next + 3u * threads];
      countBatch(at, threads, a, b, c, d);
      a = nextA;
      b = nextB;
      c = nextC;
      d = nextD;
      at = next;
    }
  }
  for (; at < vectors; at += threads) {
    countVector(data[at], tablesOf(at));
  }
  if (thread < params.count % MANY) {
    let odd = vectors * MANY + thread;
    let position = odd % INTERLEAVED;
    // The branches are the same for all threads but a few.
    let row = find(bitsAt(odd));
    switch (position) {
      case 1u: { countRow(row, 1u, tables); }
      case 2u: { countRow(row, 2u, tables); }
      case 3u: { countRow(row, 3u, tables); }
      default: { countRow(row, 0u, tables); }
    }
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
      sum += atomicLoad(&table[start + placeOf(row)][(i + stagger) % REPLICAS]);
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
  let window = block.y * ROWS_PER_CHANNEL;
  lane = thread % REPLICAS;
  firstRow = window + FIRST_ROW;
  blockRows = min(ROWS_PER_CHANNEL, params.rows - window);
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
      addReplicas(channel * TABLE_ROWS, channel, thread);
    }
  }
}
