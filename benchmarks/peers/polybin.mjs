// A contestant: polybin itself, in a process of its own as every peer, so that all of them have seen one type of array. See
// peer.mjs. Words:
//   backend=B      cpu, native or piscina
//   threads=T      with T threads
//   memory=shared  has the samples in memory of `engine.allocate`
//   precision=fast adds up weights in floats
// Ways of `calls`: count, which is awaited, and countSync.
import { histogram } from "@polybin/columns";
import { cpu, integer, openEngine, regular, variable } from "@polybin/core";
import { wholeRange } from "@polybin/core/backend";
import { native } from "@polybin/native";
import { piscina } from "@polybin/piscina";
import { job, serve } from "./peer.mjs";

const { type, bins, lo, hi, channels, wanted, columns, edges, weighted, groups, words, named } = job;
const threads = Number(named.threads);
const BACKENDS = { cpu, native: () => native({ threads }), piscina: () => piscina({ threads }) };

function axisOf() {
  if (edges !== null) return variable(edges);
  if (type === "u8" && bins === 256) return integer(0, 256);
  return type === "f32" || type === "f64" ? regular(bins, lo, hi) : wholeRange(type, bins);
}

const axis = axisOf();
const engine = await openEngine({ backend: BACKENDS[named.backend]() });
const precision = named.precision === undefined ? {} : { precision: named.precision };
const wantedChannels = Array.from({ length: wanted }, (_, channel) => channel);

function prepare() {
  const column = { type, axis };
  if (weighted) return engine.prepare({ columns: [column], weights: "f32", ...precision });
  if (groups > 0) return engine.prepare({ columns: [column], by: { type: "u16", groups } });
  if (columns === 2) return engine.prepare({ columns: [column, column] });
  if (channels > 1) return engine.prepare({ type, axis, interleaved: channels, channels: wantedChannels });
  return engine.prepare({ type, axis });
}

/** A file of NumPy, opened and read by every call. */
const streamed = words.includes("streamed");
const counter = streamed ? null : await prepare();
let input;
let found;

function inputOf(samples, weights, codes) {
  if (groups > 0) return { columns: samples, by: codes };
  if (weighted) return { columns: samples, weights };
  if (columns === 2) return samples;
  return channels > 1 ? { data: samples[0], channels } : samples[0];
}

await serve({
  allocate: named.memory === "shared" ? (bytes) => engine.allocate(bytes) : undefined,
  load: (samples, weights, codes) => {
    input = samples.length === 0 ? undefined : inputOf(samples, weights, codes);
  },
  count: (way) => {
    if (streamed) found = histogram(engine, job.path, { bins, range: [lo, hi] });
    else found = way === "countSync" ? counter.countSync(input) : counter.count(input);
    return found;
  },
  about: async () => {
    const [{ algorithm }] = [await found].flat();
    return { backend: engine.backend, device: engine.device, algorithm };
  },
  // All counts or sums, then what lies outside the bins.
  counts: async () => {
    const all = [await found].flat();
    if (columns === 2 || groups > 0) return all[0].counts;
    const flows = weighted ? [] : all.flatMap(({ underflow, overflow, nan }) => [underflow, overflow, nan]);
    return [...all.flatMap(({ counts, sums }) => [...(weighted ? sums : counts)]), ...flows];
  },
});
await engine.close();
