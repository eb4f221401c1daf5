// A peer: the plain solution, one table and one JavaScript loop. See peer.mjs. Words:
//   checked  counts samples outside the range apart, as exact counts require
//   seen     runs the loop over arrays of three other types first, as in a program that counts several types
import { arrayOf, job, serve } from "./peer.mjs";

const { type, bins, lo, hi, channels, wanted, columns, edges, weighted, groups, words } = job;
const scale = bins / (hi - lo);
let data;
let weights;
let codes;
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
  for (let i = 0; i < values.length; i++) found[((values[i] - lo) * scale) | 0]++;
  return found;
}

/** The last three cells: underflow, overflow, NaN. */
function countChecked(values) {
  const found = new Uint32Array(bins + 3);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value >= lo && value < hi) found[((value - lo) * scale) | 0]++;
    else if (value < lo) found[bins]++;
    else if (value >= hi) found[bins + 1]++;
    else found[bins + 2]++;
  }
  return found;
}

/** Tables of the channels, one after the other. */
function countPixels(bytes) {
  const found = new Uint32Array(wanted * bins);
  for (let i = 0; i < bytes.length; i += channels)
    for (let channel = 0; channel < wanted; channel++) found[channel * bins + bytes[i + channel]]++;
  return found;
}

/** Finds each sample's bin by bisection. */
function countBetween(values) {
  const found = new Uint32Array(bins + 3);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    let low = 0;
    let high = bins;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (value >= edges[middle]) low = middle;
      else high = middle;
    }
    if (value >= edges[0] && value <= edges[bins]) found[low]++;
    else if (value < edges[0]) found[bins]++;
    else if (value > edges[bins]) found[bins + 1]++;
    else found[bins + 2]++;
  }
  return found;
}

function countPairs(xs) {
  const ys = data[1];
  const found = new Uint32Array(bins * bins);
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i];
    const y = ys[i];
    if (x >= lo && x < hi && y >= lo && y < hi)
      found[(((x - lo) * scale) | 0) * bins + (((y - lo) * scale) | 0)]++;
  }
  return found;
}

function addWeights(values) {
  const found = new Float64Array(bins);
  for (let i = 0; i < values.length; i++) found[((values[i] - lo) * scale) | 0] += weights[i];
  return found;
}

function countGroups(values) {
  const found = new Uint32Array(groups * bins);
  for (let i = 0; i < values.length; i++) found[codes[i] * bins + (((values[i] - lo) * scale) | 0)]++;
  return found;
}

function wayOf() {
  if (groups > 0) return countGroups;
  if (weighted) return addWeights;
  if (columns === 2) return countPairs;
  if (channels > 1) return countPixels;
  if (edges !== null) return countBetween;
  if (words.includes("checked")) return countChecked;
  return type === "u8" && bins === 256 ? countBytes : countValues;
}

const way = wayOf();

if (words.includes("seen")) {
  const span = hi - lo;
  // Integers are bins themselves.
  const some = Array.from({ length: 4096 }, (_, i) => lo + (span > 1 ? i % span : (i / 4096) * span));
  // A call site that has seen more than four types drops its optimisations and becomes another ten times slower.
  const types = [...new Set([arrayOf(type), Uint8Array, Float64Array, Uint16Array, Float32Array])].slice(
    0,
    4,
  );
  for (let round = 0; round < 50; round++) for (const array of types) way(array.from(some));
}

await serve({
  load: (samples, given, numbers) => {
    data = samples;
    weights = given;
    codes = numbers;
  },
  count: () => {
    table = way(data[0]);
  },
  counts: () => table.subarray(0, groups > 0 ? groups * bins : columns === 2 ? bins * bins : wanted * bins),
  segments: (each) => {
    tables = [];
    for (let at = 0; at < data[0].length; at += each) tables.push(way(data[0].subarray(at, at + each)));
  },
  row: (at) => tables[at].subarray(0, bins),
});
