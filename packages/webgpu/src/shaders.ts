// Made from the .wgsl files in src/kernels by scripts/shaders.mjs: change them there.

/** The text of every WGSL file by its name. */
export const SHADERS = {
  "bank-owned": `// One histogram a block without atomics: thread t counts only the cells of bank t and, to find them, reads
// every word of a tile.
//
//   workgroup memory:  tile, word = [row][column], 32 x 32; in cycle i thread t reads column (i + t) mod 32
//                      then the histogram, word = [cell]: cell c lies in bank c mod 32 and is thread c mod 32's
//
// Bound: every code is looked at by 32 threads, and one of them counts it.
// Source: Hardavellas, Histograms: Is there an alternative?

override THREADS: u32;
override TABLE_WORDS: u32;
override TILE_WORDS: u32;
override BYTES: bool;

@group(0) @binding(0) var<storage, read> data: array<u32>;

var<workgroup> tile: array<u32, TILE_WORDS>;
var<workgroup> table: array<u32, TABLE_WORDS>;

fn countCode(code: u32, thread: u32) {
  let cell = code - params.first;
  if (cell < params.cells && cell % THREADS == thread) {
    table[cell]++;
  }
}

// Words of 32 bits: four bytes, the last word maybe fewer, or one code.
fn countWord(word: u32, present: u32, thread: u32) {
  if (BYTES) {
    for (var i = 0u; i < present; i++) {
      countCode((word >> (8u * i)) & 0xffu, thread);
    }
  } else {
    countCode(word, thread);
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let codesAWord = select(1u, 4u, BYTES);
  let words = (params.count + codesAWord - 1u) / codesAWord;
  for (var start = block.x * TILE_WORDS; start < words; start += blocks.x * TILE_WORDS) {
    let size = min(TILE_WORDS, words - start);
    workgroupBarrier();
    for (var i = thread; i < size; i += THREADS) {
      tile[i] = data[start + i];
    }
    workgroupBarrier();
    for (var row = 0u; row < size; row += THREADS) {
      for (var i = 0u; i < THREADS; i++) {
        let at = row + (i + thread) % THREADS;
        if (at < size) {
          countWord(tile[at], min(4u, params.count - (start + at) * codesAWord), thread);
        }
      }
    }
  }
  workgroupBarrier();
  for (var cell = thread; cell < params.cells; cell += THREADS) {
    if (table[cell] != 0u) {
      atomicAdd(&counts[params.to + cell], table[cell]);
    }
  }
}
`,
  extent: `// The finite minimum and maximum of the wanted channels, as order-preserving keys (core's keys.ts).
//
//   samples -> key -> a thread's min and max -> atomicMin, atomicMax of counts[to], counts[to + 1]
//
// Keys of two words take two dispatches: first the high words, then, of the samples that have those, the low words,
// to counts[to + 2], counts[to + 3]. Infinities and NaN are passed over. Bound: the samples' bytes.

override THREADS: u32;
override INTERLEAVED: u32;
// Low words.
override TRAILING: bool;

var<workgroup> least: atomic<u32>;
var<workgroup> most: atomic<u32>;

// Vectors are counted by per-lane alone.
fn countSample(bits: Bits, to: u32) {}

@compute @workgroup_size(THREADS)
fn extent(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  if (thread == 0u) {
    atomicStore(&least, NONE);
  }
  var low = NONE;
  var high = 0u;
  let leastLeading = atomicLoad(&counts[params.to]);
  let mostLeading = atomicLoad(&counts[params.to + 1u]);
  for (var at = id.x; at < params.count; at += blocks.x * THREADS) {
    let bits = bitsAt(at);
    if (((params.channel >> (at % INTERLEAVED)) & 1u) == 0u || !isFinite(bits)) {
      continue;
    }
    if (TRAILING) {
      if (leading(bits) == leastLeading) {
        low = min(low, trailing(bits));
      }
      if (leading(bits) == mostLeading) {
        high = max(high, trailing(bits));
      }
    } else {
      low = min(low, leading(bits));
      high = max(high, leading(bits));
    }
  }
  workgroupBarrier();
  atomicMin(&least, low);
  atomicMax(&most, high);
  workgroupBarrier();
  if (thread == 0u) {
    let to = params.to + select(0u, 2u, TRAILING);
    atomicMin(&counts[to], atomicLoad(&least));
    atomicMax(&counts[to + 1u], atomicLoad(&most));
  }
}
`,
  fold: `// The counts of cells as a user gets them, who has no host to merge them: cells go to the bins or the flow that the
// lowering's table says.
//
//   counts[channel][cells, 3] -> scratch[to + channel * (bins + 3)][bins, underflow, overflow, NaN]
//
// A thread makes one number, the sum of the cells that belong to it, so no two write the same word and none has to be
// cleared. Without a table the cells are the bins. Bound: with one, a look at each of its entries, 256 or 1.
// Source: ours; core's merge.ts does the same on the host.

override THREADS: u32;
override TABLE: bool;
override ADD: bool;

@compute @workgroup_size(THREADS)
fn fold(@builtin(global_invocation_id) id: vec3<u32>) {
  let codes = params.bins + 3u;
  let code = id.x;
  if (code >= codes) {
    return;
  }
  let first = id.y * (params.cells + 3u);
  var sum = 0u;
  if (TABLE) {
    for (var cell = 0u; cell < params.cells; cell++) {
      if (lookup[cell] == code) {
        sum += atomicLoad(&counts[first + cell]);
      }
    }
  } else {
    sum = atomicLoad(&counts[first + code]);
  }
  let at = params.to + id.y * codes + code;
  if (ADD) {
    sum += scratch[at];
  }
  scratch[at] = sum;
}
`,
  gather: `// Rows of bytes that lie anywhere, brought together: samples that no kernel could read as whole vectors.
//
//   data      … | row 0 | pitch … | row 1 | …      the first byte of row 0 at byte \`left\`, at any place in its word
//   scratch   row 0, row 1, … without a gap, the first at the first byte; bytes past the end are 0
//
// A thread writes a word: of four bytes of one row, shifted out of two words; or byte by byte, where a row ends in it.
// Bound: the bytes, read and written once.

override THREADS: u32;

@group(0) @binding(0) var<storage, read> data: array<u32>;

fn byteAt(at: u32) -> u32 {
  return (data[at / 4u] >> (at % 4u * 8u)) & 0xffu;
}

fn wordAt(at: u32) -> u32 {
  let shift = at % 4u * 8u;
  let low = data[at / 4u];
  if (shift == 0u) {
    return low;
  }
  return (low >> shift) | (data[at / 4u + 1u] << (32u - shift));
}

// Where a byte of the dense rows comes from.
fn origin(byte: u32) -> u32 {
  return params.left + byte / params.rowSize * params.rowPitch + byte % params.rowSize;
}

@compute @workgroup_size(THREADS)
fn gather(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let words = (params.count + 3u) / 4u;
  for (var word = id.x; word < words; word += blocks.x * THREADS) {
    let first = word * 4u;
    let present = min(4u, params.count - first);
    if (present == 4u && first % params.rowSize + 4u <= params.rowSize) {
      scratch[word] = wordAt(origin(first));
      continue;
    }
    var bytes = 0u;
    for (var i = 0u; i < present; i++) {
      bytes |= byteAt(origin(first + i)) << (8u * i);
    }
    scratch[word] = bytes;
  }
}
`,
  global: `// One histogram in global memory that every thread of the grid adds to with atomics.
//
//   global memory:  counts[cell]
//
// Bound: atomics on few addresses, the worse the more often neighbours are equal.
// Source: The CUDA Handbook, histogram chapter: One Global Histogram—and Contention.

override THREADS: u32;

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      atomicAdd(&counts[params.to + codes[i]], 1u);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  eachWord(thread, block.x, blocks.x);
}
`,
  "lib/batch-rolled": `// Four vectors of per-lane, moved on rather than written four times: a sample's way to its row is long, and compilers
// would take their time.

fn countBatch(at: u32, apart: u32, a: vec4<u32>, b: vec4<u32>, c: vec4<u32>, d: vec4<u32>) {
  var now = a;
  var second = b;
  var third = c;
  for (var i = 0u; i < 4u; i++) {
    countVector(now, tablesOf(at + i * apart));
    now = second;
    second = third;
    third = d;
  }
}
`,
  "lib/batch-unrolled": `// Four vectors of per-lane, one after the other: for samples whose way to their row is short.

fn countBatch(at: u32, apart: u32, a: vec4<u32>, b: vec4<u32>, c: vec4<u32>, d: vec4<u32>) {
  countVector(a, tablesOf(at));
  countVector(b, tablesOf(at + apart));
  countVector(c, tablesOf(at + 2u * apart));
  countVector(d, tablesOf(at + 3u * apart));
}
`,
  "lib/codes-32": `// Codes of 32 bits, four to a word: a load of 16 bytes.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

fn fetch(word: u32) -> vec4<u32> {
  return data[min(word, wholeWords())];
}
`,
  "lib/codes-8": `// Codes of 8 bits, raw samples, four to a word.

@group(0) @binding(0) var<storage, read> data: array<u32>;

fn fetch(word: u32) -> vec4<u32> {
  let bytes = data[min(word, wholeWords())];
  return vec4(bytes & 0xffu, (bytes >> 8u) & 0xffu, (bytes >> 16u) & 0xffu, bytes >> 24u);
}
`,
  "lib/codes": `// How the kernels read codes: words of four, at which the threads of a grid take turns (core's gridWords).
// A kernel gives THREADS and a function \`step\`, which gets each word of its thread.

fn wholeWords() -> u32 {
  return params.count / 4u;
}

// The codes of a word counted from the pass's first cell; NONE for those past the end. Codes below the pass wrap
// round to large ones, so one comparison with the pass's cells passes over all that it does not count.
fn decode(raw: vec4<u32>, word: u32) -> vec4<u32> {
  let whole = wholeWords();
  let present = select(select(0u, params.count % 4u, word == whole), 4u, word < whole);
  return select(vec4(NONE), raw - params.first, vec4(0u, 1u, 2u, 3u) < vec4(present));
}

// Thread t of block b begins at word b * THREADS + t and goes on by the number of all threads. All threads of a
// block take the same number of steps (the last ones may see NONEs), so that \`step\` may hold barriers; its index is
// the same for all of them. The words of a batch are all read before the first is used.
fn eachWord(thread: u32, block: u32, blocks: u32) {
  let stride = blocks * THREADS;
  let words = (params.count + 3u) / 4u;
  var index = 0u;
  for (var base = block * THREADS; base < words; base += 4u * stride) {
    let at = base + thread;
    let a = fetch(at);
    let b = fetch(at + stride);
    let c = fetch(at + 2u * stride);
    let d = fetch(at + 3u * stride);
    step(decode(a, at), index, thread);
    step(decode(b, at + stride), index + 1u, thread);
    step(decode(c, at + 2u * stride), index + 2u, thread);
    step(decode(d, at + 3u * stride), index + 3u, thread);
    index += 4u;
  }
}

// Adds a block's count of a cell to the counts of them all.
fn addCount(cell: u32, amount: u32) {
  if (amount != 0u) {
    atomicAdd(&counts[params.to + cell], amount);
  }
}
`,
  "lib/find-direct": `// rank = key - first + 1 (core's lowering.ts), 0 below, bins + 1 above: integer axes over integers. firstKey and lastKey
// are the keys next to the bins' own, where there are any; keyBase is the first one's, or -1.

fn find(bits: u32) -> u32 {
  return clamp(bits ^ params.flip, params.firstKey, params.lastKey) - params.keyBase;
}
`,
  "lib/find-ranks-32": `// A sample's rank, how many thresholds are at most its key (core's ranks.ts).
//
//   sample -> key -> a place on a line, or the key itself -> cell -> least rank there -> a halving or a few -> rank
//
// Floats only guess, and only finite ones that lie between the thresholds; integers decide. Every sample takes the
// same steps, whatever the data.

override ON_LINE: bool;
override HAS_STARTS: bool;
// Halvings, where they are few; 0: params.firstStep says.
override HALVINGS: u32;

fn advanced(rank: u32, step: u32, key: u32) -> u32 {
  let next = rank + step;
  // Both at once: a branch around the second would cost more than it saves.
  return select(rank, next, (next <= params.thresholds) & (threshold(next - 1u) <= key));
}

fn find(bits: u32) -> u32 {
  let key = keyOf(bits);
  var cell: u32;
  if (ON_LINE) {
    let along = alongLine(clamp(key, params.firstKey, params.lastKey));
    cell = u32(clamp(along, 0.0, 1.0) * f32(params.lastCell) + 0.5);
  } else {
    cell = (max(key, params.keyBase) - params.keyBase) >> params.keyShift;
  }
  var rank = startOf(min(cell, params.lastCell));
  if (HALVINGS == 0u) {
    for (var step = params.firstStep; step > 0u; step >>= 1u) {
      rank = advanced(rank, step, key);
    }
  }
  if (HALVINGS > 1u) {
    rank = advanced(rank, 2u, key);
  }
  if (HALVINGS > 0u) {
    rank = advanced(rank, 1u, key);
  }
  return select(rank, params.bins + 2u, isNan(bits));
}
`,
  "lib/find-ranks-64": `// A sample's rank, how many thresholds are at most its key, for keys of two words (core's ranks.ts).
//
//   sample -> key -> high word -> cell -> least rank there -> halvings -> rank
//
// Every sample takes the same steps, whatever the data.

override HAS_STARTS: bool;
// Halvings, where they are few; 0: params.firstStep says.
override HALVINGS: u32;

fn advanced(rank: u32, step: u32, key: vec2<u32>) -> u32 {
  let next = rank + step;
  let least = threshold(next - 1u);
  let reached = (least.y < key.y) | ((least.y == key.y) & (least.x <= key.x));
  // All at once: branches would cost more than they save.
  return select(rank, next, (next <= params.thresholds) & reached);
}

fn find(bits: vec2<u32>) -> u32 {
  let key = keyOf(bits);
  let cell = (max(key.y, params.keyBase) - params.keyBase) >> params.keyShift;
  var rank = startOf(min(cell, params.lastCell));
  if (HALVINGS == 0u) {
    for (var step = params.firstStep; step > 0u; step >>= 1u) {
      rank = advanced(rank, step, key);
    }
  }
  if (HALVINGS > 1u) {
    rank = advanced(rank, 2u, key);
  }
  if (HALVINGS > 0u) {
    rank = advanced(rank, 1u, key);
  }
  return select(rank, params.bins + 2u, isNan(bits));
}
`,
  "lib/find-raw": `// row = bits: the merge on the host sorts the 256 values into bins.

fn find(bits: u32) -> u32 {
  return bits;
}
`,
  "lib/find-scaled": `// rank = floor((key - first) * scale / 2^32) + 1: evenly spaced edges over 16-bit samples, scale < 2^31.
//
//   distance, 16 bits  x  [ scaleHigh : 15 | scaleLow : 16 ]

fn find(bits: u32) -> u32 {
  let key = bits ^ params.flip;
  let distance = clamp(key, params.firstKey, params.lastKey) - params.firstKey;
  let bin = (distance * params.scaleHigh + ((distance * params.scaleLow) >> 16u)) >> 16u;
  let within = min(bin + 1u, params.bins);
  return select(select(within, 0u, key < params.firstKey), params.bins + 1u, key > params.lastKey);
}
`,
  "lib/find-table": `// rank = table[bits]: 8-bit samples, for algorithms that cannot count them as they are.

fn find(bits: u32) -> u32 {
  return lookup[bits];
}
`,
  "lib/keys-f32": `// Keys of 32-bit floats (core's keys.ts): negative ones with all bits flipped, others with the sign bit set. NaN
// and infinity are told by their bits: WGSL may assume that there are none.

fn keyOf(bits: u32) -> u32 {
  return bits ^ (u32(i32(bits) >> 31u) | 0x80000000u);
}

fn isNan(bits: u32) -> bool {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

fn isFinite(bits: u32) -> bool {
  return (bits & 0x7f800000u) != 0x7f800000u;
}

// How far along the line the sample of a finite key lies, 0 to 1.
fn alongLine(key: u32) -> f32 {
  let value = bitcast<f32>(select(~key, key ^ 0x80000000u, key >= 0x80000000u));
  return (value - params.origin) * params.inverse;
}
`,
  "lib/keys-f64": `// Keys of 64-bit floats as two words (core's keys.ts), low word first. WGSL has no such numbers: all is done by bits.

fn keyOf(bits: vec2<u32>) -> vec2<u32> {
  let sign = u32(i32(bits.y) >> 31u);
  return bits ^ vec2(sign, sign | 0x80000000u);
}

fn isNan(bits: vec2<u32>) -> bool {
  let high = bits.y & 0x7fffffffu;
  return high > 0x7ff00000u || (high == 0x7ff00000u && bits.x != 0u);
}

fn isFinite(bits: vec2<u32>) -> bool {
  return (bits.y & 0x7ff00000u) != 0x7ff00000u;
}
`,
  "lib/keys-integer": `// Keys of integers of up to 32 bits (core's keys.ts): the sign bit, where there is one, is flipped.

fn keyOf(bits: u32) -> u32 {
  return bits ^ params.flip;
}

fn isNan(bits: u32) -> bool {
  return false;
}

fn isFinite(bits: u32) -> bool {
  return true;
}

// How far along the line a key's sample lies, 0 to 1.
fn alongLine(key: u32) -> f32 {
  return f32(key - params.firstKey) * params.inverse;
}
`,
  "lib/leading-32": `// A key as its leading and its trailing word: one word.

fn leading(bits: u32) -> u32 {
  return keyOf(bits);
}

fn trailing(bits: u32) -> u32 {
  return 0u;
}
`,
  "lib/leading-64": `// A key as its leading and its trailing word.

fn leading(bits: vec2<u32>) -> u32 {
  return keyOf(bits).y;
}

fn trailing(bits: vec2<u32>) -> u32 {
  return keyOf(bits).x;
}
`,
  "lib/lookup-32": `// The lookup of one-word keys in global memory: thresholds[n], starts[cells + 1].

fn prepareLookup(thread: u32, threads: u32) {}

fn threshold(i: u32) -> u32 {
  return lookup[i];
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return lookup[params.thresholds + cell];
  }
  return cell;
}
`,
  "lib/lookup-64": `// The lookup of two-word keys in global memory: thresholds[n] of low and high word, starts[cells + 1].

fn prepareLookup(thread: u32, threads: u32) {}

fn threshold(i: u32) -> vec2<u32> {
  return vec2(lookup[2u * i], lookup[2u * i + 1u]);
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return lookup[2u * params.thresholds + cell];
  }
  return cell;
}
`,
  "lib/lookup-none": `// Lowerings that look nothing up.

fn prepareLookup(thread: u32, threads: u32) {}
`,
  "lib/lookup-shared-32": `// Copies of the lookup in workgroup memory, staggered as per-lane's counters are, so that lanes which look up
// different entries do not meet in a bank.
//
//   thresholds[n * L]             entry i of lane l at i * L + l mod L
//   starts[(cells + 1) * S]       the same; half as many copies, at which two lanes may meet

override LOOKUP_WORDS: u32;
override LOOKUP_REPLICAS: u32;
override START_COPIES: u32;

var<workgroup> copies: array<u32, LOOKUP_WORDS>;
var<private> thresholdLane: u32;
var<private> startLane: u32;

fn prepareLookup(thread: u32, threads: u32) {
  thresholdLane = thread % LOOKUP_REPLICAS;
  startLane = params.thresholds * LOOKUP_REPLICAS + thread % START_COPIES;
  for (var i = thread; i < params.thresholds * LOOKUP_REPLICAS; i += threads) {
    copies[i] = lookup[i / LOOKUP_REPLICAS];
  }
  if (HAS_STARTS) {
    for (var i = thread; i < (params.lastCell + 1u) * START_COPIES; i += threads) {
      copies[params.thresholds * LOOKUP_REPLICAS + i] = lookup[params.thresholds + i / START_COPIES];
    }
  }
}

fn threshold(i: u32) -> u32 {
  return copies[i * LOOKUP_REPLICAS + thresholdLane];
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return copies[cell * START_COPIES + startLane];
  }
  return cell;
}
`,
  "lib/lookup-shared-64": `// Copies of the lookup of two-word keys in workgroup memory, staggered as per-lane's counters are.
//
//   thresholds[n * 2 L]           low word of entry i of lane l at i * 2 L + l mod L, high word L further
//   starts[(cells + 1) * S]       half as many copies, at which two lanes may meet

override LOOKUP_WORDS: u32;
override LOOKUP_REPLICAS: u32;
override START_COPIES: u32;

var<workgroup> copies: array<u32, LOOKUP_WORDS>;
var<private> thresholdLane: u32;
var<private> startLane: u32;

fn prepareLookup(thread: u32, threads: u32) {
  let starts = params.thresholds * 2u * LOOKUP_REPLICAS;
  thresholdLane = thread % LOOKUP_REPLICAS;
  startLane = starts + thread % START_COPIES;
  for (var i = thread; i < starts; i += threads) {
    copies[i] = lookup[i / LOOKUP_REPLICAS];
  }
  if (HAS_STARTS) {
    for (var i = thread; i < (params.lastCell + 1u) * START_COPIES; i += threads) {
      copies[starts + i] = lookup[2u * params.thresholds + i / START_COPIES];
    }
  }
}

fn threshold(i: u32) -> vec2<u32> {
  let at = 2u * i * LOOKUP_REPLICAS + thresholdLane;
  return vec2(copies[at], copies[at + LOOKUP_REPLICAS]);
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return copies[cell * START_COPIES + startLane];
  }
  return cell;
}
`,
  "lib/one-table": `// One table a block in workgroup memory, which all its threads add to.
//
//   word = [plane][bin of the pass]
//     planes    count, sum, its upper word, square, its upper word    integers: sums of 64 bits
//               count, sum, square                                    floats: sums of 32 bits
//               without what is not asked for

override WORDS: u32;

var<workgroup> table: array<atomic<u32>, WORDS>;

// Where the cells of a kind begin, weights (0) or squares (1).
fn planeOf(kind: u32) -> u32 {
  return (u32(COUNTS) + select(2u, 1u, FLOATS) * kind) * params.binsPerPass;
}

// \`count\` documents, their weights and their squares.
fn addToTable(bin: u32, count: u32, weight: u32, square: u32) {
  if (COUNTS) {
    atomicAdd(&table[bin], count);
  }
  addWord(planeOf(0u) + bin, weight);
  if (SQUARES) {
    addWord(planeOf(1u) + bin, square);
  }
}

fn addWord(word: u32, amount: u32) {
  if (FLOATS) {
    addFloatTo(word, bitcast<f32>(amount));
    return;
  }
  let before = atomicAdd(&table[word], amount);
  let isNegative = i32(amount) < 0;
  // Wrapped, or borrowed: rare where weights have one sign.
  if ((before > ~amount) != isNegative) {
    atomicAdd(&table[word + params.binsPerPass], select(1u, 0xffffffffu, isNegative));
  }
}

fn addFloatTo(word: u32, amount: f32) {
  var before = atomicLoad(&table[word]);
  loop {
    let after = bitcast<u32>(bitcast<f32>(before) + amount);
    let exchange = atomicCompareExchangeWeak(&table[word], before, after);
    if (exchange.exchanged) {
      break;
    }
    before = exchange.old_value;
  }
}

// A word, which begins anew.
fn takenFrom(word: u32) -> u32 {
  let value = atomicLoad(&table[word]);
  atomicStore(&table[word], 0u);
  return value;
}

fn takeSum(bin: u32, kind: u32) {
  let word = planeOf(kind) + bin;
  if (FLOATS) {
    addFloat(bin, kind, bitcast<f32>(takenFrom(word)));
  } else {
    addSum(bin, kind, Wide(takenFrom(word), takenFrom(word + params.binsPerPass)));
  }
}

fn flushTable(thread: u32) {
  workgroupBarrier();
  for (var bin = thread; bin < params.binsPerPass; bin += THREADS) {
    if (COUNTS) {
      addCount(bin, takenFrom(bin));
    }
    takeSum(bin, 0u);
    if (SQUARES) {
      takeSum(bin, 1u);
    }
  }
  workgroupBarrier();
}
`,
  "lib/params": `// What every kernel is bound to, and what differs from one dispatch to the next. Kernels are compiled for a plan
// (its numbers are overrides); axes and pieces of samples come and go without another pipeline.
//
//   binding 0   samples or codes, declared where they are read
//   binding 1   the lowering's lookup: thresholds, then starts (lib/ranks-*.wgsl); or a table
//   binding 2   counts[channel][cells, underflow, overflow, NaN]
//   binding 3   what a kernel hands to the next one: codes, blocks' histograms, or dense samples; fold: to the user
//   group 1     texels, where a kernel reads them

struct Params {
  // Samples of all channels, pixels, or codes.
  count: u32,
  // The first pixel, or the first cell of a pass.
  first: u32,
  // Cells of a pass; per-lane and lower: of a channel.
  cells: u32,
  // Where in the counts the channel or the pass begins.
  to: u32,
  // Position of the channel in its pixel, or positions as bits.
  channel: u32,
  bins: u32,
  // Integers: the bit that orders them.
  flip: u32,
  // Keys of the first and the last threshold; scaled: of the first and the last sample of the bins; direct: next to
  // those.
  firstKey: u32,
  lastKey: u32,
  thresholds: u32,
  // The guess's last cell, and how it is found.
  lastCell: u32,
  keyBase: u32,
  keyShift: u32,
  // The first step of the search, a power of two.
  firstStep: u32,
  origin: f32,
  inverse: f32,
  scaleHigh: u32,
  scaleLow: u32,
  // Blocks of the dispatch before.
  blocks: u32,
  // per-lane: rows of a channel, and of a block.
  rows: u32,
  rowsPerBlock: u32,
  // trish: words of a loop, and loops before the rows are summed (section 5.4).
  k: u32,
  loops: u32,
  // gather, pack: bytes or texels of a row, bytes from row to row, and where the first one begins.
  rowSize: u32,
  rowPitch: u32,
  left: u32,
  top: u32,
}

@group(0) @binding(1) var<storage, read> lookup: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> scratch: array<u32>;
@group(0) @binding(4) var<uniform> params: Params;

// A code that is no cell of any pass.
const NONE = 0xffffffffu;
`,
  "lib/round-rolled": `// A round of one unit a thread, whose documents are added in a loop: less to compile than one that is written out
// (round.ts).

const WRITTEN_OUT = false;
const IN_FLIGHT = 1u;

fn addRound(at: u32, thread: u32, isFull: bool) {}
`,
  "lib/sample-16": `// Samples of 16 bits as they lie in memory: eight to a vector.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = u32;
const MANY = 8u;

fn bitsAt(at: u32) -> Bits {
  return (data[at / MANY][at / 2u % 4u] >> (at % 2u * 16u)) & 0xffffu;
}

// to: for sample i of the vector to[i % INTERLEAVED].
fn countVector(v: vec4<u32>, to: vec4<u32>) {
  countSample(v.x & 0xffffu, to[0]);
  countSample(v.x >> 16u, to[1u % INTERLEAVED]);
  countSample(v.y & 0xffffu, to[2u % INTERLEAVED]);
  countSample(v.y >> 16u, to[3u % INTERLEAVED]);
  countSample(v.z & 0xffffu, to[4u % INTERLEAVED]);
  countSample(v.z >> 16u, to[5u % INTERLEAVED]);
  countSample(v.w & 0xffffu, to[6u % INTERLEAVED]);
  countSample(v.w >> 16u, to[7u % INTERLEAVED]);
}
`,
  "lib/sample-32": `// Samples of 32 bits as they lie in memory: four to a vector.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = u32;
const MANY = 4u;

fn bitsAt(at: u32) -> Bits {
  return data[at / MANY][at % MANY];
}

// to: for sample i of the vector to[i % INTERLEAVED].
fn countVector(v: vec4<u32>, to: vec4<u32>) {
  countSample(v.x, to[0]);
  countSample(v.y, to[1u % INTERLEAVED]);
  countSample(v.z, to[2u % INTERLEAVED]);
  countSample(v.w, to[3u % INTERLEAVED]);
}
`,
  "lib/sample-64": `// Samples of 64 bits as they lie in memory: two to a vector, low word first.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = vec2<u32>;
const MANY = 2u;

fn bitsAt(at: u32) -> Bits {
  let v = data[at / MANY];
  return select(v.xy, v.zw, at % MANY == 1u);
}

// to: for sample i of the vector to[i % INTERLEAVED].
fn countVector(v: vec4<u32>, to: vec4<u32>) {
  countSample(v.xy, to[0]);
  countSample(v.zw, to[1u % INTERLEAVED]);
}
`,
  "lib/sample-8": `// Samples of 8 bits as they lie in memory: sixteen to a vector.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = u32;
const MANY = 16u;

fn bitsAt(at: u32) -> Bits {
  return (data[at / MANY][at / 4u % 4u] >> (at % 4u * 8u)) & 0xffu;
}

// to: for sample i of the vector to[i % INTERLEAVED].
fn countVector(v: vec4<u32>, to: vec4<u32>) {
  countFour(v.x, to, 0u);
  countFour(v.y, to, 4u % INTERLEAVED);
  countFour(v.z, to, 8u % INTERLEAVED);
  countFour(v.w, to, 12u % INTERLEAVED);
}

fn countFour(word: u32, to: vec4<u32>, at: u32) {
  countSample(extractBits(word, 0u, 8u), to[at % INTERLEAVED]);
  countSample(extractBits(word, 8u, 8u), to[(at + 1u) % INTERLEAVED]);
  countSample(extractBits(word, 16u, 8u), to[(at + 2u) % INTERLEAVED]);
  countSample(extractBits(word, 24u, 8u), to[(at + 3u) % INTERLEAVED]);
}
`,
  "lib/segment": `// How a block goes through its documents. A thread takes units of four documents, or eight, THREADS units apart: a word
// or two of values of each feature, and a vector of weights for all of them. IN_FLIGHT units are loaded before the first
// is added, both written out (round.ts); that is a round, between which tables are flushed before they can overflow.
//
// A kernel gives \`prepare\`, \`add\`, which gets a document's bin in the window, \`flush\`, whose calls all threads of a block
// make together, and \`finish\`.

// A block has a window of the bins only.
override WINDOWED: bool;
// Some feature's documents of one value are passed over.
override SKIPS: bool;
// The documents are those of a list; GENERIC: the params say so.
override LISTED: bool;
override GENERIC: bool;
// Tables are flushed on the way.
override FLUSHES: bool;

struct Unit {
  values: array<Values, FEATURES>,
  weights: array<vec4<u32>, FOURS>,
  squares: array<vec4<u32>, FOURS>,
}

var<private> blockBins: u32;
// Of each feature of the block: its row's first unit, and the value that is passed over.
var<private> rows: array<u32, FEATURES>;
var<private> skips: array<u32, FEATURES>;

// \`at\`: units from the first document that is added up on. What lies behind the last document is anything.
fn load(at: u32) -> Unit {
  var unit: Unit;
  for (var four = 0u; four < FOURS; four++) {
    unit.weights[four] = weights[at * FOURS + four];
    if (SQUARES) {
      unit.squares[four] = squares[at * FOURS + four];
    }
  }
  for (var feature = 0u; feature < FEATURES; feature++) {
    if (select(LISTED, params.listed != 0u, GENERIC)) {
      for (var four = 0u; four < FOURS; four++) {
        unit.values[feature] |= gathered(rows[feature], documents[at * FOURS + four], four);
      }
    } else {
      unit.values[feature] = data[rows[feature] + at];
    }
  }
  return unit;
}

fn addValue(feature: u32, value: u32, weight: u32, square: u32) {
  let bin = value - select(0u, share.firstBin, WINDOWED);
  if (WINDOWED && bin >= blockBins) {
    return;
  }
  if (SKIPS && value == skips[feature]) {
    return;
  }
  add(feature, bin, weight, square);
}

// Written out: an index into a vector that is no constant would put it into memory.
fn addUnit(unit: Unit) {
  for (var four = 0u; four < FOURS; four++) {
    let weight = unit.weights[four];
    let square = unit.squares[four];
    for (var feature = 0u; feature < FEATURES; feature++) {
      let values = unit.values[feature];
      addValue(feature, valueAt(values, 4u * four), weight.x, square.x);
      addValue(feature, valueAt(values, 4u * four + 1u), weight.y, square.y);
      addValue(feature, valueAt(values, 4u * four + 2u), weight.z, square.z);
      addValue(feature, valueAt(values, 4u * four + 3u), weight.w, square.w);
    }
  }
}

// The first documents of a unit, fewer than it has.
fn addPart(unit: Unit, present: u32) {
  for (var i = 0u; i < present; i++) {
    for (var feature = 0u; feature < FEATURES; feature++) {
      let value = valueAt(unit.values[feature], i);
      addValue(feature, value, unit.weights[i / 4u][i % 4u], unit.squares[i / 4u][i % 4u]);
    }
  }
}

fn flushIf(isFull: bool, thread: u32) {
  if (isFull) {
    flush(thread);
    flushed++;
  }
}

// All threads make as many rounds, so that they meet at the flushes. A round's loads are on their way meanwhile.
fn addDocuments(thread: u32, start: u32, length: u32) {
  let units = (length + UNIT - 1u) / UNIT;
  let whole = length / UNIT;
  let first = start / UNIT + thread;
  var left = params.flushRounds;
  for (var begin = 0u; begin < units; begin += IN_FLIGHT * THREADS) {
    let isFull = FLUSHES && left == 0u;
    left = select(left, params.flushRounds, isFull) - 1u;
    if (WRITTEN_OUT && begin + IN_FLIGHT * THREADS <= whole) {
      addRound(first + begin, thread, isFull);
      continue;
    }
    flushIf(isFull, thread);
    for (var i = 0u; i < IN_FLIGHT; i++) {
      let unit = begin + i * THREADS;
      if (WRITTEN_OUT && unit + thread < whole) {
        addUnit(load(first + unit));
      } else if (unit + thread < units) {
        addPart(load(first + unit), min(UNIT, length - (unit + thread) * UNIT));
      }
    }
  }
}

@compute @workgroup_size(THREADS)
fn sum(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let own = shareOf(block, blocks);
  if (own.length == 0u) {
    return;
  }
  share = own;
  blockBins = min(params.binsPerPass, params.bins - own.firstBin);
  for (var i = 0u; i < FEATURES; i++) {
    // Where the last block has fewer features it adds its last one up again, into tables that nobody reads.
    let feature = features[params.firstFeature + min(own.feature + i, params.features - 1u)];
    rows[i] = feature.x * params.pitch;
    skips[i] = feature.y;
  }
  prepare(thread);
  addDocuments(thread, own.start, own.length);
  finish(thread);
  // Never: a block without documents has returned.
  if (params.documents == 0u) {
    atomicStore(&totals[0], seen);
  }
}
`,
  "lib/sums": `// What every kernel of weighted sums is bound to, which part of a launch a block has, and how sums get into totals.
//
//   binding 0   the table's values, declared where they are read (values-*.wgsl)
//   binding 1   weights, four to a vector, of the documents that are added up, in their order
//   binding 2   their squares, likewise
//   binding 3   the documents' indices, likewise, where there is a list
//   binding 4   features: the row of each in the table, and the value whose documents are passed over
//   binding 5   totals[feature], of integers:  counts[bins], lower words of sums[bins], upper words[bins],
//                                              and as many of squares
//               totals[feature], of floats:    counts[bins], then for each flush of each segment sums[bins], and
//                                              squares[bins]; the host adds them up in doubles
//               without what is not asked for
//
// A block has some features, a segment of the documents and a window of bins. Blocks are numbered: features first, so
// that those that run at once read the same weights.

struct Params {
  // Documents that are added up, in segments of so many.
  documents: u32,
  segments: u32,
  segmentDocuments: u32,
  // Features of the launch, and where they begin in binding 4.
  features: u32,
  firstFeature: u32,
  // Units from one row of values to the next one.
  pitch: u32,
  // Bins of a feature, and of a pass.
  bins: u32,
  binsPerPass: u32,
  // Words of totals before the launch's, and of each feature.
  to: u32,
  featureWords: u32,
  // Rounds of a block between two flushes, and flushes of a block; its last one included.
  flushRounds: u32,
  flushes: u32,
  // Are the documents those of a list?
  listed: u32,
}

@group(0) @binding(1) var<storage, read> weights: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> squares: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> documents: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> features: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> totals: array<atomic<u32>>;
@group(0) @binding(6) var<uniform> params: Params;

// Before this text: const THREADS, and const FEATURES, those that a block adds up side by side.

// Are documents counted, and squares added up?
override COUNTS: bool;
override SQUARES: bool;
// Weights are floats, of the precision "fast".
override FLOATS: bool;

// What a block has of a launch; \`length\` documents from \`start\` on, none where there is no such block.
struct Share {
  feature: u32,
  segment: u32,
  firstBin: u32,
  start: u32,
  length: u32,
}

fn shareOf(block: vec3<u32>, blocks: vec3<u32>) -> Share {
  let number = block.y * blocks.x + block.x;
  let beside = (params.features + FEATURES - 1u) / FEATURES;
  let segment = number / beside % params.segments;
  let firstBin = number / beside / params.segments * params.binsPerPass;
  let start = segment * params.segmentDocuments;
  let isThere = firstBin < params.bins && start < params.documents;
  let length = select(0u, min(params.segmentDocuments, params.documents - start), isThere);
  return Share(number % beside * FEATURES, segment, firstBin, start, length);
}

var<private> share: Share;
// Flushes of this block so far.
var<private> flushed: u32;
// What atomics returned, used for show (see trish.wgsl).
var<private> seen: u32;

// Rows of a block's tables: the bins of its window, feature after feature.
fn tableRows() -> u32 {
  return FEATURES * params.binsPerPass;
}

// Is there such a bin? The last window, or the last block, may have fewer.
fn hasRow(row: u32) -> bool {
  return share.feature + row / params.binsPerPass < params.features
    && share.firstBin + row % params.binsPerPass < params.bins;
}

fn totalOf(row: u32) -> u32 {
  let feature = share.feature + row / params.binsPerPass;
  return params.to + feature * params.featureWords + share.firstBin + row % params.binsPerPass;
}

fn addCount(row: u32, count: u32) {
  if (count != 0u && hasRow(row)) {
    atomicAdd(&totals[totalOf(row)], count);
  }
}

// A sum of 64 bits: lower word, upper word.
alias Wide = vec2<u32>;

fn widened(word: u32) -> Wide {
  return Wide(word, u32(i32(word) >> 31u));
}

fn together(a: Wide, b: Wide) -> Wide {
  let lower = a.x + b.x;
  return Wide(lower, a.y + b.y + u32(lower < a.x));
}

// Adds to the sums (kind 0) or the sums of squares (1). Each atomic sees what the one before left, so the lower word's
// wraps are counted in any order.
fn addSum(row: u32, kind: u32, sum: Wide) {
  if (all(sum == Wide(0u)) || !hasRow(row)) {
    return;
  }
  let at = totalOf(row) + (u32(COUNTS) + 2u * kind) * params.bins;
  let before = atomicAdd(&totals[at], sum.x);
  let upper = sum.y + u32(before > ~sum.x);
  if (upper != 0u) {
    atomicAdd(&totals[at + params.bins], upper);
  }
}

// Adds to what this flush of this block left of a row, which no other block adds to.
fn addFloat(row: u32, kind: u32, sum: f32) {
  if (sum == 0f || !hasRow(row)) {
    return;
  }
  let slot = (share.segment * params.flushes + flushed) * (1u + u32(SQUARES)) + kind;
  let at = totalOf(row) + (u32(COUNTS) + slot) * params.bins;
  var before = atomicLoad(&totals[at]);
  loop {
    let after = bitcast<u32>(bitcast<f32>(before) + sum);
    let exchange = atomicCompareExchangeWeak(&totals[at], before, after);
    if (exchange.exchanged) {
      break;
    }
    before = exchange.old_value;
  }
}
`,
  "lib/texels-float-32": `// Texels of one 32-bit float: a word. Nothing is calculated with it, so that NaN, infinity and denormals pass as bits.

@group(1) @binding(0) var texels: texture_2d<f32>;

const PER_WORD = 1u;

fn texelBits(at: vec2<u32>) -> u32 {
  return bitcast<u32>(textureLoad(texels, at, 0).r);
}
`,
  "lib/texels-uint-16": `// Texels of one 16-bit integer: two to a word.

@group(1) @binding(0) var texels: texture_2d<u32>;

const PER_WORD = 2u;

fn texelBits(at: vec2<u32>) -> u32 {
  return textureLoad(texels, at, 0).r;
}
`,
  "lib/texels-unorm-8": `// Texels of one normalized byte: four to a word.

@group(1) @binding(0) var texels: texture_2d<f32>;

const PER_WORD = 4u;

// Loaded as byte / 255; the nearest byte is the one that was stored.
fn texelBits(at: vec2<u32>) -> u32 {
  return pack4x8unorm(vec4(textureLoad(texels, at, 0).r, 0.0, 0.0, 0.0));
}
`,
  "lib/texels-unorm-8x4": `// Texels of four normalized bytes, red first whatever the order in the texture: a word.

@group(1) @binding(0) var texels: texture_2d<f32>;

const PER_WORD = 1u;

// Loaded as byte / 255; the nearest byte is the one that was stored.
fn texelBits(at: vec2<u32>) -> u32 {
  return pack4x8unorm(textureLoad(texels, at, 0));
}
`,
  "lib/values-16": `// Values of two bytes, four to a pair of words.

@group(0) @binding(0) var<storage, read> data: array<vec2<u32>>;

alias Values = vec2<u32>;
// Documents of a unit, and of these fours, whose weights are a vector.
const UNIT = 4u;
const FOURS = 1u;

fn valueAt(values: Values, i: u32) -> u32 {
  return extractBits(select(values.x, values.y, i > 1u), i % 2u * 16u, 16u);
}

fn bitsOf(row: u32, document: u32) -> u32 {
  return valueAt(data[row + document / 4u], document % 4u);
}

// The values of four documents anywhere, as those of four that follow one another lie in a unit.
fn gathered(row: u32, four: vec4<u32>, number: u32) -> Values {
  return Values(
    bitsOf(row, four.x) | (bitsOf(row, four.y) << 16u),
    bitsOf(row, four.z) | (bitsOf(row, four.w) << 16u),
  );
}
`,
  "lib/values-4": `// Values of half a byte, eight to a word, the even document's in the lower half of its byte.

@group(0) @binding(0) var<storage, read> data: array<u32>;

alias Values = u32;
// Documents of a unit, and of these fours, whose weights are a vector.
const UNIT = 8u;
const FOURS = 2u;

fn valueAt(values: Values, i: u32) -> u32 {
  return extractBits(values, i * 4u, 4u);
}

fn bitsOf(row: u32, document: u32) -> u32 {
  return extractBits(data[row + document / 8u], document % 8u * 4u, 4u);
}

// The values of four documents anywhere, as those of four that follow one another lie in a unit.
fn gathered(row: u32, four: vec4<u32>, number: u32) -> Values {
  let low = bitsOf(row, four.x) | (bitsOf(row, four.y) << 4u);
  let high = bitsOf(row, four.z) | (bitsOf(row, four.w) << 4u);
  return (low | (high << 8u)) << (16u * number);
}
`,
  "lib/values-8": `// Values of a byte, four to a word.

@group(0) @binding(0) var<storage, read> data: array<u32>;

alias Values = u32;
// Documents of a unit, and of these fours, whose weights are a vector.
const UNIT = 4u;
const FOURS = 1u;

fn valueAt(values: Values, i: u32) -> u32 {
  return extractBits(values, i * 8u, 8u);
}

fn bitsOf(row: u32, document: u32) -> u32 {
  return extractBits(data[row + document / 4u], document % 4u * 8u, 8u);
}

// The values of four documents anywhere, as those of four that follow one another lie in a unit.
fn gathered(row: u32, four: vec4<u32>, number: u32) -> Values {
  let low = bitsOf(row, four.x) | (bitsOf(row, four.y) << 8u);
  let high = bitsOf(row, four.z) | (bitsOf(row, four.w) << 8u);
  return low | (high << 16u);
}
`,
  lower: `// The codes of one channel as 32-bit words, for the algorithms that count codes: found as per-lane finds them, so
// that every algorithm sees the same bins.
//
//   pixels -> scratch[count]: bins as they are, flow as NONE, which no kernel counts; flow to the counts behind the
//   cells
//
// Bound: the samples' bytes and four written for each.

override THREADS: u32;
override RANKED: bool;
override INTERLEAVED: u32;

// Vectors are counted by per-lane alone.
fn countSample(bits: Bits, to: u32) {}

@compute @workgroup_size(THREADS)
fn lower(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  var flow = vec3(0u);
  for (var at = id.x; at < params.count; at += blocks.x * THREADS) {
    let row = find(bitsAt((params.first + at) * INTERLEAVED + params.channel));
    if (RANKED) {
      flow += vec3<u32>(vec3(row) == vec3(0u, params.cells + 1u, params.cells + 2u));
      scratch[at] = select(NONE, row - 1u, row - 1u < params.cells);
    } else {
      scratch[at] = row;
    }
  }
  for (var kind = 0u; kind < 3u; kind++) {
    if (flow[kind] != 0u) {
      atomicAdd(&counts[params.to + params.cells + kind], flow[kind]);
    }
  }
}
`,
  pack: `// A rectangle of texels as dense samples, in the bits that the texture stores (lib/texels-*.wgsl).
//
//   texels     rows of \`rowSize\` texels, the first one at (left, top)
//   scratch    32-bit words of PER_WORD texels, the first in the lowest bits; what is past the end is 0
//
// Bound: the texels' bytes, read and written once.

override THREADS: u32;

@compute @workgroup_size(THREADS)
fn pack(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let words = (params.count + PER_WORD - 1u) / PER_WORD;
  for (var word = id.x; word < words; word += blocks.x * THREADS) {
    var bits = 0u;
    for (var i = 0u; i < PER_WORD; i++) {
      let texel = word * PER_WORD + i;
      if (texel < params.count) {
        let at = vec2(params.left + texel % params.rowSize, params.top + texel / params.rowSize);
        bits |= texelBits(at) << (i * (32u / PER_WORD));
      }
    }
    scratch[word] = bits;
  }
}
`,
  "per-block": `// One histogram a block in workgroup memory, filled with atomics, then added to the one in global memory.
//
//   workgroup memory:  word = [cell], 32 bits; a dispatch has fewer than 2^32 codes, so none can overflow
//
// Bound: workgroup atomics; lanes that meet in a cell, or in a bank, wait for one another.
// Source: The CUDA Handbook, histogram chapter: Per-Block Histograms; Hardavellas, Algorithm Overview.

override THREADS: u32;
override TABLE_WORDS: u32;

var<workgroup> table: array<atomic<u32>, TABLE_WORDS>;

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      atomicAdd(&table[codes[i]], 1u);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  eachWord(thread, block.x, blocks.x);
  workgroupBarrier();
  for (var cell = thread; cell < params.cells; cell += THREADS) {
    addCount(cell, atomicLoad(&table[cell]));
  }
}
`,
  "per-lane": `// per-lane (ours): a replica of the histogram for each bank of workgroup memory, so that no two lanes that run
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
`,
  "per-thread-64": `// A byte counter for each thread and each of up to 64 bins.
//
//   workgroup memory:  byte = [bin][column], column = swizzled thread
//                      thread bits [5:4][3:0] -> column bits [3:0][5:4], so bank = column / 4 = thread % 16, + 16
//                      in the odd rows where a row is no multiple of 32 words
//
// WGSL addresses no bytes, so four threads share a word and add to it with atomics: a thread's own byte is not
// touched by the others' additions, since none can overflow.
//
// Bound: what a byte holds, 63 words a thread; the plan has as many blocks as that takes.
// Source: Podlozhnyuk 2009, Implementation of oclHistogram64, Figures 1 and 2.

override THREADS: u32;
override TABLE_WORDS: u32;

var<workgroup> rows: array<atomic<u32>, TABLE_WORDS>;

// Bits [5:4] become [1:0], bits [3:0] become [5:2]: a bijection on each 64 threads.
fn swizzle(thread: u32) -> u32 {
  return (thread & ~63u) | ((thread & 15u) << 2u) | ((thread & 48u) >> 4u);
}

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  let column = swizzle(thread);
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      atomicAdd(&rows[codes[i] * (THREADS / 4u) + column / 4u], 1u << (column % 4u * 8u));
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  eachWord(thread, block.x, blocks.x);
  workgroupBarrier();
  // Thread t adds up row t, beginning a word further than its neighbour so that banks differ.
  if (thread < params.cells) {
    let width = THREADS / 4u;
    var pairs = 0u;
    for (var i = 0u; i < width; i++) {
      let quad = atomicLoad(&rows[thread * width + (thread + i) % width]);
      // 192 bytes of at most 252 sum to less than 2^16.
      pairs += (quad & 0x00ff00ffu) + ((quad >> 8u) & 0x00ff00ffu);
    }
    addCount(thread, (pairs & 0xffffu) + (pairs >> 16u));
  }
}
`,
  "per-thread": `// A histogram a thread, two 16-bit counters a word.
//
//   workgroup memory:  word = [row = cell / 2][column = thread = bank], [ cell 2r + 1 | cell 2r ]
//
// Bound: 32 threads a block, and few blocks a multiprocessor. The columns are summed after WORDS_PER_THREAD words,
// before 16 bits could overflow.
// Source: Nugteren et al. 2011, as described by Brown & Snoeyink 2012, section 4.2.

override THREADS: u32;
override TABLE_WORDS: u32;
override WORDS_PER_THREAD: u32;

var<workgroup> table: array<u32, TABLE_WORDS>;

// Thread t sums rows t, t + 32 … and clears them; it starts at column t, so that no two meet in a bank.
fn sumRows(thread: u32) {
  workgroupBarrier();
  for (var row = thread; row < (params.cells + 1u) / 2u; row += THREADS) {
    var low = 0u;
    var high = 0u;
    for (var i = 0u; i < THREADS; i++) {
      let at = row * THREADS + (thread + i) % THREADS;
      low += table[at] & 0xffffu;
      high += table[at] >> 16u;
      table[at] = 0u;
    }
    // Where the number of cells is odd the last row's high half stays 0, and so adds nothing past the end.
    addCount(2u * row, low);
    addCount(2u * row + 1u, high);
  }
  workgroupBarrier();
}

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  if (index > 0u && index % WORDS_PER_THREAD == 0u) {
    sumRows(thread);
  }
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      table[codes[i] / 2u * THREADS + thread] += 1u << (codes[i] % 2u * 16u);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  eachWord(thread, block.x, blocks.x);
  sumRows(thread);
}
`,
  "per-warp": `// One histogram for each 32 threads of a block; lanes that meet in a cell are kept apart by atomics.
//
//   workgroup memory:  word = [warp][cell]
//
// WGSL knows no warps that run in lock-step, so software tags (Listing 3) are refused; 32 neighbouring threads that
// share a table need not be a subgroup, since atomics keep any threads apart.
//
// Bound: collisions within a warp: time depends on the data.
// Source: Podlozhnyuk 2009, Implementation of oclHistogram256, Listing 3.

override THREADS: u32;
override TABLE_WORDS: u32;
override WARP: u32;

var<workgroup> tables: array<atomic<u32>, TABLE_WORDS>;

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  let table = thread / WARP * params.cells;
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      atomicAdd(&tables[table + codes[i]], 1u);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  eachWord(thread, block.x, blocks.x);
  workgroupBarrier();
  let size = THREADS / WARP * params.cells;
  for (var cell = thread; cell < params.cells; cell += THREADS) {
    var sum = 0u;
    for (var at = cell; at < size; at += params.cells) {
      sum += atomicLoad(&tables[at]);
    }
    addCount(cell, sum);
  }
}
`,
  privatized: `// A byte counter for each of 256 bins and each of 64 threads, 16 KB a block.
//
//   workgroup memory:  interleaved   word = [bin / 4][thread], the four bins of a quad in a word    (Figure 6)
//                      row           byte = [thread][bin], a histogram a row                        (Figure 4)
//                      column        byte = [bin][thread], a bin a row                              (Figure 5)
//
// WGSL addresses no bytes. In \`interleaved\` and \`row\` a word is one thread's own; in \`column\` four threads share it
// and add to it with atomics.
//
// Bound: what a byte holds, 63 words a thread. \`periodic\` then merges and clears the counters; \`avoid\` launches
// so many blocks that no thread gets more.
// Source: The CUDA Handbook, histogram chapter: Privatized (Per Thread) Histograms, Listings 5 to 8. Its kernel
// lacks a barrier after the periodic merge, and has one in a loop that some threads leave earlier.

override THREADS: u32;
override TABLE_WORDS: u32;
override WORDS_PER_THREAD: u32;
override PERIODIC: bool;
// 0: row, 1: column, 2: interleaved.
override LAYOUT: u32;

const QUADS = 64u;

var<workgroup> table: array<atomic<u32>, TABLE_WORDS>;

fn increment(bin: u32, thread: u32) {
  switch (LAYOUT) {
    case 0u: { addToOwn(thread * QUADS + bin / 4u, 1u << (bin % 4u * 8u)); }
    case 1u: { atomicAdd(&table[bin * (THREADS / 4u) + thread / 4u], 1u << (thread % 4u * 8u)); }
    default: { addToOwn(bin / 4u * THREADS + thread, 1u << (bin % 4u * 8u)); }
  }
}

// A word that no other thread adds to.
fn addToOwn(at: u32, amount: u32) {
  atomicStore(&table[at], atomicLoad(&table[at]) + amount);
}

// Reads a word of counters and clears it.
fn take(at: u32) -> u32 {
  let word = atomicLoad(&table[at]);
  atomicStore(&table[at], 0u);
  return word;
}

// Listing 7: thread t sums the bins 4t … 4t + 3 over all threads' counters, from a place of its own on, so that
// banks differ, in pairs of 16 bits (Listing 6): 64 bytes sum to less than 2^16. Barriers on both sides: the
// counters are all threads'.
fn mergeCounters(thread: u32) {
  workgroupBarrier();
  if (LAYOUT == 1u) {
    // The words of a row are all one bin's.
    let width = THREADS / 4u;
    for (var slot = 0u; slot < 4u; slot++) {
      let bin = 4u * thread + slot;
      var pairs = 0u;
      for (var i = 0u; i < width; i++) {
        let word = take(bin * width + (i + thread) % width);
        pairs += (word & 0x00ff00ffu) + ((word >> 8u) & 0x00ff00ffu);
      }
      addCount(bin, (pairs & 0xffffu) + (pairs >> 16u));
    }
  } else {
    var even = 0u;
    var odd = 0u;
    for (var i = 0u; i < THREADS; i++) {
      let other = (i + thread) % THREADS;
      let quad = take(select(thread * THREADS + other, other * QUADS + thread, LAYOUT == 0u));
      even += quad & 0x00ff00ffu;
      odd += (quad >> 8u) & 0x00ff00ffu;
    }
    addCount(4u * thread, even & 0xffffu);
    addCount(4u * thread + 1u, odd & 0xffffu);
    addCount(4u * thread + 2u, even >> 16u);
    addCount(4u * thread + 3u, odd >> 16u);
  }
  workgroupBarrier();
}

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  if (PERIODIC && index > 0u && index % WORDS_PER_THREAD == 0u) {
    mergeCounters(thread);
  }
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      increment(codes[i], thread);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  // More blocks than one dimension holds lie in two; the last ones are left over.
  let index = block.y * blocks.x + block.x;
  if (index < params.blocks) {
    eachWord(thread, index, params.blocks);
    mergeCounters(thread);
  }
}
`,
  read: `// The ceiling that kernels are measured against: nothing but 16-byte loads, IN_FLIGHT of them at a time.
//
//   sink ^= all words of the whole vectors
//
// Bound: the memory's bandwidth. Source: polybin.

override THREADS: u32;
override IN_FLIGHT: u32;

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

@compute @workgroup_size(THREADS)
fn readAll(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let threads = blocks.x * THREADS;
  let vectors = params.count;
  var sum = vec4(0u);
  var at = id.x;
  if (IN_FLIGHT == 8u) {
    for (; at + 7u * threads < vectors; at += 8u * threads) {
      sum ^= data[at] ^ data[at + threads] ^ data[at + 2u * threads] ^ data[at + 3u * threads] ^
        data[at + 4u * threads] ^ data[at + 5u * threads] ^ data[at + 6u * threads] ^ data[at + 7u * threads];
    }
  }
  if (IN_FLIGHT == 4u) {
    for (; at + 3u * threads < vectors; at += 4u * threads) {
      sum ^= data[at] ^ data[at + threads] ^ data[at + 2u * threads] ^ data[at + 3u * threads];
    }
  }
  if (IN_FLIGHT == 2u) {
    for (; at + threads < vectors; at += 2u * threads) {
      sum ^= data[at] ^ data[at + threads];
    }
  }
  for (; at < vectors; at += threads) {
    sum ^= data[at];
  }
  // Written by hardly any thread; the compiler cannot know.
  let word = sum.x ^ sum.y ^ sum.z ^ sum.w;
  if (word == 0x9e3779b9u) {
    scratch[0] = word;
  }
}
`,
  "trish.bytes": `// TRISH's Count for bytes (Figure 5). The k words of a thread in a loop are 16-byte batches and up to three single
// words:
//
//   a block's share:  [batch][thread] of 16 bytes, then [single word][thread] of 4

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

fn binWord(word: u32, thread: u32) {
  let a = increment(word & 0xffu, thread);
  let b = increment((word >> 8u) & 0xffu, thread);
  let c = increment((word >> 16u) & 0xffu, thread);
  let d = increment(word >> 24u, thread);
  seen ^= (a ^ b) ^ (c ^ d);
}

fn binBatch(batch: vec4<u32>, thread: u32) {
  binWord(batch.x, thread);
  binWord(batch.y, thread);
  binWord(batch.z, thread);
  binWord(batch.w, thread);
}

// A word of the buffer. By selection: an index that is no constant would put the vector into memory.
fn wordAt(at: u32) -> u32 {
  let batch = data[at / 4u];
  return select(
    select(batch.x, batch.y, at % 4u == 1u),
    select(batch.z, batch.w, at % 4u == 3u),
    at % 4u > 1u,
  );
}

// What is left of a share behind the batches by fours is read first and binned last, so that its loads are waited for
// while those are binned.
fn binShare(share: u32, thread: u32) {
  let batches = params.k / 4u;
  let singles = params.k % 4u;
  let fours = batches & ~3u;
  var at = share + thread;
  let rest = at + fours * THREADS;
  let hasTwo = (batches & 2u) != 0u;
  let hasOne = (batches & 1u) != 0u;
  var x: vec4<u32>;
  var y: vec4<u32>;
  var z: vec4<u32>;
  var words: vec3<u32>;
  if (hasTwo) {
    x = data[rest];
    y = data[rest + THREADS];
  }
  if (hasOne) {
    z = data[rest + select(0u, 2u * THREADS, hasTwo)];
  }
  if (singles > 0u) {
    let first = (share + batches * THREADS) * 4u + thread;
    words = vec3(wordAt(first), wordAt(first + THREADS), wordAt(first + 2u * THREADS));
  }
  for (var i = 0u; i < fours; i += 4u) {
    let a = data[at];
    let b = data[at + THREADS];
    let c = data[at + 2u * THREADS];
    let d = data[at + 3u * THREADS];
    binBatch(a, thread);
    binBatch(b, thread);
    binBatch(c, thread);
    binBatch(d, thread);
    at += 4u * THREADS;
  }
  if (hasTwo) {
    binBatch(x, thread);
    binBatch(y, thread);
  }
  if (hasOne) {
    binBatch(z, thread);
  }
  if (singles > 0u) {
    binWord(words.x, thread);
  }
  if (singles > 1u) {
    binWord(words.y, thread);
  }
  if (singles > 2u) {
    binWord(words.z, thread);
  }
}

// The row that is left over (section 5.5): at most k words a thread, with range checks, and the last bytes.
fn binLeftOver(first: u32, thread: u32, block: u32, blocks: u32) {
  let words = params.count / 4u;
  for (var word = first + block * THREADS + thread; word < words; word += blocks * THREADS) {
    binWord(wordAt(word), thread);
  }
  if (block == 0u && thread < params.count % 4u) {
    seen ^= increment((wordAt(words) >> (8u * thread)) & 0xffu, thread);
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let rowWords = blocks.x * THREADS * params.k;
  let rows = params.count / 4u / rowWords;
  var loops = 0u;
  for (var row = 0u; row < rows; row++) {
    // Not Figure 5's test, overflow >= 63 - k, which would sum a loop too early.
    if (loops == params.loops) {
      accumulate(thread);
      loops = 0u;
    }
    binShare((row * rowWords + block.x * THREADS * params.k) / 4u, thread);
    loops++;
  }
  if (loops == params.loops) {
    accumulate(thread);
  }
  binLeftOver(rows * rowWords, thread, block.x, blocks.x);
  accumulate(thread);
  writeHistogram(block.x, thread);
}
`,
  "trish.codes": `// TRISH's Count for 32-bit codes: the loads bind it.

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  if (index > 0u && index % (params.loops * params.k) == 0u) {
    accumulate(thread);
  }
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      seen ^= increment(codes[i], thread);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  eachWord(thread, block.x, blocks.x);
  accumulate(thread);
  writeHistogram(block.x, thread);
}
`,
  "trish.sum": `// TRISH's BlockSum: a thread a bin, or so many bins apart as there are threads; each block a batch of histograms.

override THREADS: u32;
override BINS: u32;
override BATCH: u32;

@compute @workgroup_size(THREADS)
fn blockSum(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) block: vec3<u32>) {
  let last = min(params.blocks, (block.x + 1u) * BATCH);
  for (var bin = thread; bin < params.cells; bin += THREADS) {
    var sum = 0u;
    for (var histogram = block.x * BATCH; histogram < last; histogram++) {
      sum += scratch[histogram * BINS + bin];
    }
    if (sum != 0u) {
      atomicAdd(&counts[params.to + bin], sum);
    }
  }
}
`,
  trish: `// Threaded Register Independent Strided Histogram: no thread meets another, and no time depends on the data.
//
//   workgroup memory, 16 KB:  word = [row = bin / 4][column = thread], four byte counters a word; bank = lane
//   registers:                thread t keeps the block's counts of the bins 4t … 4t + 3
//   scratch:                  word = [block][bin]
//
// Count: a thread bins k words, looks whether k more could pass what a byte holds, and if so the block sums its
// rows: thread t row t, from its own column on and round, in pairs of 16 bits. BlockSum adds the blocks' histograms.
//
// A word is one thread's own. It is added to by an atomic all the same: that is one instruction which nothing waits
// for, where a load, an addition and a store would each wait for the one before. What the atomics return is used, if
// only for show: of one that is not NVIDIA's compiler makes six instructions that look whether a warp's lanes all add
// to one word.
//
// Bound: one workgroup atomic a byte, and its address; and how few threads a multiprocessor has, 256 bytes each: on
// an H200 192, since Vulkan gives it 64 of its 228 KB.
// Source: Brown & Snoeyink 2012, sections 5.1 to 5.5, Figure 5.

override THREADS: u32;
override TABLE_WORDS: u32;

override BINS: u32;

var<workgroup> table: array<atomic<u32>, TABLE_WORDS>;
var<private> sums: vec4<u32>;
var<private> seen: u32;

fn increment(code: u32, thread: u32) -> u32 {
  return atomicAdd(&table[(code >> 2u) * THREADS + thread], 1u << ((code & 3u) * 8u));
}

// Adds row t to the sums and clears it. Section 5.3: the quad [3,2,1,0] as the pairs [*,2,*,0] and [*,3,*,1].
fn accumulate(thread: u32) {
  workgroupBarrier();
  var even = 0u;
  var odd = 0u;
  for (var i = 0u; i < THREADS; i++) {
    let at = thread * THREADS + (thread + i) % THREADS;
    let quad = atomicLoad(&table[at]);
    atomicStore(&table[at], 0u);
    even += quad & 0x00ff00ffu;
    odd += (quad >> 8u) & 0x00ff00ffu;
  }
  workgroupBarrier();
  sums += vec4(even & 0xffffu, odd & 0xffffu, even >> 16u, odd >> 16u);
}

fn writeHistogram(block: u32, thread: u32) {
  let to = block * BINS + 4u * thread;
  scratch[to] = sums.x;
  scratch[to + 1u] = sums.y;
  scratch[to + 2u] = sums.z;
  scratch[to + 3u] = sums.w;
  // Never: k is 1 at least.
  if (params.k == 0u) {
    scratch[to] = seen;
  }
}
`,
  "weighted-collision-free": `// weighted-collision-free: a histogram a thread, so that nothing ever meets and nothing needs an atomic.
//
//   workgroup memory, word = [row][thread]
//     counters    row = bin / 2: 16 bits a bin, the even one in the lower half
//     sums        row = bin: 32 bits, an integer or a float
//     squares     row = bin
//
// A thread reads several documents before it adds the first (N_unroll: IN_FLIGHT units). Then all histograms of a block
// are summed by rows: several threads to a row where there are more threads than rows, each from another place on.
//
// Nothing overflows: a thread's tables are flushed after 2,048 integers or 16,384 floats, which 16-bit counters hold.
//
// Bound: workgroup memory, of which few threads have enough; an addition waits for the load before it.
// Source: Xu et al., 4.2 Collision-Free Method, Figure 1, Table 5.

override ROWS: u32;
// Threads that add one row up.
override SHARERS: u32;

var<workgroup> table: array<array<u32, THREADS>, ROWS>;

var<private> lane: u32;

fn sumRow(bin: u32) -> u32 {
  return select(0u, (params.binsPerPass + 1u) / 2u, COUNTS) + bin;
}

fn squareRow(bin: u32) -> u32 {
  return sumRow(params.binsPerPass + bin);
}

fn prepare(thread: u32) {
  lane = thread;
}

fn add(feature: u32, bin: u32, weight: u32, square: u32) {
  if (COUNTS) {
    table[bin / 2u][lane] += 1u << (bin % 2u * 16u);
  }
  addWord(sumRow(bin), weight);
  if (SQUARES) {
    addWord(squareRow(bin), square);
  }
}

fn addWord(row: u32, amount: u32) {
  let before = table[row][lane];
  if (FLOATS) {
    table[row][lane] = bitcast<u32>(bitcast<f32>(before) + bitcast<f32>(amount));
  } else {
    table[row][lane] = before + amount;
  }
}

// The word of a row that a sharer reads in its step i, which begins anew.
fn taken(row: u32, turn: u32, i: u32) -> u32 {
  let column = turn + SHARERS * ((i + row) % (THREADS / SHARERS));
  let word = table[row][column];
  table[row][column] = 0u;
  return word;
}

fn takeCounts(pair: u32, turn: u32) {
  var even = 0u;
  var odd = 0u;
  for (var i = 0u; i < THREADS / SHARERS; i++) {
    let both = taken(pair, turn, i);
    even += both & 0xffffu;
    odd += both >> 16u;
  }
  addCount(2u * pair, even);
  addCount(2u * pair + 1u, odd);
}

fn takeSums(row: u32, turn: u32, bin: u32, kind: u32) {
  if (FLOATS) {
    var sum = 0f;
    for (var i = 0u; i < THREADS / SHARERS; i++) {
      sum += bitcast<f32>(taken(row, turn, i));
    }
    addFloat(bin, kind, sum);
  } else {
    var sum: Wide;
    for (var i = 0u; i < THREADS / SHARERS; i++) {
      sum = together(sum, widened(taken(row, turn, i)));
    }
    addSum(bin, kind, sum);
  }
}

fn flush(thread: u32) {
  workgroupBarrier();
  for (var at = thread; at < params.binsPerPass * SHARERS; at += THREADS) {
    let bin = at / SHARERS;
    let turn = at % SHARERS;
    if (COUNTS && bin % 2u == 0u) {
      takeCounts(bin / 2u, turn);
    }
    takeSums(sumRow(bin), turn, bin, 0u);
    if (SQUARES) {
      takeSums(squareRow(bin), turn, bin, 1u);
    }
  }
  workgroupBarrier();
}

fn finish(thread: u32) {
  flush(thread);
}
`,
  "weighted-collision-reduced": `// weighted-collision-reduced: as weighted-collision, but a thread first gathers N_buffer documents in a buffer of its
// own, where equal values become one; then the threads add their buffers to the block's table (lib/one-table.wgsl).
//
//   workgroup memory beside the table, word = [plane][unit][thread]
//     planes    the bin in the upper half and a count in the lower one; the sum of its weights; of their squares
//     place     (bin mod N_buffer + thread) mod N_buffer, then the next one (linear probing)
//
// Equal values of different threads stand in different units, so threads that add unit i together seldom meet. Units
// hold fewer than 2^16 documents and 2^31 in sums. The listing of the paper (Algorithm 2, line 28) stores the weight of
// a value that is there already; here it is added, as its text has it.
//
// Bound: the probing, and workgroup atomics, one round of them a unit and not a document.
// Source: Xu et al., 4.4 Collision-Reduced Method, Algorithm 2, Figure 3, Table 6.

// N_buffer.
override UNITS: u32;
// Words of all buffers: UNITS * THREADS, as often as there are planes.
override BUFFER_WORDS: u32;

// Bits by which a unit's bin stands above its count.
override VALUE_SHIFT: u32;

var<workgroup> buffers: array<u32, BUFFER_WORDS>;

// Documents since the buffer was empty.
var<private> gatheredSoFar: u32;
var<private> lane: u32;

fn prepare(thread: u32) {
  lane = thread;
}

fn wordOf(plane: u32, unit: u32) -> u32 {
  return (plane * UNITS + unit) * THREADS + lane;
}

fn countIn(found: u32) -> u32 {
  return extractBits(found, 0u, VALUE_SHIFT);
}

fn sumOfNumbers(a: u32, b: u32) -> u32 {
  if (FLOATS) {
    return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));
  }
  return a + b;
}

fn add(feature: u32, bin: u32, weight: u32, square: u32) {
  if (gatheredSoFar == UNITS) {
    empty();
  }
  gatheredSoFar++;
  var unit = (bin % UNITS + lane) % UNITS;
  var found = buffers[wordOf(0u, unit)];
  // One unit at least is free for a new value.
  while (countIn(found) != 0u && found >> VALUE_SHIFT != bin) {
    unit = select(unit + 1u, 0u, unit + 1u == UNITS);
    found = buffers[wordOf(0u, unit)];
  }
  let isNew = countIn(found) == 0u;
  buffers[wordOf(0u, unit)] = select(found, bin << VALUE_SHIFT, isNew) + 1u;
  let sum = wordOf(1u, unit);
  buffers[sum] = select(sumOfNumbers(buffers[sum], weight), weight, isNew);
  if (SQUARES) {
    let squared = wordOf(2u, unit);
    buffers[squared] = select(sumOfNumbers(buffers[squared], square), square, isNew);
  }
}

// Adds the units of a thread's buffer to the table.
fn empty() {
  for (var unit = 0u; unit < UNITS; unit++) {
    let found = buffers[wordOf(0u, unit)];
    if (countIn(found) == 0u) {
      continue;
    }
    var square = 0u;
    if (SQUARES) {
      square = buffers[wordOf(2u, unit)];
    }
    addToTable(found >> VALUE_SHIFT, countIn(found), buffers[wordOf(1u, unit)], square);
    buffers[wordOf(0u, unit)] = 0u;
  }
  gatheredSoFar = 0u;
}

fn flush(thread: u32) {
  empty();
  flushTable(thread);
}

fn finish(thread: u32) {
  flush(thread);
}
`,
  "weighted-collision": `// weighted-collision: one histogram a block (lib/one-table.wgsl), which all its threads add to with atomics. A thread
// reads several documents before it adds the first (N_unroll: IN_FLIGHT units).
//
// Sums of integers have 64 bits, so nothing is flushed on the way; float ones are, after 16,384 documents, since each
// addition to them is rounded.
//
// Bound: workgroup atomics; threads that meet in a cell wait for one another. WebGPU has no float atomics: an addition is
// a loop of compare-and-exchange.
// Source: Xu et al., 4.3 Collision Method, Figure 2, Table 6.

fn prepare(thread: u32) {}

fn add(feature: u32, bin: u32, weight: u32, square: u32) {
  addToTable(bin, 1u, weight, square);
}

fn flush(thread: u32) {
  flushTable(thread);
}

fn finish(thread: u32) {
  flush(thread);
}
`,
  "weighted-fixed-point": `// weighted-fixed-point (ours): integer weights, and a replica of the tables for each bank of workgroup memory, so that
// no two lanes that run together meet, whatever the data.
//
//   workgroup memory            R = replicas, a power of two; P = planes, the words of a cell
//     for each feature          u32 table[bins of a pass][P * R]: plane p, lane l at [bin][p * R + l mod R]
//     P = 1                     sum
//     P = 2, packed             count and the sum's upper bits, sum
//     P = 2, 3                  sum, square; with counts: count, sum, square
//     wide                      count (if asked for), sum, its upper word, square, its upper word
//
// With two planes of 16 replicas a bin's first words take the lower 16 banks and its second words the upper ones. So half
// of the lanes begin with the first plane and half with the second: each addition of a warp touches every bank once.
//
// Packed: a document adds 1 to the lower 14 bits of the first word and weight >> 18 above them. The sum of these, times
// 2^18, is below the true sum by less than 2^32, whose lower 32 bits the second word has: two words hold 50 bits. Sums of
// 32 and of 50 bits are flushed before they can overflow, into 64 bits in registers where there are threads enough for
// the rows, else into the totals. Counters of 32 bits do not overflow: a launch has fewer than 2^32 documents. Wide sums
// have two words; the addition to the lower one tells whether it wrapped.
//
// Bound: a workgroup atomic a value for each of its numbers, packed two.

override ROWS: u32;
override PACKED: bool;
// Of packed cells: bits of the counter, and what weights are shifted by beside it.
override COUNT_BITS: u32;
override COUNT_SHIFT: u32;
override WIDE: bool;
// Two planes, which half of the lanes add to the other way round.
override TURNED: bool;
// Threads that add one row's replicas up; and do its sums stay with them between flushes?
override SHARERS: u32;
override KEEPS: bool;

// Before this text: const PLANES, const REPLICAS. Two indices: see per-lane.wgsl.
var<workgroup> table: array<array<atomic<u32>, PLANES * REPLICAS>, ROWS>;

var<private> lane: u32;
var<private> isOther: bool;
// Of packed cells: documents that were taken from them.
var<private> count: u32;
var<private> keptCount: u32;
var<private> keptSum: Wide;
var<private> keptSquare: Wide;

// The planes of sums and of squares.
fn sumPlane() -> u32 {
  return u32(COUNTS);
}

fn squarePlane() -> u32 {
  return u32(COUNTS) + select(1u, 2u, WIDE);
}

fn prepare(thread: u32) {
  lane = thread % REPLICAS;
  isOther = thread / REPLICAS % 2u == 1u;
}

fn add(feature: u32, bin: u32, weight: u32, square: u32) {
  let row = feature * params.binsPerPass + bin;
  if (PACKED || TURNED) {
    let first = select(select(weight, 1u, COUNTS), upperOf(weight) | 1u, PACKED);
    addPair(row, first, select(square, weight, COUNTS));
    return;
  }
  if (COUNTS) {
    atomicAdd(&table[row][lane], 1u);
  }
  addWord(row, sumPlane() * REPLICAS + lane, weight);
  if (SQUARES) {
    addWord(row, squarePlane() * REPLICAS + lane, square);
  }
}

// What a packed weight adds above the count.
fn upperOf(weight: u32) -> u32 {
  return u32(i32(weight) >> COUNT_SHIFT) << COUNT_BITS;
}

// Adds to both planes of a cell.
fn addPair(row: u32, a: u32, b: u32) {
  let isSecond = TURNED && isOther;
  seen ^= atomicAdd(&table[row][select(lane, REPLICAS + lane, isSecond)], select(a, b, isSecond));
  seen ^= atomicAdd(&table[row][select(REPLICAS + lane, lane, isSecond)], select(b, a, isSecond));
}

fn addWord(row: u32, word: u32, amount: u32) {
  let before = atomicAdd(&table[row][word], amount);
  if (!WIDE) {
    seen ^= before;
    return;
  }
  let isNegative = i32(amount) < 0;
  // Wrapped, or borrowed: rare where weights have one sign.
  if ((before > ~amount) != isNegative) {
    atomicAdd(&table[row][word + REPLICAS], select(1u, 0xffffffffu, isNegative));
  }
}

// The replica that a sharer of a row reads in its step i: neighbouring rows begin at other banks.
fn replicaOf(row: u32, turn: u32, i: u32) -> u32 {
  return turn + SHARERS * ((i + row) % (REPLICAS / SHARERS));
}

// A word, which begins anew.
fn takenFrom(row: u32, word: u32) -> u32 {
  let value = atomicLoad(&table[row][word]);
  atomicStore(&table[row][word], 0u);
  return value;
}

// The sum in a lane's words of a plane.
fn sumIn(row: u32, plane: u32, replica: u32) -> Wide {
  let lower = takenFrom(row, plane * REPLICAS + replica);
  if (WIDE) {
    return Wide(lower, takenFrom(row, (plane + 1u) * REPLICAS + replica));
  }
  if (PACKED) {
    let first = takenFrom(row, replica);
    count += first & ((1u << COUNT_BITS) - 1u);
    let upper = i32(first) >> COUNT_BITS;
    let low = u32(upper) << COUNT_SHIFT;
    return together(Wide(low, u32(upper >> COUNT_BITS)), Wide(lower - low, 0u));
  }
  return widened(lower);
}

// The sum over a sharer's replicas of a row, which begin anew.
fn taken(row: u32, turn: u32, plane: u32) -> Wide {
  var sum: Wide;
  for (var i = 0u; i < REPLICAS / SHARERS; i++) {
    sum = together(sum, sumIn(row, plane, replicaOf(row, turn, i)));
  }
  return sum;
}

fn flush(thread: u32) {
  workgroupBarrier();
  for (var at = thread; at < tableRows() * SHARERS; at += THREADS) {
    let row = at / SHARERS;
    count = 0u;
    let sum = taken(row, at % SHARERS, sumPlane());
    var square: Wide;
    if (SQUARES) {
      square = taken(row, at % SHARERS, squarePlane());
    }
    if (KEEPS) {
      keptCount += count;
      keptSum = together(keptSum, sum);
      keptSquare = together(keptSquare, square);
    } else {
      addAll(row, count, sum, square);
    }
  }
  workgroupBarrier();
}

fn addAll(row: u32, number: u32, sum: Wide, square: Wide) {
  if (PACKED) {
    addCount(row, number);
  }
  addSum(row, 0u, sum);
  if (SQUARES) {
    addSum(row, 1u, square);
  }
}

fn finish(thread: u32) {
  flush(thread);
  for (var at = thread; at < tableRows() * SHARERS; at += THREADS) {
    let row = at / SHARERS;
    if (KEEPS) {
      addAll(row, keptCount, keptSum, keptSquare);
    }
    if (COUNTS && !PACKED) {
      var number = 0u;
      for (var i = 0u; i < REPLICAS / SHARERS; i++) {
        number += atomicLoad(&table[row][replicaOf(row, at % SHARERS, i)]);
      }
      addCount(row, number);
    }
  }
}
`,
} as const;

/** The name of a WGSL file. */
export type ShaderName = keyof typeof SHADERS;
