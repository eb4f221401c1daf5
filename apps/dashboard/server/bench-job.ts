import { randomFillSync } from "node:crypto";
import { type Engine, openEngine, PolybinError, type Slug } from "@polybin/core";
import type { Backends } from "./backends.ts";
import type { Tell } from "./lines.ts";
import { Refusal } from "./refusal.ts";

const LEAST_POWER = 10;
const MOST_POWER = 28;
const MOST_ROUNDS = 200;
const MOST_K = 63;
/** The data repeat a piece of this size in bytes. Its counts times the number of repeats are the exact counts. */
const PIECE_BYTES: number = 2 ** 20;
/** Rounds that do not count, because they compile kernels and wake the device. */
const WARM_UP = 2;

/** Makes one byte of a distribution from a random byte and its place in the piece. */
const DISTRIBUTIONS: Readonly<Record<string, (random: number, at: number) => number>> = {
  uniform: (random) => random,
  zeros: () => 0,
  ramp: (_random, at) => at & 255,
  two: (random) => (random & 1) * 255,
};

/** A benchmark requested by the page: bytes in 256 bins, resident if the backend has memory of its own. */
export interface BenchRequest {
  readonly backend: string;
  readonly algorithm: Slug | "auto";
  readonly distribution: string;
  /** 2^power samples. */
  readonly power: number;
  readonly rounds: number;
  /** TRISH's k; null for other algorithms, and for the plan's own choice. */
  readonly k: number | null;
}

/** Checks a request. @throws Refusal 400 for any value outside the few that are allowed. */
export function benchRequest(
  body: Readonly<Record<string, unknown>>,
  backends: readonly string[],
): BenchRequest {
  const text = (name: string): string => {
    const value = body[name];
    if (typeof value !== "string" || !/^[a-z0-9-]{1,40}$/.test(value)) throw wrong(name, "a short name");
    return value;
  };
  const whole = (name: string, least: number, most: number): number => {
    const value = body[name];
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
      throw wrong(name, `a whole number from ${least} to ${most}`);
    }
    return value;
  };
  const backend = text("backend");
  if (!backends.includes(backend)) throw wrong("backend", `one of ${backends.join(", ")}`);
  const distribution = text("distribution");
  if (!Object.hasOwn(DISTRIBUTIONS, distribution)) {
    throw wrong("distribution", `one of ${Object.keys(DISTRIBUTIONS).join(", ")}`);
  }
  // The engine knows the slugs and refuses the others.
  const algorithm = text("algorithm") as Slug | "auto";
  if (body.k !== undefined && algorithm !== "trish") throw wrong("k", "nothing, because only trish has it,");
  return {
    backend,
    distribution,
    algorithm,
    power: whole("power", LEAST_POWER, MOST_POWER),
    rounds: whole("rounds", 1, MOST_ROUNDS),
    k: body.k === undefined ? null : whole("k", 1, MOST_K),
  };
}

const wrong = (name: string, what: string) => new Refusal(400, "ERR_INPUT", `expected ${what} for ${name}`);

/** Backends that read the memory of the host, whose ceiling is the plain copy of the same bytes. */
const ON_HOST: readonly string[] = ["cpu", "piscina"];
const COPIES = 7;

/** Counts the same bytes repeatedly and reports the milliseconds of every round. */
export async function bench(
  request: BenchRequest,
  backends: Backends,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  const { backend, algorithm, distribution, power, rounds, k } = request;
  const n = 2 ** power;
  const total = WARM_UP + rounds;
  tell({ event: "stage", stage: "data" });
  const data = bytesOf(distribution, n);
  const exact = await exactCounts(data, signal);
  if (ON_HOST.includes(backend)) tell({ event: "ceiling", gbps: copyRate(data) });
  tell({ event: "stage", stage: "open" });
  await using engine = await openEngine({ backend: await backends.load(backend) });
  await using resident = await engine.upload(data, { signal });
  const options = { algorithm, signal, ...(k === null ? {} : { k }) };
  for (let round = 0; round < total; round++) {
    signal.throwIfAborted();
    const start = performance.now();
    const found = await engine.histogram(resident, options);
    const ms = performance.now() - start;
    // A separate call, because measuring the kernels makes a call slower.
    const { timings } = await engine.histogram(resident, { ...options, timings: true });
    if (!found.counts.every((count, value) => count === exact[value])) throw differing(engine, algorithm);
    tell({
      event: "round",
      round: round + 1,
      total,
      warm: round >= WARM_UP,
      algorithm: found.algorithm,
      device: engine.device,
      ms,
      kernelMs: timings?.kernelMs ?? null,
      gbps: n / ms / 1e6,
    });
    // Lets a pending stop arrive between two rounds, however short they are.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function bytesOf(distribution: string, n: number): Uint8Array {
  const piece = randomFillSync(new Uint8Array(Math.min(n, PIECE_BYTES)));
  const value = DISTRIBUTIONS[distribution]!;
  for (let at = 0; at < piece.length; at++) piece[at] = value(piece[at]!, at);
  const data = new Uint8Array(new SharedArrayBuffer(n));
  for (let at = 0; at < n; at += piece.length) data.set(piece, at);
  return data;
}

/** Returns the GB/s of the fastest plain copy of these bytes by one thread. */
function copyRate(data: Uint8Array): number {
  const into = new Uint8Array(data.length);
  const ms = Array.from({ length: COPIES }, () => {
    const start = performance.now();
    into.set(data);
    return performance.now() - start;
  });
  return data.length / Math.min(...ms) / 1e6;
}

/** Counts one piece on core's CPU and multiplies by the number of pieces. Both sizes are powers of two. */
async function exactCounts(data: Uint8Array, signal: AbortSignal): Promise<Float64Array> {
  const piece = data.subarray(0, PIECE_BYTES);
  await using engine = await openEngine();
  const { counts } = await engine.histogram(piece, { signal });
  return counts.map((count) => (count * data.length) / piece.length);
}

function differing({ backend }: Engine, algorithm: string): PolybinError {
  return new PolybinError(
    "ERR_MISCOUNT",
    "expected the CPU's counts but received others; the round was not timed",
    {
      backend,
      ...(algorithm === "auto" ? {} : { algorithm: algorithm as Slug }),
    },
  );
}
