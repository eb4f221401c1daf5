import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Axis, cpu, type Engine, integer, openEngine, regular, type SampleType } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { WrongUse } from "../command/wrong-use.ts";
import { DISTRIBUTIONS, type Distribution, fill, type Values } from "../data/distributions.ts";
import { cPeer, Peer } from "../peers/process.ts";
import { provenance } from "../runner/machine.ts";
import { median } from "../runner/statistics.ts";

/**
 * Measures calls on a CPU from a few bytes on, in microseconds, alternately with plain loops. Each loop is measured new,
 * compiled for one type of array, and again after it has seen all other types.
 */
export async function benchSmall(args: readonly string[]): Promise<string> {
  const { quick, types, threads, mebibytes, distributions, out } = optionsOf(args);
  const engines = await Promise.all(
    threads.map((count) => openEngine({ backend: piscina({ threads: count }) })),
  );
  const oracle = await openEngine({ backend: cpu() });
  const rows: SmallRow[] = [];
  try {
    for (const type of types) {
      for (const bytes of sizesUpTo(mebibytes * 2 ** 20)) {
        for (const distribution of distributions) {
          const row = await measure({ type, bytes, distribution, quick }, engines, threads, oracle);
          rows.push(row);
          console.log(lineOf(row));
        }
      }
    }
  } finally {
    await Promise.all([...engines, oracle].map((engine) => engine.close()));
  }
  if (out !== undefined) writeFileSync(out, `${JSON.stringify({ ...provenance(), rows }, null, 1)}\n`);
  return out ?? "";
}

interface Cell {
  readonly type: SmallType;
  readonly bytes: number;
  readonly distribution: Distribution;
  readonly quick: boolean;
}

/** Medians in microseconds by contestant. */
interface SmallRow extends Cell {
  readonly us: Readonly<Record<string, number>>;
}

const TYPES = ["u8", "u16", "u32", "f32", "f64"] as const satisfies readonly SampleType[];
type SmallType = (typeof TYPES)[number];
const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };
/** Exclusive upper bounds of the samples. All types but bytes use 256 equal bins. */
const TOPS: Readonly<Record<SmallType, number>> = { u8: 256, u16: 2 ** 16, u32: 2 ** 32, f32: 100, f64: 100 };
const BINS = 256;
const axisOf = (type: SmallType): Axis => (type === "u8" ? integer(0, BINS) : regular(BINS, 0, TOPS[type]));

function optionsOf(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      types: { type: "string", default: TYPES.join() },
      threads: { type: "string", default: availableParallelism() > 1 ? "1,2" : "1" },
      mebibytes: { type: "string", default: "16" },
      distributions: { type: "string", default: "" },
      out: { type: "string" },
    },
  });
  const { quick } = values;
  const many = quick ? "uniform" : DISTRIBUTIONS.filter((name) => name !== "picture").join();
  return {
    quick,
    types: known(values.types, TYPES),
    threads: values.threads.split(",").map(positive),
    mebibytes: positive(values.mebibytes),
    distributions: known(values.distributions || many, DISTRIBUTIONS),
    out: values.out,
  };
}

function known<T extends string>(list: string, names: readonly T[]): T[] {
  return list.split(",").map((name) => {
    const found = names.find((one) => one === name);
    if (found === undefined) throw new WrongUse(`expected names of ${names.join(", ")} but received ${name}`);
    return found;
  });
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new WrongUse(`expected a number above 0 but received ${text}`);
  return value;
}

/** Lists sizes from 64 bytes on, each sixteen times the previous one, and the largest at the end. */
function sizesUpTo(most: number): number[] {
  const sizes: number[] = [];
  for (let bytes = 64; bytes < most; bytes *= 16) sizes.push(bytes);
  return [...sizes, most];
}

