import {
  composedAlgorithms,
  type SumsParameters,
  WEIGHTED_SLUGS,
  type WeightedSlug,
} from "../../algorithms/index.ts";
import { checkNames, checkSwitch, expected, PolybinError, suggestion } from "../../base/index.ts";
import { nameOfArray } from "../../input/index.ts";
import { isComposed } from "../../plan/index.ts";
import { PRECISIONS, type Precision } from "../../weights/index.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { checkProgress, type Progress } from "./options.ts";
import { SUMS_NAMES, WEIGHTING_NAMES } from "./weighting-names.ts";

/**
 * Options of weighted sums, over a table's features and over the samples of a histogram. A backend's own algorithms
 * may add their parameters as further options.
 */
export interface WeightingOptions extends SumsParameters {
  /** The algorithm's slug. Default: "auto", the algorithm that measured fastest on this kind of device. */
  readonly algorithm?: WeightedSlug | "auto" | (string & {}) | undefined;
  /** How weights are added up. Default: "reproducible", the same bits everywhere. */
  readonly precision?: Precision | undefined;
  /** Whether to add up the squares of the weights too. Default: false. */
  readonly squares?: boolean | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time with the progress so far. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of `table.sums`. */
export interface SumsOptions extends WeightingOptions {
  /** The features to add up, in the order of the result. Default: all. */
  readonly features?: readonly number[] | undefined;
  /**
   * The documents to add up: ascending indices, or a mask of one byte per document that is not 0 for each document to
   * add. Default: all.
   */
  readonly documents?: Uint32Array | Uint8Array | undefined;
  /**
   * Whether to count the documents too. If false, `counts` is null and the call is up to twice as fast. Default:
   * true.
   */
  readonly counts?: boolean | undefined;
  /**
   * Whether to skip each feature's most frequent value once an earlier call with `skip` has found it. Its sum is then
   * the total minus the other sums. The result is the same. Default: false.
   */
  readonly skip?: boolean | undefined;
  /**
   * Number of integer limbs per weight. Two limbs make the quantum up to 2^20 times finer and take about twice the
   * time. Only for the precision "reproducible". Default: 1.
   */
  readonly limbs?: 1 | 2 | undefined;
}

/** Names of `WeightingOptions` other than parameters and those that work while a call runs. */
export const WEIGHTING_OPTIONS: readonly string[] = ["algorithm", "precision", "squares"];

/** Returns the names of `WeightingOptions` on a backend. */
function weightingNames({ weightedParameters }: Known): readonly string[] {
  return [...(WEIGHTING_NAMES satisfies readonly (keyof WeightingOptions)[]), ...weightedParameters];
}

/** Checks every name and simple value in the options of `table.sums`. @throws ERR_INPUT, ERR_UNSUPPORTED. */
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
    throw new PolybinError("ERR_INPUT", "expected no limbs with precision fast, which adds floats");
  }
  return options;
}

/** @throws ERR_INPUT, ERR_UNSUPPORTED */
export function checkWeighting(options: WeightingOptions, known: Known): void {
  const { algorithm, precision, squares, onProgress } = options;
  checkProgress(onProgress);
  if (algorithm !== undefined && algorithm !== "auto" && !isKnown(algorithm, known)) {
    const helps = suggestion(algorithm, [...WEIGHTED_SLUGS, ...known.weighted.map(({ slug }) => slug)]);
    const what = "auto or the name of a weighted algorithm";
    throw expected("ERR_UNSUPPORTED", "algorithm", what, algorithm, { helps });
  }
  if (precision !== undefined && !PRECISIONS.includes(precision)) {
    throw expected("ERR_INPUT", "precision", PRECISIONS.join(" or "), precision);
  }
  checkSwitch(squares, "squares");
}

/** A backend's own algorithms, in addition to those that core knows. */
export type Known = Pick<OpenBackend, "weighted" | "weightedParameters">;

function isKnown(slug: unknown, { weighted }: Pick<Known, "weighted">): boolean {
  return (WEIGHTED_SLUGS as readonly unknown[]).includes(slug) || weighted.some((one) => one.slug === slug);
}

/** Returns true for the slug of an algorithm that chooses among others. */
export function isComposedSlug(slug: string, { weighted }: Pick<Known, "weighted">): boolean {
  return (
    Object.hasOwn(composedAlgorithms, slug) || weighted.some((one) => one.slug === slug && isComposed(one))
  );
}

/** Returns the features of a call. @throws ERR_INPUT if the table does not have them. */
export function checkedFeatures(which: unknown, features: number): readonly number[] {
  if (which === undefined) return Array.from({ length: features }, (_, i) => i);
  if (!Array.isArray(which)) throw expected("ERR_INPUT", "features", "an array of features", which);
  // forEach would skip holes.
  for (const [i, feature] of which.entries()) {
    if (!Number.isInteger(feature) || feature < 0 || feature >= features) {
      throw expected("ERR_INPUT", `features[${i}]`, `a feature from 0 to ${features - 1}`, feature);
    }
  }
  if (which.length === 0 || new Set(which).size !== which.length) {
    throw expected("ERR_INPUT", "features", "at least one feature, each only once,", which);
  }
  return [...which];
}

/** Returns the documents of a call as a new ascending array; null: all. @throws ERR_INPUT */
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
        `expected strictly ascending indices for documents but ${out[i]} follows ${out[i - 1]} at index ${i}`,
      );
    }
  }
  return out;
}

function indicesOf(mask: Uint8Array, documents: number): Uint32Array {
  if (mask.length !== documents) {
    throw expected("ERR_INPUT", "documents.length", `${documents}, one byte per document,`, mask.length);
  }
  const out = new Uint32Array(mask.reduce((count, byte) => count + (byte === 0 ? 0 : 1), 0));
  let count = 0;
  for (let i = 0; i < documents; i++) if (mask[i] !== 0) out[count++] = i;
  return out;
}
