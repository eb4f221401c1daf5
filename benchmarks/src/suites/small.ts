import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Axis, cpu, type Engine, integer, openEngine, regular } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { TYPES } from "../axes/cell.ts";
import { DISTRIBUTIONS, type Distribution, fill, type Values } from "../data/distributions.ts";
import { arrayOf, pixelBytes, type Shape } from "../data/tile.ts";
import { cPeer, Peer } from "../peers/process.ts";
import { Scope } from "../runner/scope.ts";
import { median } from "../runner/statistics.ts";
import { checkSame, known, mediansInTurns, positive, saved } from "./in-turns.ts";

/**
 * Measures calls on a CPU from a few bytes on, in microseconds, alternately with plain loops. Each loop is measured new,
 * compiled for one type of array, and again after it has seen all other types.
 */
export async function benchSmall(args: readonly string[]): Promise<string> {
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
  const [types, threads] = [
    known(values.types, TYPES),
    values.threads.split(",").map((text) => positive(text)),
  ];
  const many = quick ? "uniform" : DISTRIBUTIONS.filter((name) => name !== "picture").join();
  const distributions = known(values.distributions || many, DISTRIBUTIONS);
  const sizes = sizesUpTo(positive(values.mebibytes) * 2 ** 20);
  await using scope = new Scope();
  const sides: Side[] = [];
  for (const count of threads) {
    const engine = scope.own(await openEngine({ backend: piscina({ threads: count }) }));
    sides.push({ threads: count, engine });
  }
  const oracle = scope.own(await openEngine({ backend: cpu() }));
  const rows: SmallRow[] = [];
  for (const type of types) {
    for (const bytes of sizes) {
      for (const distribution of distributions) {
        const row = await measure({ type, bytes, distribution, quick }, sides, oracle);
        rows.push(row);
        console.log(lineOf(row));
      }
    }
  }
  return saved(values.out, rows);
}

interface Side {
  readonly engine: Engine;
  readonly threads: number;
}

type Type = Shape["type"];

interface Cell {
  readonly type: Type;
  readonly bytes: number;
  readonly distribution: Distribution;
  readonly quick: boolean;
}

/** Medians in microseconds by contestant. */
interface SmallRow extends Cell {
  readonly us: Readonly<Record<string, number>>;
}

/** Exclusive upper bounds of the samples. All types but bytes use 256 equal bins. */
const TOPS: Readonly<Record<Type, number>> = { u8: 256, u16: 2 ** 16, u32: 2 ** 32, f32: 100, f64: 100 };
const BINS = 256;
const axisOf = (type: Type): Axis => (type === "u8" ? integer(0, BINS) : regular(BINS, 0, TOPS[type]));
const samplesIn = (type: Type, bytes: number) => bytes / pixelBytes({ type, channels: 1, top: 0 });

/** Lists sizes from 64 bytes on, each sixteen times the previous one, and the largest at the end. */
function sizesUpTo(most: number): number[] {
  const sizes: number[] = [];
  for (let bytes = 64; bytes < most; bytes *= 16) sizes.push(bytes);
  return [...sizes, most];
}

type Contestants = Record<string, () => unknown>;

