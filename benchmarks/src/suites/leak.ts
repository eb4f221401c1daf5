import { availableParallelism } from "node:os";
import { type Backend, cpu, type Engine, integer, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import type { Bench } from "../runner/bench.ts";
import { refusesSync } from "../runner/counter.ts";
import { type Footprint, footprint, growth } from "../runner/footprint.ts";
import type { Report } from "../runner/report.ts";
import type { HostOptions } from "./host-options.ts";

const OPTIONS = { axis: integer(0, 256) } as const;
const BYTES = 4096;
const SEGMENT = 64;
const CALLS = 1_000_000;
const QUICK_CALLS = 500;
/** Share of the calls before the first measurement, in which code is compiled and pools and tables grow. */
const WARM_SHARE = 0.05;
/** Calls in flight at once, and inputs of one `countAll`. */
const TOGETHER = 64;
/** The most seconds per kind of call. */
const SECONDS = 60;

/** Makes a number of calls of one kind. */
type Calls = (count: number) => Promise<unknown>;

/** Checks that millions of calls of every kind leave memory, handles and threads unchanged. Fails if they do not. */
export async function leak(bench: Bench): Promise<void> {
  const { target, report, options } = bench;
  await leakOf(report, target.backend(), {
    calls: options.calls ?? CALLS,
    hasTime: (what) => bench.hasTime(what),
  });
}

export async function leakOnHost(report: Report, { quick, hasTime }: HostOptions): Promise<void> {
  const calls = quick ? QUICK_CALLS : CALLS;
  for (const backend of [cpu(), piscina({ threads: Math.min(2, availableParallelism()) })])
    await leakOf(report, backend, { calls, hasTime });
}

async function leakOf(
  report: Report,
  backend: Backend,
  { calls, hasTime }: { readonly calls: number; hasTime(what: string): boolean },
): Promise<void> {
  await using engine = await openEngine({ backend });
  const found: Record<string, unknown> = {};
  for (const [kind, call] of await kindsOf(engine, report)) {
    const what = `leak, ${engine.backend}, ${kind}`;
    if (!hasTime(what)) continue;
    try {
      await many(call, Math.ceil(calls * WARM_SHARE), SECONDS * WARM_SHARE);
      const before = await footprint();
      const first = await timed(call, calls / 2);
      const middle = await footprint();
      const second = await timed(call, calls / 2);
      const after = await footprint();
      const [made, seconds] = [first.made + second.made, first.seconds + second.seconds];
      found[kind] = { calls: made, seconds, before, middle, after };
      const wrong = growth(middle, after);
      console.log(`${what}: ${made} calls in ${seconds.toFixed(1)} s: ${told(before, after)}`);
      if (wrong.length === 0) continue;
      report.miss(`${what}: LEAK: in ${second.made} calls ${wrong.join(", ")}`);
      process.exitCode = 1;
    } catch (error) {
      report.lose(what, error as Error);
    }
  }
  report.note(`leak, ${engine.backend}`, found, { backend: engine.backend, algorithm: "per-lane" });
}

/** Makes half of the calls. Allocators and pools still grow in the first half; a leak grows in the second one too. */
async function timed(call: Calls, calls: number) {
  const start = performance.now();
  const made = await many(call, calls, SECONDS / 2);
  return { made, seconds: (performance.now() - start) / 1000 };
}

/** Calls until the number or the time is reached. @returns the number of calls */
async function many(call: Calls, calls: number, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let made = 0;
  for (; made < calls && performance.now() < end; made += TOGETHER) await call(TOGETHER);
  return made;
}

async function kindsOf(engine: Engine, report: Report): Promise<readonly (readonly [string, Calls])[]> {
  const bytes = Uint8Array.from({ length: BYTES }, (_, i) => (i * 31) & 255);
  const resident = await engine.upload(bytes);
  const counter = await engine.prepare({ type: "u8", ...OPTIONS });
  const each = (call: () => Promise<unknown>): Calls => {
    return (count) => Promise.all(Array.from({ length: count }, call));
  };
  const why = refusesSync(counter, resident);
  if (why !== null) report.miss(`leak, ${engine.backend}, countSync: ${why}`);
  const sync: Calls = async (count) => {
    for (let i = 0; i < count; i++) counter.countSync(resident);
  };
  const accumulate: Calls = async (count) => {
    for (let i = 0; i < count; i++) await counter.accumulate(resident);
    await counter.take();
  };
  const prepare = async () => {
    await using more = await engine.prepare({ type: "u8", ...OPTIONS });
    await more.count(resident);
  };
  return [
    ["count", each(() => counter.count(resident))],
    ...(why === null ? ([["countSync", sync]] as const) : []),
    ["count, from the host", each(() => counter.count(bytes))],
    ["histogram", each(() => engine.histogram(resident, OPTIONS))],
    ["segments", each(() => engine.segments(resident, { every: SEGMENT }, OPTIONS))],
    ["countAll", (count) => counter.countAll(Array.from({ length: count }, () => resident))],
    ["accumulate", accumulate],
    ["upload", each(async () => (await engine.upload(bytes)).free())],
    ["prepare", each(prepare)],
  ];
}

function told(before: Footprint, after: Footprint): string {
  return (Object.keys(before) as (keyof Footprint)[])
    .map((name) => `${name} ${shown(name, before[name])} -> ${shown(name, after[name])}`)
    .join(", ");
}

function shown(name: keyof Footprint, value: number | null): string {
  if (value === null) return "?";
  return ["handles", "files", "threads"].includes(name)
    ? String(value)
    : `${(value / 2 ** 20).toFixed(1)} MiB`;
}
