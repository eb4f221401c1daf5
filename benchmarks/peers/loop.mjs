// What everybody writes first, a peer to measure against: one table, one JavaScript loop. See peer.mjs.
import { job, serve } from "./peer.mjs";

const { type, bins, lo, hi } = job;
let data;
let table;

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

const isBytes = type === "u8" && bins === 256;

await serve({
  load: (values) => {
    data = values;
  },
  count: () => {
    table = isBytes ? countBytes(data) : countValues(data);
  },
  counts: () => table,
});