async function measure(cell: Cell, sides: readonly Side[], oracle: Engine): Promise<SmallRow> {
  const { type, bytes, distribution } = cell;
  const [axis, top] = [axisOf(type), TOPS[type]];
  const data = arrayOf(type, samplesIn(type, bytes));
  fill(data, distribution, top);
  const alone: Contestants = {};
  // Loops that have seen all types take so long that they would evict the next contestant's data from the caches.
  const seen: Contestants = {};
  for (const name of ["plain", "checked"] as const) {
    const [fresh, old] = [loopOf(name, type), loopOf(name, type)];
    for (const of of TYPES) for (let i = 0; i < 200; i++) old(arrayOf(of, 64), top);
    alone[name] = () => fresh(data, top);
    seen[`${name}, seen`] = () => old(data, top);
  }
  const counter = await sides[0]!.engine.prepare({ type, axis });
  alone.sync = () => counter.countSync(data);
  alone.awaited = () => counter.count(data);
  // Workers are only measured where the calling thread does not count alone.
  for (const { engine, threads } of bytes >= 2 ** 20 ? sides : []) {
    const own = arrayOf(type, data.length, engine.allocate(bytes));
    own.set(data);
    const prepared = await engine.prepare({ type, axis });
    alone[`${threads} workers`] = () => prepared.count(own);
    alone[`${threads} workers, ordinary memory`] = () => prepared.count(data);
  }
  const truth = await oracle.histogram(data, { axis });
  for (const [name, call] of Object.entries({ ...alone, ...seen })) {
    const { counts } = (await call()) as { readonly counts?: ArrayLike<number> };
    if (counts) checkSame(`${name}, ${bytes} bytes of ${type}, ${distribution}`, truth.counts, counts);
  }
  const us = {
    ...(await inTurns(alone, cell)),
    ...(await inTurns(seen, cell)),
    ...(await cLoop(cell, data)),
  };
  return { ...cell, us };
}

/** Chooses the number of calls between two readings of the clock, so that the time can be measured. */
async function inTurns(contestants: Contestants, { bytes, quick }: Cell): Promise<Record<string, number>> {
  const calls = Math.max(1, Math.round(65_536 / (bytes + 1024)));
  const isLong = bytes >= 2 ** 20 || Object.keys(contestants)[0]!.endsWith("seen");
  const rounds = isLong ? (quick ? 5 : 15) : quick ? 40 : 150;
  const medians = await mediansInTurns(contestants, [-Math.ceil(rounds / 2), rounds], async (call) => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) {
      const result = call();
      if (result instanceof Promise) await result;
    }
    return [((performance.now() - start) * 1000) / calls];
  });
  return Object.fromEntries([...medians].map(([name, [us]]) => [name, us!]));
}

/** Functions of the same source share type feedback, so each gets its own source. */
let loops = 0;

/** Makes a plain loop, with or without a check of the range. Each call makes a function without type feedback. */
function loopOf(kind: "plain" | "checked", type: Type): (values: Values, top: number) => Uint32Array {
  const checked = `const x = values[i];
           if (x >= 0 && x <= top) {
             const bin = (x * scale) | 0;
             counts[bin < ${BINS} ? bin : ${BINS - 1}]++;
           }`;
  const plain = type === "u8" ? "counts[values[i]]++;" : "counts[(values[i] * scale) | 0]++;";
  return new Function(
    "values",
    "top",
    `const counts = new Uint32Array(${BINS});
     const scale = ${BINS} / top;
     for (let i = 0; i < values.length; i++) { ${kind === "plain" || type === "u8" ? plain : checked} }
     return counts; // ${++loops}`,
  ) as ReturnType<typeof loopOf>;
}

/** Measures C with eight tables on bytes, if a compiler is available. */
async function cLoop({ type, bytes, quick }: Cell, data: Values): Promise<Record<string, number>> {
  if (type !== "u8" || bytes < 2 ** 20) return {};
  await using scope = new Scope();
  const folder = scope.folder();
  const file = join(folder, "data");
  writeFileSync(file, data);
  const peer = cPeer(file, bytes, folder);
  if (!(peer instanceof Peer)) return {};
  scope.own(peer);
  await peer.load();
  const ms: number[] = [];
  for (let round = 0; round < (quick ? 7 : 15); round++) ms.push(await peer.run());
  return { "C, eight tables": median(ms) * 1000 };
}

function lineOf({ type, bytes, distribution, us }: SmallRow): string {
  const all = Object.entries(us).map(([name, time]) => {
    return `${name} ${time.toFixed(time < 100 ? 2 : 0)} (${(bytes / time / 1000).toFixed(2)})`;
  });
  return `${type} ${bytes} ${distribution}, us (GB/s): ${all.join("; ")}`;
}