async function measure(
  cell: Cell,
  engines: readonly Engine[],
  threads: readonly number[],
  oracle: Engine,
): Promise<SmallRow> {
  const { type, bytes, distribution } = cell;
  const axis = axisOf(type);
  const top = TOPS[type];
  const data = new ARRAYS[type](bytes / ARRAYS[type].BYTES_PER_ELEMENT);
  fill(data, distribution, top);
  const truth = await oracle.histogram(data, { axis });
  const contestants: Record<string, () => unknown> = {};
  for (const name of ["plain", "checked"] as const) {
    const fresh = loopOf(name, type);
    const seen = loopOf(name, type);
    for (const of of TYPES) for (let i = 0; i < 200; i++) seen(new ARRAYS[of](64), top);
    contestants[name] = () => fresh(data, top);
    contestants[`${name}, seen`] = () => seen(data, top);
  }
  const counter = await engines[0]!.prepare({ type, axis });
  contestants.sync = () => counter.countSync(data);
  contestants.awaited = () => counter.count(data);
  // Workers are only measured where the calling thread does not count alone.
  if (bytes >= 2 ** 20) {
    for (const [i, engine] of engines.entries()) {
      const own = new ARRAYS[type](engine.allocate(bytes).buffer as ArrayBuffer, 0, data.length);
      own.set(data);
      const prepared = await engine.prepare({ type, axis });
      contestants[`${threads[i]} workers`] = () => prepared.count(own);
      contestants[`${threads[i]} workers, ordinary memory`] = () => prepared.count(data);
    }
  }
  for (const [name, call] of Object.entries(contestants)) {
    const found = (await call()) as { readonly counts?: ArrayLike<number> };
    if (found.counts === undefined) continue;
    const wrong = truth.counts.findIndex((count, bin) => count !== found.counts![bin]);
    if (wrong >= 0)
      throw new Error(
        `${name}, ${bytes} bytes of ${type}, ${distribution}: expected the exact count in bin ${wrong} but received another`,
      );
  }
  // Loops that have seen all types take so long that they would evict the next contestant's data from the caches.
  const [alone, seen] = [false, true].map((isSeen) => {
    return Object.fromEntries(
      Object.entries(contestants).filter(([name]) => name.endsWith("seen") === isSeen),
    );
  });
  return {
    ...cell,
    us: { ...(await inTurns(alone!, cell)), ...(await inTurns(seen!, cell)), ...(await cLoop(cell, data)) },
  };
}

/** Chooses the number of calls between two readings of the clock, so that the time can be measured. */
async function inTurns(
  contestants: Readonly<Record<string, () => unknown>>,
  { bytes, quick }: Cell,
): Promise<Record<string, number>> {
  const calls = Math.max(1, Math.round(65_536 / (bytes + 1024)));
  const isLong = bytes >= 2 ** 20 || Object.keys(contestants)[0]!.endsWith("seen");
  const rounds = isLong ? (quick ? 5 : 15) : quick ? 40 : 150;
  const times = new Map<string, number[]>();
  for (let round = -Math.ceil(rounds / 2); round < rounds; round++) {
    for (const [name, call] of Object.entries(contestants)) {
      const start = performance.now();
      for (let i = 0; i < calls; i++) {
        const result = call();
        if (result instanceof Promise) await result;
      }
      const us = ((performance.now() - start) * 1000) / calls;
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), us]);
    }
  }
  return Object.fromEntries([...times].map(([name, us]) => [name, median(us)]));
}

/** Functions of the same source share type feedback, so each gets its own source. */
let loops = 0;

type Loop = (values: Values, top: number) => Uint32Array;

/** Makes a plain loop, with or without a check of the range. Each call makes a function without type feedback. */
function loopOf(kind: "plain" | "checked", type: SmallType): Loop {
  const bin =
    type === "u8"
      ? "counts[values[i]]++;"
      : kind === "plain"
        ? "counts[(values[i] * scale) | 0]++;"
        : `const x = values[i];
           if (x >= 0 && x <= top) {
             const bin = (x * scale) | 0;
             counts[bin < ${BINS} ? bin : ${BINS - 1}]++;
           }`;
  return new Function(
    "values",
    "top",
    `const counts = new Uint32Array(${BINS});
     const scale = ${BINS} / top;
     for (let i = 0; i < values.length; i++) { ${bin} }
     return counts; // ${++loops}`,
  ) as Loop;
}

/** Measures C with eight tables on bytes, if a compiler is available. */
async function cLoop({ type, bytes, quick }: Cell, data: Values): Promise<Record<string, number>> {
  if (type !== "u8" || bytes < 2 ** 20) return {};
  const folder = mkdtempSync(join(tmpdir(), "polybin-small-"));
  const file = join(folder, "data");
  writeFileSync(file, data);
  const peer = cPeer(file, bytes, folder);
  try {
    if (!(peer instanceof Peer)) return {};
    await peer.load();
    const ms: number[] = [];
    for (let round = 0; round < (quick ? 7 : 15); round++) ms.push(await peer.run());
    return { "C, eight tables": median(ms) * 1000 };
  } finally {
    if (peer instanceof Peer) peer.close();
    rmSync(folder, { recursive: true });
  }
}

function lineOf({ type, bytes, distribution, us }: SmallRow): string {
  const all = Object.entries(us).map(([name, time]) => {
    return `${name} ${time.toFixed(time < 100 ? 2 : 0)} (${(bytes / time / 1000).toFixed(2)})`;
  });
  return `${type} ${bytes} ${distribution}, us (GB/s): ${all.join("; ")}`;
}
