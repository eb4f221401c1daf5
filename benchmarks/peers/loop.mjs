// A peer: the plain solution, one table and one JavaScript loop. See peer.mjs. Words:
//   checked  counts samples outside the range apart, as exact counts require
//   seen     runs the loop over arrays of three other types first, as in a program that counts several types
import { job, serve } from "./peer.mjs";

const { type, bins, lo, hi, words } = job;
let data;
let table;
/** One table per segment. */
let tables;

function countBytes(bytes) {
  const found = new Uint32Array(256);
  for (let i = 0; i < bytes.length; i++) found[bytes[i]]++;
  return found;
}

function countValues(values) {
  const found = new Uint32Array(bins);
  const scale = bins / (hi - lo);
  for (let i = 0; i < values.length; i++) found[((values[i] - lo) * scale) | 0]++;
  return found;
}

/** The last three cells: underflow, overflow, NaN. */
function countChecked(values) {
  const found = new Uint32Array(bins + 3);
  const scale = bins / (hi - lo);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value >= lo && value < hi) found[((value - lo) * scale) | 0]++;
    else if (value < lo) found[bins]++;
    else if (value >= hi) found[bins + 1]++;
    else found[bins + 2]++;
  }
  return found;
}

const isBytes = type === "u8" && bins === 256;
const way = words.includes("checked") ? countChecked : isBytes ? countBytes : countValues;

if (words.includes("seen")) {
  const span = hi - lo;
  // Integers are bins themselves.
  const some = Array.from({ length: 4096 }, (_, i) => lo + (span > 1 ? i % span : (i / 4096) * span));
  const own = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array }[
    type
  ];
  // A call site that has seen more than four types drops its optimisations and becomes another ten times slower.
  const types = [...new Set([own, Uint8Array, Float64Array, Uint16Array, Float32Array])].slice(0, 4);
  for (let round = 0; round < 50; round++) for (const array of types) way(array.from(some));
}

await serve({
  load: (values) => {
    data = values;
  },
  count: () => {
    table = way(data);
  },
  counts: () => table.subarray(0, bins),
  segments: (each) => {
    tables = [];
    for (let at = 0; at < data.length; at += each) tables.push(way(data.subarray(at, at + each)));
  },
  row: (at) => tables[at].subarray(0, bins),
});
