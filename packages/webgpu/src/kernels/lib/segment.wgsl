// Leads a block through its documents. A thread takes units of four or eight documents, which are THREADS units apart.
// A unit has one or two words of values for each feature, and a vector of weights for all of them. A thread loads
// IN_FLIGHT units before it adds the first; both steps are unrolled (round.ts). That is a round. Between rounds, tables
// are flushed before they can overflow.
//
// A kernel provides `prepare`, `add`, `flush` and `finish`. `add` receives a document's bin in the window. All threads
// of a block call `flush` together.

// A block has a window of the bins only.
override WINDOWED: bool;
// Documents with one certain value are skipped for some feature.
override SKIPS: bool;
// The documents are those of a list. If GENERIC is set, the params decide that.
override LISTED: bool;
override GENERIC: bool;
// Tables are flushed during the work.
override FLUSHES: bool;

struct Unit {
  values: array<Values, FEATURES>,
  weights: array<vec4<u32>, FOURS>,
  squares: array<vec4<u32>, FOURS>,
}

var<private> blockBins: u32;
// For each feature of the block: its row's first unit, and the skipped value.
var<private> rows: array<u32, FEATURES>;
var<private> skips: array<u32, FEATURES>;

// `at` counts units from the first document that is added up. Data past the last document is arbitrary.
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

// Unrolled, because a variable index would put the vector into memory.
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

// Adds the first documents of a unit that is not full.
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

// All threads make the same number of rounds, so that they meet at the flushes. A round's loads run meanwhile.
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
    // If the last block has fewer features, it adds its last one up again, into tables that nobody reads.
    let feature = features[params.firstFeature + min(own.feature + i, params.features - 1u)];
    rows[i] = feature.x * params.pitch;
    skips[i] = feature.y;
  }
  prepare(thread);
  addDocuments(thread, own.start, own.length);
  finish(thread);
  // This never happens, because a block without documents has returned. It keeps the atomics' results in use.
  if (params.documents == 0u) {
    atomicStore(&totals[0], seen);
  }
}
