import { type Counter, type Engine, integer, openEngine } from "@polybin/core";
import { cuda, pinned } from "@polybin/cuda";
import { copyToCuda } from "../ceilings/cuda.ts";

// Measures whole calls of CUDA from JavaScript for a few seconds each, for tuning. The suites measure against peers and
// keep their results.

const RESIDENT = [13, 16, 20, 22, 24, 26, 28, 30];
const HOST = [16, 20, 22, 24, 26, 28];
/** Milliseconds per figure, and the minimum and maximum of rounds. */
const LONG = 400;
const LEAST = 15;
const MOST = 4000;
const AT_ONCE = 128;
const BATCH = 256;

/** Times in microseconds. */
interface Figure {
  readonly median: number;
  readonly p99: number;
  readonly rounds: number;
}

export async function latency(devices: number): Promise<object> {
  const options = devices > 1 ? { devices: Array.from({ length: devices }, (_, i) => i) } : {};
  await using engine = await openEngine({ backend: cuda(options) });
  const counter = await engine.prepare({ type: "u8", axis: integer(0, 256) });
  const resident: Record<string, object> = {};
  for (const power of RESIDENT) resident[`2^${power}`] = await ofResident(engine, counter, 2 ** power);
  const host: Record<string, object> = {};
  for (const power of HOST) host[`2^${power}`] = await ofHost(counter, 2 ** power);
  return { device: engine.device, resident, host };
}

async function ofResident(engine: Engine, counter: Counter, n: number): Promise<object> {
  const bytes = bytesOf(n, new Uint8Array(n));
  const truth = counter.countSync(bytes.subarray(0, Math.min(n, 2 ** 16)));
  await using resident = await engine.upload(bytes);
  const all = await counter.count(resident);
  // The bytes repeat every 2^16.
  const isExact = all.counts.every((count, i) => count * Math.min(n, 2 ** 16) === truth.counts[i]! * n);
  const many = (length: number) => Array.from({ length }, () => resident);
  return {
    isExact,
    sync: await measured(() => counter.countSync(resident)),
    awaited: await measured(() => counter.count(resident)),
    countAll: each(await measured(() => counter.countAll(many(BATCH))), BATCH),
    atOnce: each(await measured(() => Promise.all(many(AT_ONCE).map((of) => counter.count(of)))), AT_ONCE),
    engine: await measured(() => engine.histogram(resident)),
  };
}

async function ofHost(counter: Counter, n: number): Promise<object> {
  const pageable = bytesOf(n, new Uint8Array(n));
  const locked = bytesOf(n, pinned(n));
  const to = new Uint8Array(n).fill(1);
  const ceiling = async (memory: "pinned" | "pageable") => {
    const ms = await copyToCuda(n, LEAST, memory);
    return Math.round(median(ms) * 1e4) / 10;
  };
  return {
    memcpy: await measured(() => to.set(pageable)),
    pageableCopy: await ceiling("pageable"),
    pinnedCopy: await ceiling("pinned"),
    pageable: await measured(() => counter.count(pageable)),
    pinned: await measured(() => counter.count(locked)),
    pageableSync: await measured(() => counter.countSync(pageable)),
    pinnedSync: await measured(() => counter.countSync(locked)),
  };
}

/** Fills memory with the same 2^16 bytes. */
function bytesOf(n: number, bytes: Uint8Array): Uint8Array {
  const tile = Math.min(n, 2 ** 16);
  let state = 1;
  for (let i = 0; i < tile; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  for (let at = tile; at < n; at *= 2) bytes.copyWithin(at, 0, Math.min(at, n - at));
  return bytes;
}

async function measured(call: () => unknown): Promise<Figure | string> {
  try {
    for (let i = 0; i < 3; i++) await call();
    const times: number[] = [];
    const end = performance.now() + LONG;
    while (times.length < MOST && (times.length < LEAST || performance.now() < end)) {
      const start = performance.now();
      const called = call();
      // A finished call needs no turn of the event loop.
      if (called instanceof Promise) await called;
      times.push((performance.now() - start) * 1000);
    }
    times.sort((a, b) => a - b);
    const at = (part: number) => Math.round(times[Math.floor((times.length - 1) * part)]! * 10) / 10;
    return { median: at(0.5), p99: at(0.99), rounds: times.length };
  } catch (error) {
    return (error as Error).message;
  }
}

function each(figure: Figure | string, many: number): Figure | string {
  if (typeof figure === "string") return figure;
  const part = (us: number) => Math.round((us / many) * 100) / 100;
  return { median: part(figure.median), p99: part(figure.p99), rounds: figure.rounds };
}

function median(of: readonly number[]): number {
  return [...of].sort((a, b) => a - b)[of.length >> 1]!;
}
