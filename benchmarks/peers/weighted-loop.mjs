// A peer: the plain solution for weighted histograms of many features, one JavaScript loop with counts and sums in typed
// arrays.
//
// usage: node weighted-loop.mjs VALUES WEIGHTS FEATURES BINS     answers lines on stdin:
//   load    reads the files: bytes, feature after feature, and one 32-bit float per document
//   run     adds once, prints the milliseconds
//   counts  prints each feature's counts and then its sums of the last run
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { createInterface } from "node:readline";

const [valuesFile, weightsFile, featuresText, binsText] = process.argv.slice(2);
const [features, bins] = [Number(featuresText), Number(binsText)];
const weights = new Float32Array(new Uint8Array(readFileSync(weightsFile)).buffer);
const documents = weights.length;
const values = new Uint8Array(features * documents);
let found;

function load() {
  const file = openSync(valuesFile);
  for (let filled = 0; filled < values.length; )
    filled += readSync(file, values, filled, values.length - filled);
  closeSync(file);
  return 0;
}

function addUp(row, counts, sums) {
  for (let i = 0; i < row.length; i++) {
    const bin = row[i];
    counts[bin]++;
    sums[bin] += weights[i];
  }
}

function run() {
  const start = performance.now();
  found = [];
  for (let feature = 0; feature < features; feature++) {
    const [counts, sums] = [new Uint32Array(bins), new Float64Array(bins)];
    addUp(values.subarray(feature * documents, (feature + 1) * documents), counts, sums);
    found.push(counts, sums);
  }
  return performance.now() - start;
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(
    line === "load" ? load() : line === "run" ? run() : found.map((array) => array.join(" ")).join(" "),
  );
}
