// per-lane (polybin's own): a replica of the histogram for each bank of workgroup memory. No two lanes that run
// together meet in a counter or in a bank, whatever the data.
//
//   workgroup memory               R = replicas, a power of two
//     for each channel             u32 table[rows][R]: row r of lane l at [r][l mod R]
//     the lookup, if it fits       copies of thresholds and starts (lib/lookup-shared-*.wgsl)
//
//   rows:  raw 0 … 255, the sample's bits; otherwise ranks: 0 underflow | 1 … bins | bins + 1 overflow | bins + 2 NaN
//   grid:  x blocks over the samples; y windows of rows and z channels if not all fit in a block
//
// Bound: one 32-bit workgroup atomic per sample, conflict-free, and the samples' bytes. From 8-bit samples on, the
// memory's bandwidth is the bound. No counter can overflow, because a dispatch reads fewer than 2^32 bytes.

// Before this text: const REPLICAS. (An inner length cannot be an override.) The table has two indices, because the
// checks that WebGPU adds to each cost less than a check of their sum: 4,270 GB/s instead of 4,100 GB/s on an H200.

override THREADS: u32;
// Rows of all channels of a block.
override ROWS: u32;
// Rows of each channel: those that are counted, and those from one table to the next.
override ROWS_PER_CHANNEL: u32;
override TABLE_ROWS: u32;
// The number of rows that share a line of banks and are permuted in it. Rows that are a power of two apart then lie in
// different banks; coarse values over many bins have such rows. 1 means that no rows are permuted. LINE_BITS is its
// logarithm.
override SHARERS: u32;
override LINE_BITS: u32;
// Whether a block counts only some of the rows.
override WINDOWED: bool;
override RANKED: bool;
// 1 if nothing can underflow. 0 for raw samples.
override FIRST_ROW: u32;
override INTERLEAVED: u32;
override CHANNELS: u32;
// Whether workgroup_id.z is the only channel that a block counts.
override SPLIT: bool;
// 16-byte loads that a thread has in flight.
override IN_FLIGHT: u32;
// The channel of each position in the pixel. NONE: the position is not counted.
override CHANNEL_0: u32;
override CHANNEL_1: u32;
override CHANNEL_2: u32;
override CHANNEL_3: u32;

var<workgroup> table: array<array<atomic<u32>, REPLICAS>, ROWS>;

var<private> lane: u32;
var<private> firstRow: u32;
var<private> blockRows: u32;
var<private> onlyChannel: u32;
// The first row of the table of each position in the pixel. NONE: the position is not counted.
var<private> tables: vec4<u32>;

// Returns the channel of a position. It is known at compile time if the position is.
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

// Returns the tables of a vector's samples: sample i counts into [i % INTERLEAVED]. They are those of the first vector,
// rotated.
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

// Counts a row of a sample at a position in the pixel, from which its table follows. This is known at compile time
// unless the blocks divide the channels among themselves or vectors do not begin with a pixel.
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

// Returns the place of a row in its table: its place in its line, permuted by the line's number.
fn placeOf(row: u32) -> u32 {
  if (SHARERS == 1u) {
    return row;
  }
  let line = row >> LINE_BITS;
  return row ^ ((line + (line >> 6u)) & (SHARERS - 1u));
}

// Counts this block's share: whole vectors, several in flight, then the remaining ones and the odd samples.
fn countShare(thread: u32, threads: u32) {
  let vectors = params.count / MANY;
  var at = thread;
  if (IN_FLIGHT > 1u) {
    // The next vectors load while the ones before are counted. Past the end, an index stays at the last vector.
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

// Returns the place of a row's count: first the cells, then underflow, overflow, NaN.
fn countOf(row: u32) -> u32 {
  if (!RANKED) {
    return row;
  }
  return select(select(row, row - 1u, row <= params.cells), params.cells, row == 0u);
}

// Adds up a table's replicas. Neighbouring threads begin their rows at different banks.
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
