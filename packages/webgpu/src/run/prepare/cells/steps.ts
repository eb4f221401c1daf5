import type { MaskKind } from "@polybin/core/backend";
import { limits } from "@polybin/core/backend";
import { type DeviceColumn, number } from "./columns.ts";

const VECTOR = limits.VECTOR_BYTES;
const WORD = limits.WORD_BYTES;
const LANES = ["x", "y", "z", "w"] as const;
/** Most vectors that a thread loads for a step. More would take the registers of a block's threads. */
const MOST_VECTORS = 9;
/** Vectors that a thread has in flight if a step needs few. */
const IN_FLIGHT = 4;

/** How a thread reads whole vectors of all columns. */
export interface Steps {
  /** Samples of a step. */
  readonly samples: number;
  /** WGSL: `countSteps`, which counts the thread's share of the steps. */
  readonly text: string;
}

/**
 * Generates the text that counts samples in steps. A step is as many samples as fill whole vectors of every column. A
 * thread loads the vectors of the next steps before it counts those of the current ones. Each vector has a name of its
 * own, because an array with a variable index would lie in memory.
 *
 *   column 0, bytes    | 16 samples |            one vector a step
 *   column 1, floats   | 4 | 4 | 4 | 4 |         four vectors a step
 *
 * @param sources the column whose vectors each column uses: itself, or an earlier one that is a channel of the same
 * pixels
 * @returns null if a step would need too many vectors
 */
export function stepsOf(
  columns: readonly DeviceColumn[],
  sources: readonly number[],
  mask: MaskKind,
): Steps | null {
  const pixelBytes = columns.map(({ lowering, interleaved }) => lowering.sampleBytes * interleaved);
  const own = columns.flatMap((_, k) => (sources[k] === k ? [k] : []));
  // A word of a mask of bytes has four samples.
  const least = mask === "bytes" ? WORD : 1;
  const samples = Math.max(least, ...own.map((k) => VECTOR / commonDivisor(VECTOR, pixelBytes[k]!)));
  const vectors = own.map((k) => ({ k, count: (samples * pixelBytes[k]!) / VECTOR }));
  const all = vectors.reduce((sum, { count }) => sum + count, 0);
  if (all > MOST_VECTORS) return null;
  const inFlight = Math.max(1, Math.floor(IN_FLIGHT / all));
  const loaded = [
    ...vectors.flatMap(({ k, count }) =>
      Array.from({ length: count }, (_, i) => ({
        name: `v${k}_${i}`,
        type: "vec4<u32>",
        load: `data_${k}[(params.first_${k} * ${pixelBytes[k]}u) / ${VECTOR}u + step * ${count}u + ${i}u]`,
      })),
    ),
    ...maskLoads(mask, samples),
  ];
  const fields = loaded.map(({ name, type }) => `  ${name}: ${type},`);
  const loads = loaded.map(({ load }) => `    ${load},`);
  const cell = (i: number) =>
    columns
      .map((column, k) => {
        const bits = bitsText(column, sources[k]!, i);
        return `placeOf_${k}(${bits}) * ${number("stride", k, true)}`;
      })
      .join(" + ");
  const counts = Array.from({ length: samples }, (_, i) => i);
  const fours = counts.filter((i) => i % 4 === 0).map((i) => counts.slice(i, i + 4));
  const body = fours.flatMap((four) => [
    ...four.map((i) => `  let c${i} = ${cell(i)} - params.offset;`),
    ...four.map(
      (i) => `  ${mask === "none" ? `countIf(true, c${i})` : `countKept(c${i}, ${keptText(mask, i)})`};`,
    ),
  ]);
  const text = [
    `struct Step {`,
    ...fields,
    "}",
    "fn loadStep(step: u32) -> Step {",
    "  return Step(",
    ...loads,
    "  );",
    "}",
    "fn countStep(s: Step) {",
    ...body,
    "}",
    loopText(inFlight),
  ].join("\n");
  return { samples, text: `${text}\n` };
}

/** Loads past the end stay at the last vector, and are not counted. */
function loopText(inFlight: number): string {
  const each = Array.from({ length: inFlight }, (_, i) => i);
  return [
    "fn countSteps(first: u32, threads: u32) {",
    "  var at = first;",
    ...each.map((i) => `  var s${i} = loadStep(at + ${i}u * threads);`),
    `  while (at + ${inFlight - 1}u * threads < params.steps) {`,
    `    let next = at + ${inFlight}u * threads;`,
    ...each.map((i) => `    let n${i} = loadStep(next + ${i}u * threads);`),
    ...each.map((i) => `    countStep(s${i});`),
    ...each.map((i) => `    s${i} = n${i};`),
    "    at = next;",
    "  }",
    ...(inFlight > 1
      ? ["  for (; at < params.steps; at += threads) {", "    countStep(loadStep(at));", "  }"]
      : []),
    "}",
  ].join("\n");
}

/** Returns the bits of a sample of a step. */
function bitsText({ lowering, interleaved, channel }: DeviceColumn, source: number, i: number): string {
  const { sampleBytes } = lowering;
  const byte = (i * interleaved + channel) * sampleBytes;
  const vector = `s.v${source}_${Math.floor(byte / VECTOR)}`;
  const lane = (byte % VECTOR) / WORD;
  if (sampleBytes === 2 * WORD) return `${vector}.${lane === 0 ? "xy" : "zw"}`;
  const word = `${vector}.${LANES[Math.floor(lane)]}`;
  if (sampleBytes === WORD) return word;
  return `extractBits(${word}, ${(byte % WORD) * 8}u, ${sampleBytes * 8}u)`;
}

/** Returns the loads of a step's part of the mask. */
function maskLoads(mask: MaskKind, samples: number) {
  const word = (at: string) => `mask[${at}]`;
  const at = `(params.firstMask + step * ${samples}u)`;
  if (mask === "bits") return [{ name: "m0", type: "u32", load: `${word(`${at} / 32u`)} >> (${at} % 32u)` }];
  const words = mask === "bytes" ? samples / WORD : 0;
  return Array.from({ length: words }, (_, i) => ({
    name: `m${i}`,
    type: "u32",
    load: word(`${at} / ${WORD}u + ${i}u`),
  }));
}

/** Returns whether the mask keeps a sample of a step. */
function keptText(mask: Exclude<MaskKind, "none">, i: number): string {
  if (mask === "bits") return `(s.m0 & ${2 ** i}u) != 0u`;
  return `(s.m${Math.floor(i / WORD)} & ${255 * 2 ** ((i % WORD) * 8)}u) != 0u`;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
