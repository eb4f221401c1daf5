// weighted-collision-reduced: like weighted-collision, but a thread first gathers N_buffer documents in a buffer of its
// own, where equal values become one. Then the threads add their buffers to the block's table (lib/one-table.wgsl).
//
//   workgroup memory in addition to the table, word = [plane][unit][thread]
//     planes    the bin in the upper half and a count in the lower one; the sum of its weights; the sum of their squares
//     place     (bin mod N_buffer + thread) mod N_buffer, then the next one (linear probing)
//
// Equal values of different threads lie in different units, so threads that add unit i at the same time seldom meet.
// Units hold fewer than 2^16 documents and sums below 2^31. The paper's listing (Algorithm 2, line 28) stores the
// weight of a value that is already present. Here it is added, as the paper's text says.
//
// Bound: the probing, and workgroup atomics, with one round of them per unit instead of per document.
// Source: Xu et al., 4.4 Collision-Reduced Method, Algorithm 2, Figure 3, Table 6.

// N_buffer.
override UNITS: u32;
// Words of all buffers: UNITS * THREADS for each plane.
override BUFFER_WORDS: u32;

// The position of a unit's bin, above its count.
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
  // At least one unit is free for a new value.
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
