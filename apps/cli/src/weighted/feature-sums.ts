import { PolybinError } from "@polybin/core";
import type { SumsPlan } from "@polybin/core/backend";
import { allocated } from "./input/chunks.ts";
import { gibibytes, memoryForValues } from "./input/memory.ts";
import type { SparseFeatures } from "./input/sparse.ts";
import { binsAtMost, type CutFeature } from "./quantized.ts";

/** The sums of one feature's bins. */
export interface FeatureResult {
  /** The index in the file. */
  readonly index: number;
  /** bins + 1 ascending edges. The last bin also holds its right edge. */
  readonly edges: Float64Array;
  /** The number of documents in each bin. */
  readonly counts: Float64Array;
  /** The sum of their weights. */
  readonly sums: Float64Array;
  /** The sum of the squares of their weights. Null unless requested. */
  readonly sumsOfSquares: Float64Array | null;
  readonly plan: SumsPlan;
}

/** The sums of a feature, without its place and its bins. */
type Sums = Omit<FeatureResult, "index" | "edges">;

/** Bytes per bin: an edge, a count and a sum. With squares: a sum of squares. Per feature: plan, start and one more edge. */
const BIN_BYTES = 24;
const SQUARE_BYTES = 8;
const FEATURE_BYTES = 20;

/**
 * The sums of all features in a few arrays, whatever the number of features: 24 bytes per bin, 32 with squares, and 20
 * per feature.
 */
export class FeatureSums {
  readonly #features: SparseFeatures;
  /** The first bin of each feature, and the end of the last one. Edges are one per feature further. */
  readonly #starts: Float64Array;
  readonly #edges: Float64Array;
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array | null;
  /** The different plans and their numbers. */
  readonly #plans = new Map<SumsPlan, number>();
  readonly #byNumber: SumsPlan[] = [];
  /** The number of each feature's plan. */
  readonly #planOf: Uint32Array;
  #length = 0;

  /**
   * @param bins the most bins that a feature may have
   * @param memory the bytes that features and sums may fill together
   * @throws ERR_LIMIT if they do not fit. ERR_OUT_OF_MEMORY if the system refuses the memory.
   */
  constructor(
    features: SparseFeatures,
    documents: number,
    bins: number,
    squares: boolean,
    memory: number = memoryForValues(),
  ) {
    const all = features.length;
    let most = 0;
    for (let i = 0; i < all; i++) most += binsAtMost(features.valuesOf(i), documents, bins);
    const needed =
      BIN_BYTES * most + (squares ? SQUARE_BYTES * most : 0) + FEATURE_BYTES * all + features.bytes;
    if (needed > memory) {
      throw new PolybinError(
        "ERR_LIMIT",
        `expected features and sums of at most ${gibibytes(memory)} but ${all} features of up to ${bins} bins take ` +
          `${gibibytes(needed)}; pass fewer features at a time, which do not depend on each other, or fewer --bins`,
      );
    }
    this.#features = features;
    this.#planOf = allocated(Uint32Array, all);
    this.#starts = allocated(Float64Array, all + 1);
    this.#edges = allocated(Float64Array, most + all);
    this.#counts = allocated(Float64Array, most);
    this.#sums = allocated(Float64Array, most);
    this.#squares = squares ? allocated(Float64Array, most) : null;
  }

  /** Adds the next feature. Its sums may be longer than it has bins. */
  push({ edges }: CutFeature, { counts, sums, sumsOfSquares, plan }: Sums): void {
    const at = this.#length;
    const bins = edges.length - 1;
    const from = this.#starts[at]!;
    this.#edges.set(edges, from + at);
    this.#counts.set(counts.subarray(0, bins), from);
    this.#sums.set(sums.subarray(0, bins), from);
    this.#squares?.set(sumsOfSquares!.subarray(0, bins), from);
    this.#planOf[at] = this.#numberOf(plan);
    this.#starts[at + 1] = from + bins;
    this.#length = at + 1;
  }

  #numberOf(plan: SumsPlan): number {
    const known = this.#plans.get(plan);
    if (known !== undefined) return known;
    this.#plans.set(plan, this.#byNumber.length);
    return this.#byNumber.push(plan) - 1;
  }

  get length(): number {
    return this.#length;
  }

  /** The different plans, in the order of the features. */
  get plans(): readonly SumsPlan[] {
    return this.#byNumber;
  }

  /** A feature, as views of the arrays. */
  at(feature: number): FeatureResult {
    const [from, to] = [this.#starts[feature]!, this.#starts[feature + 1]!];
    return {
      index: this.#features.indexOf(feature),
      edges: this.#edges.subarray(from + feature, to + feature + 1),
      counts: this.#counts.subarray(from, to),
      sums: this.#sums.subarray(from, to),
      sumsOfSquares: this.#squares?.subarray(from, to) ?? null,
      plan: this.#byNumber[this.#planOf[feature]!]!,
    };
  }

  *[Symbol.iterator](): Generator<FeatureResult> {
    for (let feature = 0; feature < this.#length; feature++) yield this.at(feature);
  }
}
