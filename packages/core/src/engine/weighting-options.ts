import {
  composedAlgorithms,
  WEIGHTED_SLUGS,
  type WeightedParameters,
  type WeightedSlug,
} from "../algorithms/index.ts";
import { checkNames, checkSwitch, expected, PolybinError } from "../base/index.ts";
import { nameOfArray } from "../input/index.ts";
import { isComposed } from "../plan/index.ts";
import type { Precision } from "../weights/index.ts";
import type { Host } from "./host.ts";
import { checkProgress, type Progress } from "./options.ts";
import { SUMS_NAMES, WEIGHTING_NAMES } from "./weighting-names.ts";

/**
 * What weighted sums may be told, of a table's features as of a plain histogram's samples. The parameters of a backend's
 * own algorithms are options, too, by their names.
 */
export interface WeightingOptions extends WeightedParameters {
  /** Default "auto": what measured fastest on this kind of device. */
  readonly algorithm?: WeightedSlug | "auto" | (string & {}) | undefined;
  /** Default "reproducible": the same bits everywhere. */
  readonly precision?: Precision | undefined;
  /** Add up the squares of the weights, too? Default no. */
  readonly squares?: boolean | undefined;
  /** Stops the work; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with how much is done so far. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What `table.sums` may be told. */
export interface SumsOptions extends WeightingOptions {
  /** Which features, in the order of the result. Default: all. */
  readonly features?: readonly number[] | undefined;
  /** Which documents: their indices, ascending, or a mask with a byte a document, not 0 where it is one. Default: all. */
  readonly documents?: Uint32Array | Uint8Array | undefined;
  /** False: sums only, and `counts` is null; up to twice as fast. Default yes. */
  readonly counts?: boolean | undefined;
  /**
   * Pass each feature's most frequent value over, once a call with `skip` has found it, and get its sum as the total
   * less the others. The result is the same. Default no.
   */
  readonly skip?: boolean | undefined;
  /**
   * Limbs of integers that a weight is rounded to. 2: a quantum up to 2^20 times finer, for about twice the time. Of the
   * precision "reproducible" only. Default 1.
   */
  readonly limbs?: 1 | 2 | undefined;
}

/** The names of `WeightingOptions` on a backend. */
export function weightingNames({ weightedParameters }: Known): readonly string[] {
  return [...(WEIGHTING_NAMES satisfies readonly (keyof WeightingOptions)[]), ...weightedParameters];
}

/** The options of `table.sums`, every name and simple value checked. @throws ERR_INPUT, ERR_UNSUPPORTED. */
export function checkSumsOptions(options: SumsOptions, known: Known): SumsOptions {
  const own = SUMS_NAMES satisfies readonly (keyof SumsOptions)[];
  checkNames(options, [...own, ...weightingNames(known)]);
  checkWeighting(options, known);
  checkSwitch(options.counts, "counts");
  checkSwitch(options.skip, "skip");
  const { limbs, precision } = options;
  if (limbs !== undefined && limbs !== 1 && limbs !== 2)
    throw expected("ERR_INPUT", "limbs", "1 or 2", limbs);
  if (limbs !== undefined && precision === "fast") {
    throw new PolybinError("ERR_INPUT", "expected no limbs beside precision fast, which adds floats");
  }
  return options;
}

/** @throws ERR_INPUT, ERR_UNSUPPORTED */
export function checkWeighting(options: WeightingOptions, known: Known): void {
  const { algorithm, precision, squares, onProgress } = options;
  checkProgress(onProgress);
  if (algorithm !== undefined && algorithm !== "auto" && !isKnown(algorithm, known)) {
    throw expected("ERR_UNSUPPORTED", "algorithm", "auto or the name of a weighted algorithm", algorithm);
  }
  if (precision !== undefined && precision !== "reproducible" && precision !== "fast") {
    throw expected("ERR_INPUT", "precision", "reproducible or fast", precision);
  }
  checkSwitch(squares, "squares");
}

/** What a backend brings of its own, beside the algorithms that are known everywhere. */
export type Known = Pick<Host, "weighted" | "weightedParameters">;

function isKnown(slug: unknown, { weighted }: Pick<Known, "weighted">): boolean {
  return (WEIGHTED_SLUGS as readonly unknown[]).includes(slug) || weighted.some((one) => one.slug === slug);
}

/** Is it the name of an algorithm that chooses among others? */
export function isComposedSlug(slug: string, { weighted }: Pick<Known, "weighted">): boolean {
  return (
    Object.hasOwn(composedAlgorithms, slug) || weighted.some((one) => one.slug === slug && isComposed(one))
  );
}

/** The features that a call means. @throws ERR_INPUT where the table does not have them. */
export function checkedFeatures(which: unknown, features: number): readonly number[] {
  if (which === undefined) return Array.from({ length: features }, (_, i) => i);
  if (!Array.isArray(which)) throw expected("ERR_INPUT", "features", "an array of features", which);
  // Not forEach, which passes over holes.
  for (const [i, feature] of which.entries()) {
    if (!Number.isInteger(feature) || feature < 0 || feature >= features) {
      throw expected("ERR_INPUT", `features[${i}]`, `a feature from 0 to ${features - 1}`, feature);
    }
  }
  if (which.length === 0 || new Set(which).size !== which.length) {
    throw expected("ERR_INPUT", "features", "different features, at least one", which);
  }
  return [...which];
}

/** The documents that a call means, ascending, in an array of its own; null: all. @throws ERR_INPUT */
export function checkedDocuments(which: unknown, documents: number): Uint32Array | null {
  if (which === undefined) return null;
  const name = ArrayBuffer.isView(which) ? nameOfArray(which) : undefined;
  if (name === "Uint8Array") return indicesOf(which as Uint8Array, documents);
  if (name !== "Uint32Array") {
    throw expected("ERR_INPUT", "documents", "a Uint32Array of indices or a Uint8Array as a mask", which);
  }
  const out = new Uint32Array(which as Uint32Array);
  for (let i = 0; i < out.length; i++) {
    if (out[i]! >= documents) {
      throw expected("ERR_INPUT", `documents[${i}]`, `a document from 0 to ${documents - 1}`, out[i]);
    }
    if (i > 0 && out[i]! <= out[i - 1]!) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected ascending indices, none twice, for documents but ${out[i]} follows ${out[i - 1]} at ${i}`,
      );
    }
  }
  return out;
}

function indicesOf(mask: Uint8Array, documents: number): Uint32Array {
  if (mask.length !== documents) {
    throw expected("ERR_INPUT", "documents.length", `${documents}, a byte a document,`, mask.length);
  }
  const out = new Uint32Array(mask.reduce((count, byte) => count + (byte === 0 ? 0 : 1), 0));
  let count = 0;
  for (let i = 0; i < documents; i++) if (mask[i] !== 0) out[count++] = i;
  return out;
}
