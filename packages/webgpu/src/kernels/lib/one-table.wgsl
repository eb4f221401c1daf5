// One table per block in workgroup memory, which all of its threads add to.
//
//   word = [plane][bin of the pass]
//     planes    count, sum, its upper word, square, its upper word    integers: sums of 64 bits
//               count, sum, square                                    floats: sums of 32 bits
//                planes that are not requested do not exist

override WORDS: u32;

var<workgroup> table: array<atomic<u32>, WORDS>;

// Returns the first cell of a kind: weights (0) or squares (1).
fn planeOf(kind: u32) -> u32 {
  return (u32(COUNTS) + select(2u, 1u, FLOATS) * kind) * params.binsPerPass;
}

// Adds `count` documents, their weights and their squares.
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
  // The word wrapped, or borrowed. This is rare if all weights have one sign.
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

// Returns a word and clears it.
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
