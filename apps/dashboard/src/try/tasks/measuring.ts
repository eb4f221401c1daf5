// Measures the tasks of the overview in a worker: on one thread, on the GPU, and by a plain loop.
import { cpu, type Engine, integer, openEngine, regular } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import type { Measured, Step } from "./step.ts";

/** Milliseconds that each way of a task is called, at least once. All tasks together take about 20 seconds. */
const BUDGET = 1200;
const PICTURE = 4000 * 3000;
const FRAME = 1920 * 1080;
const VALUES = 1e7;
const BINS = 100;
const GROUPS = 1000;
const CHANNELS = [0, 1, 2] as const;
const BYTE_AXIS = integer(0, 256);
const AXIS = regular(BINS, 0, 1);

const tell = (step: Step): void => postMessage(step);

/** A way to do a task. `counts` are compared before anything is timed. */
interface Way {
  readonly name: string;
  call(): Promise<ArrayLike<number>>;
}

/** Repeatable bytes, which look random to a counter. */
function bytes(length: number): Uint8Array {
  const words = new Uint32Array(length >> 2);
  let state = 0x9e3779b9;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer);
}

async function medianOf({ call }: Way): Promise<number> {
  const ms: number[] = [];
  const end = performance.now() + BUDGET;
  while (ms.length === 0 || performance.now() < end) {
    const start = performance.now();
    await call();
    ms.push(performance.now() - start);
  }
  return ms.toSorted((a, b) => a - b)[ms.length >> 1]!;
}

/** @throws an Error if two ways do not count the same */
async function measured(task: string, ways: readonly Way[], loop: Way | null): Promise<Measured> {
  const [first, ...others] = loop === null ? ways : [loop, ...ways];
  const expected = await first!.call();
  for (const other of others) {
    const found = await other.call();
    if (found.length !== expected.length || !Array.from(found).every((count, i) => count === expected[i]))
      throw new Error(`${task}: ${other.name} and ${first!.name} do not count the same`);
  }
  const times: (readonly [string, number])[] = [];
  for (const way of ways) times.push([way.name, await medianOf(way)]);
  const loopMs = loop === null ? null : await medianOf(loop);
  const [where, best] = times.reduce((a, b) => (b[1] < a[1] ? b : a));
  const all = [...times, ...(loopMs === null ? [] : [["a plain loop", loopMs] as const])];
  return {
    task,
    best,
    where,
    loopMs,
    all: all.map(([name, ms]) => `${name}: ${ms.toFixed(2)} ms`).join("; "),
  };
}

const flat = (channels: readonly { readonly counts: ArrayLike<number> }[]): number[] =>
  channels.flatMap(({ counts }) => Array.from(counts));

async function pixels(
  task: string,
  data: Uint8Array,
  engines: readonly Engine[],
  isResident: boolean,
): Promise<Measured> {
  const ways: Way[] = [];
  for (const engine of engines) {
    const counter = await engine.prepare({
      ...{ type: "u8", axis: BYTE_AXIS, interleaved: 4, channels: [...CHANNELS] },
    });
    const input = isResident ? await engine.upload({ data, channels: 4 }) : { data, channels: 4 };
    ways.push({ name: nameOf(engine), call: async () => flat([await counter.count(input)].flat()) });
  }
  const loop: Way = {
    name: "a plain loop",
    call: async () => {
      const found = new Uint32Array(3 * 256);
      for (let i = 0; i < data.length; i += 4)
        for (let channel = 0; channel < 3; channel++) found[channel * 256 + data[i + channel]!]!++;
      return found;
    },
  };
  return measured(task, ways, isResident ? null : loop);
}

async function column(values: Float64Array, engines: readonly Engine[]): Promise<Measured> {
  const ways = engines.map((engine): Way => {
    return {
      name: nameOf(engine),
      call: async () => (await engine.histogram(values, { axis: AXIS })).counts,
    };
  });
  const loop: Way = {
    name: "a plain loop",
    call: async () => {
      const found = new Uint32Array(BINS);
      for (let i = 0; i < values.length; i++) found[(values[i]! * BINS) | 0]!++;
      return found;
    },
  };
  return measured("column", ways, loop);
}

async function grouped(
  values: Float64Array,
  codes: Uint16Array,
  engines: readonly Engine[],
): Promise<Measured> {
  const by = { codes, groups: GROUPS };
  const ways = engines.map((engine): Way => {
    return {
      name: nameOf(engine),
      call: async () => (await engine.histogram(values, { axis: AXIS, by })).counts,
    };
  });
  const loop: Way = {
    name: "a plain loop",
    call: async () => {
      const found = new Uint32Array(GROUPS * BINS);
      for (let i = 0; i < values.length; i++) found[codes[i]! * BINS + ((values[i]! * BINS) | 0)]!++;
      return found;
    },
  };
  return measured("groups", ways, loop);
}

const nameOf = ({ backend }: Engine): string => (backend === "webgpu" ? "WebGPU" : "one thread");

/** Runs every task. A task that fails says why in its cell. */
export async function handle(): Promise<void> {
  await using onCpu = await openEngine({ backend: cpu() });
  // A list passes over software adapters, which say nothing about the reader's GPU.
  await using other = await openEngine({ backends: [webgpu()] });
  const gpu = other.backend === "webgpu" ? [other] : [];
  const engines = [onCpu, ...gpu];
  const run = async (task: string, about: string, work: () => Promise<Measured>) => {
    tell({ about });
    tell(await work().catch((error: Error) => ({ task, why: error.message })));
  };
  await run("picture", "a picture", () => pixels("picture", bytes(4 * PICTURE), engines, false));
  const words = new Uint32Array(bytes(4 * VALUES).buffer);
  // No value is near enough to an edge for a product to find another bin.
  const values = Float64Array.from(words, (word) => ((word >>> 8) + 0.5) / 2 ** 24);
  await run("column", "a column of doubles", () => column(values, engines));
  const codes = Uint16Array.from(words, (word) => (word & 0xffff) % GROUPS);
  await run("groups", "groups", () => grouped(values, codes, engines));
  if (gpu.length > 0)
    await run("frame", "a frame on the GPU", () => pixels("frame", bytes(4 * FRAME), gpu, true));
  else tell({ task: "frame", why: "no GPU through WebGPU here" });
  tell({ task: "file", why: "a page has no such file" });
  postMessage({ done: true });
}
