// What everybody writes first, a peer to measure against: one table, one JavaScript loop.
//
// usage: node loop.mjs FILE N     answers lines on stdin:
//   load    reads the file
//   run     counts once, prints milliseconds
//   counts  prints the 256 counts of the last run
import { closeSync, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";

const [path, n] = process.argv.slice(2);
const data = new Uint8Array(new SharedArrayBuffer(Number(n)));
let counts = new Uint32Array(256);

function load() {
  const file = openSync(path);
  for (let filled = 0; filled < data.length; ) filled += readSync(file, data, filled, data.length - filled);
  closeSync(file);
  return 0;
}

function count(bytes) {
  const table = new Uint32Array(256);
  for (let i = 0; i < bytes.length; i++) table[bytes[i]]++;
  return table;
}

function run() {
  const start = performance.now();
  counts = count(data);
  return performance.now() - start;
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(line === "load" ? load() : line === "run" ? run() : counts.join(" "));
}
