import { planeOf, samplePicture } from "./picture.ts";
import { normal, xorshift } from "./random.ts";

/** The distributions of every benchmark. */
export const DISTRIBUTIONS = [
  "uniform",
  "zeros",
  "gauss",
  "ramp",
  "two",
  "smooth",
  "zipf",
  "sorted",
  "picture",
] as const;
/** Bytes that a warp bins at once without a conflict, if its threads load words: they lie in 32 banks. peers/data.cuh has the same. */
export const NO_CONFLICTS = "no conflicts";
export type Distribution = (typeof DISTRIBUTIONS)[number] | typeof NO_CONFLICTS;

/** Number of levels of all distributions except `uniform`, `smooth` and `sorted`: the values of a byte. */
const LEVELS = 256;
/** Standard deviation of `gauss`, in levels, around the middle. */
const SIGMA = 10;
/** Bytes of a word. */
const WORD = 4;
/** Samples per wave of `smooth`, and its noise as a share of the range. */
const WAVE = 4096;
const NOISE = 1 / 64;

/** Arrays that can be filled. */
export type Values =
  | Uint8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Fills an array with a distribution over [low, top), the same samples every time. Integers are rounded down. */
export function fill(values: Values, distribution: Distribution, top: number = LEVELS, low = 0): void {
  const next = positions(distribution, values.length);
  const span = top - low;
  if (low === 0) for (let i = 0; i < values.length; i++) values[i] = next(i) * span;
  // An array rounds negative numbers towards zero.
  else for (let i = 0; i < values.length; i++) values[i] = Math.floor(next(i) * span) + low;
}

/** Returns sample i of n as a number in [0, 1). Calls must be in order. */
function positions(distribution: Distribution, n: number): (i: number) => number {
  const next = xorshift(0x9e3779b9);
  switch (distribution) {
    case "uniform":
      return next;
    case "zeros":
      return () => 0;
    case "gauss":
      return () => Math.max(0, Math.min(LEVELS - 1, Math.round(LEVELS / 2 + SIGMA * normal(next)))) / LEVELS;
    case "ramp":
      return (i) => (i % LEVELS) / LEVELS;
    case NO_CONFLICTS:
      return (i) => ((Math.floor(i / WORD) + (LEVELS / WORD) * (i % WORD)) % LEVELS) / LEVELS;
    case "two":
      return () => (next() < 0.5 ? 50 : 200) / LEVELS;
    case "smooth":
      return (i) => 0.5 + 0.4 * Math.sin((2 * Math.PI * (i % WAVE)) / WAVE) + next() * NOISE;
    case "zipf":
      return () => (Math.floor(2 ** (8 * next())) - 1) / LEVELS;
    case "sorted":
      return (i) => i / n;
    case "picture": {
      const plane = planeOf(samplePicture(), 1);
      return (i) => plane[i % plane.length]! / LEVELS;
    }
  }
}
