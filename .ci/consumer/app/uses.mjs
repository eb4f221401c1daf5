// Every consumer does this with an engine: a page, a worker, Node, Deno and Bun. It uses all features that polybin loads on
// first use, so that a bundle without one of them fails.
import { Histogram, integer, regular } from "@polybin/core";

const BYTES = Uint8Array.of(1, 2, 2, 255);
const FLOATS = Float32Array.of(0.1, 0.6, 0.7, 7);
const FOUR = integer(0, 4);

/** Resolves to the results as plain data; `expected` in consumers.mjs has them. @param algorithm one of this backend */
export async function use(engine, algorithm) {
  const bytes = await engine.histogram(BYTES);
  const floats = await engine.histogram(FLOATS, { axis: regular(2, 0, 1) });
  const named = await engine.histogram(BYTES, { axis: FOUR, algorithm });
  const rows = await engine.segments(BYTES, { every: 2 }, { axis: FOUR });
  const weighed = await engine.histogram(BYTES, { axis: FOUR, weights: [0.5, 1, 2, 4] });
  // The compiled CPU kernels have no feature tables.
  const sums = engine.backend === "native" ? null : await tableSums(engine);
  const counter = await engine.prepare({ axis: FOUR });
  const counted = await counter.count(BYTES);
  const streamed = await engine.histogram(new Blob([BYTES]), { type: "u8", axis: FOUR });
  const read = Histogram.fromJSON(JSON.parse(JSON.stringify(bytes)));
  const { algorithm: explained } = (await engine.explain({ samples: 4, algorithm })).plan;
  return {
    bytes: [...bytes.counts.slice(0, 3), bytes.counts[255]],
    floats: [...floats.counts, floats.overflow],
    named: [named.algorithm, ...named.counts],
    explained,
    segments: [...rows.counts],
    weighed: [...weighed.sums],
    table: sums && [...sums.sums[0]],
    counter: [...counted.counts],
    stream: [...streamed.counts],
    read: [...read.counts.slice(1, 3)],
  };
}

async function tableSums(engine) {
  const table = await engine.table({ values: Uint8Array.of(0, 1, 1), features: 1, documents: 3, bins: 2 });
  return table.sums([1, 2, 4]);
}
