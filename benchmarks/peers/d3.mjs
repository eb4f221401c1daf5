// A peer: d3-array's bin(), which keeps the samples of each bin. See peer.mjs.
import { bin } from "d3-array";
import { job, serve } from "./peer.mjs";

const { bins, lo, hi } = job;
const inner = Array.from({ length: bins - 1 }, (_, i) => lo + ((i + 1) * (hi - lo)) / bins);
const binned = bin().domain([lo, hi]).thresholds(inner);
let data;
let found;

await serve({
  load: ([values]) => {
    data = values;
  },
  count: () => {
    found = binned(data);
  },
  counts: () => found.map(({ length }) => length),
});
