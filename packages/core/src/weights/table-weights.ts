import { PolybinError } from "../base/index.ts";
import { F32_HALF_LEAST, F32_HALF_STEP, SUM_SLACK, WEIGHT_LOSS } from "./limits.ts";
import { bitsBelow, exponentOf, quantumOf, type ScaledWeights, scaledWeights } from "./scale.ts";
import { checkedWeights, largest, type Precision, type Weights } from "./weights.ts";

/** Weights of a call of `table.sums`, and how to add them up. */
export interface TableWeights {
  /** One weight per document of the table (`all`), and the weights of the documents that are added up (`part`). */
  readonly all: Float32Array;
  readonly part: Float32Array;
  /** The largest |weight| of all. */
  readonly most: number;
  /** Whether converting the weights to 32-bit floats changed any of them. */
  readonly isNarrowed: boolean;
  readonly precision: Precision;
  readonly limbs: 1 | 2;
}

/**
 * Checks and selects weights. @throws ERR_INPUT for invalid weights. @param documents the documents to add up; null:
 * all
 */
export function tableWeights(
  given: Weights,
  count: number,
  documents: Uint32Array | null,
  {
    precision = "reproducible",
    limbs = 1,
  }: { readonly precision?: Precision | undefined; readonly limbs?: 1 | 2 | undefined },
): TableWeights {
  const all = checkedWeights(given, count);
  const part = documents === null ? all : gather(all, documents);
  return { all, part, most: largest(all), isNarrowed: isMoved(given, all), precision, limbs };
}

/**
 * Scales the weights, or their squares, of the documents that are added up. The scale is that of all weights given,
 * so it does not depend on the selected part.
 * @param memory four bytes per document of the table for each limb.
 * @throws ERR_LIMIT if rounding all weights to the scale loses more than WEIGHT_LOSS of the sum of |weight|
 */
export function scaledForTable(
  { all, part, most, precision, limbs }: TableWeights,
  power: 1 | 2,
  memory: readonly ArrayBuffer[],
): ScaledWeights {
  if (precision === "fast") return scaledWeights(part, precision, power, { most, memory });
  const documents = all.length;
  const size = limbs === 2 || part !== all ? sizeOf(all, power) : null;
  const lowBits = limbs === 2 ? bitsBelow(exponentOf(most ** power, documents), size!, documents) : null;
  const scaled = scaledWeights(part, precision, power, { most, documents, lowBits, memory });
  // No weight moves by more than half a quantum. This bound usually suffices for weights that are not added up.
  const isNear = size !== null && (documents / 2) * quantumOf(scaled) <= WEIGHT_LOSS * size;
  if (!isNear) checkLoss(part === all ? scaled : scaledWeights(all, precision, power, { lowBits }), power);
  return scaled;
}

/** The largest possible distance of a sum from the exact sum of the given weights. */
export interface ErrorBound {
  /** The share of one document. */
  readonly each: number;
  /** The bound for all documents together. */
  readonly all: number;
}

/** @param scaled the result of `scaledForTable`, of precision "reproducible" */
export function errorBoundOf(
  { part, most, isNarrowed }: TableWeights,
  scaled: ScaledWeights,
  power: 1 | 2,
): ErrorBound {
  // Half of the last of 24 bits, or of the smallest float. A square moves by twice that times the weight, plus its
  // square.
  const moved = isNarrowed ? most * F32_HALF_STEP + F32_HALF_LEAST : 0;
  const narrowed = power === 1 ? moved : moved * (2 * most + moved);
  return {
    each: quantumOf(scaled) / 2 + narrowed,
    all: scaled.lost * (1 + SUM_SLACK) + part.length * narrowed,
  };
}

function checkLoss(scaled: ScaledWeights, power: 1 | 2): void {
  const { lost, size, low } = scaled;
  if (lost <= WEIGHT_LOSS * size) return;
  const what = power === 1 ? "weight" : "weight^2";
  const more = low === null ? "use limbs: 2 for a finer quantum; precision: " : "use precision: ";
  throw new PolybinError(
    "ERR_LIMIT",
    `expected weights that lose at most 1/${1 / WEIGHT_LOSS} of the sum of |${what}| when they are rounded to multiples of ${quantumOf(scaled)}, a scale that follows the largest, but they lose ${share(lost / size)}: ${more}"fast", which adds floats; or clip the largest weights`,
  );
}

function share(of: number): string {
  return `${Number((100 * of).toPrecision(3))}%`;
}

/** Returns true if the conversion to 32-bit floats changed a number. */
function isMoved(given: Weights, floats: Float32Array): boolean {
  if (given instanceof Float32Array) return false;
  for (let i = 0; i < floats.length; i++) if (floats[i] !== given[i]) return true;
  return false;
}

/** Returns the sum of |weight|, or of the squares. */
function sizeOf(weights: Float32Array, power: 1 | 2): number {
  const constant = power === 1 ? 1 : 0;
  const slope = power === 1 ? 0 : 1;
  // Two independent chains of additions overlap.
  let even = 0;
  let odd = 0;
  const whole = weights.length - (weights.length % 2);
  for (let i = 0; i < whole; i += 2) {
    const first = Math.abs(weights[i]!);
    const second = Math.abs(weights[i + 1]!);
    even += first * (constant + slope * first);
    odd += second * (constant + slope * second);
  }
  const last = whole < weights.length ? Math.abs(weights[whole]!) : 0;
  return even + odd + last * (constant + slope * last);
}

function gather(weights: Float32Array, documents: Uint32Array): Float32Array {
  const out = new Float32Array(documents.length);
  for (let i = 0; i < out.length; i++) out[i] = weights[documents[i]!]!;
  return out;
}
