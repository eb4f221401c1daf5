import { describeChoice, type HybridChoice } from "../../algorithms/index.ts";
import { ownOptions, PolybinError } from "../../base/index.ts";
import { type CheckedTable, type ResidentTable, rowBytes, type ValueType } from "../../input/index.ts";
import { MAX_SUMS_BINS } from "../../plan/index.ts";
import { type TableSums, type TableSumsOnly, tableSumsOf } from "../../result/index.ts";
import { type ScaledWeights, scaledForTable, tableWeights, type Weights } from "../../weights/index.ts";
import { Lease } from "../opened/lease.ts";
import { parametersAmong } from "../opened/parameters.ts";
import {
  checkedDocuments,
  checkedFeatures,
  checkSumsOptions,
  type SumsOptions,
} from "../options/weighting-options.ts";
import type { TableCall } from "./call.ts";
import { KnownCounts } from "./known-counts.ts";
import type { OpenTables } from "./open-tables.ts";
import { Summing } from "./summing.ts";

/**
 * Features of documents that are on a device, so that you can add up weights over their bins repeatedly. Free the
 * table with `free()`, `await using`, or the engine's `close`.
 */
export class FeatureTable implements AsyncDisposable {
  /** Type of the values. */
  readonly type: ValueType;
  /** Number of features. */
  readonly features: number;
  /** Number of documents. */
  readonly documents: number;
  /** Number of bins of each feature. */
  readonly bins: readonly number[];
  readonly #opened: OpenTables;
  readonly #lease: Lease;
  readonly #summing: Summing;
  /** Memory of scaled weights for reuse. Allocating it for every call would burden the garbage collector. */
  #spare: ArrayBuffer[] = [];

  /** @internal Use engine.table. */
  constructor(
    { type, features, documents, bins, keepCounts }: CheckedTable,
    resident: ResidentTable,
    opened: OpenTables,
  ) {
    this.type = type;
    this.features = features;
    this.documents = documents;
    this.bins = bins;
    this.#lease = new Lease(() => resident.free());
    this.#summing = new Summing(
      bins,
      resident,
      opened,
      new KnownCounts(keepCounts ? rowBytes(type, documents) : 0),
    );
    this.#opened = opened;
  }

  /** Whether the table was freed and can no longer be used. */
  get freed(): boolean {
    return this.#lease.freed;
  }

  /** The choices of `weighted-hybrid` so far, by feature. Each precision has its own, with and without `skip`. */
  get choices(): readonly HybridChoice[] {
    return this.#summing.choices.all();
  }

  /** Describes the choices of `weighted-hybrid`, one per line. */
  describeChoices(): string {
    return this.choices.map(describeChoice).join("\n");
  }

  /**
   * Adds up weights: counts[f][b] and sums[f][b] of the documents whose feature f has the value b. The scale of
   * integer weights depends on all weights given. Sums over parts of the documents therefore add up exactly, and a
   * sibling node is its parent minus the other child. This also holds for two limbs.
   * @param weights one finite weight per document of the table, as 32-bit floats; other numbers are rounded to 32-bit
   * floats.
   * @throws ERR_INPUT for invalid weights, documents, features or parameters, and after `free`.
   * @throws ERR_UNSUPPORTED for an algorithm that the backend does not have.
   * @throws ERR_LIMIT for features with more than 2^27 bins in total, and if rounding would lose more than 2^-10 of
   * the sum of |weight| because the largest weights are far larger than the others.
   */
  sums(weights: Weights, options: SumsOptions & { readonly counts: false }): Promise<TableSumsOnly>;
  sums(weights: Weights, options?: SumsOptions & { readonly counts?: true | undefined }): Promise<TableSums>;
  sums(weights: Weights, options?: SumsOptions): Promise<TableSums | TableSumsOnly>;
  async sums(weights: Weights, options: SumsOptions = {}): Promise<TableSums | TableSumsOnly> {
    const checked = checkSumsOptions(ownOptions(options), this.#opened);
    return this.#lease.use((freed) =>
      this.#opened.run(checked, (talk) => {
        if (freed) throw new PolybinError("ERR_INPUT", "expected a feature table but it was freed");
        return this.#sums(weights, ownOptions({ ...checked, ...talk }));
      }),
    );
  }

  /** Waits for running calls and frees the memory. You can call it more than once. */
  free(): Promise<void> {
    return this.#lease.free();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }

  async #sums(given: Weights, options: SumsOptions): Promise<TableSums | TableSumsOnly> {
    const start = performance.now();
    const { precision = "reproducible", squares = false, algorithm = "auto" } = options;
    const { counts = true, skip = false, limbs = 1 } = options;
    const features = checkedFeatures(options.features, this.features);
    this.#checkBins(features);
    const documents = checkedDocuments(options.documents, this.documents);
    const weights = tableWeights(given, this.documents, documents, options);
    const memory = Array.from({ length: (squares ? 2 : 1) * limbs }, () => this.#memory());
    const first = scaledForTable(weights, 1, memory.slice(0, limbs));
    const second = squares ? scaledForTable(weights, 2, memory.slice(limbs)) : null;
    const count = weights.part.length;
    const call: TableCall = {
      request: {
        type: this.type,
        documents: count,
        precision,
        squares,
        parameters: parametersAmong(options, this.#opened.weightedParameters),
      },
      weights: { weights: first.values, squares: second?.values ?? null, documents },
      totals: { documents: count, sum: first.total, square: second?.total ?? 0 },
      counts,
      counted: new Set(
        features.filter((feature) => this.#summing.mustCount(feature, documents, counts, skip)),
      ),
      skip,
      talk: options,
      values: { before: 0, of: features.length * count, total: features.length * count * limbs },
      done: 0,
      found: new Map(),
      timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
    };
    const composed = this.#opened.composed.find(({ slug }) => slug === algorithm);
    if (composed !== undefined) await this.#summing.measured(composed, call, features);
    else
      await this.#summing.addUp(
        call,
        features,
        this.#summing.plansFor(call, features, () => algorithm),
        false,
      );
    const low = limbs === 1 ? null : await this.#addLow(call, features, first, second);
    // This line is not reached if the device failed, because it may still read the memory.
    this.#spare = memory;
    options.onProgress?.({ done: call.values.total, total: call.values.total });
    const found = features.map((feature) => ({
      ...call.found.get(feature)!,
      low: low?.get(feature)?.sums ?? null,
    }));
    return tableSumsOf(found, { weights, first, second }, counts, {
      features,
      backend: this.#opened.backend,
      device: this.#opened.device.name,
      timings: { ...call.timings, totalMs: performance.now() - start },
    });
  }

  /** Adds up the second limb, with the algorithm that each feature used for the first. */
  async #addLow(
    call: TableCall,
    features: readonly number[],
    first: ScaledWeights,
    second: ScaledWeights | null,
  ): Promise<TableCall["found"]> {
    const [low, lowSquares] = [first.low!, second?.low ?? null];
    const of: TableCall = {
      ...call,
      weights: { ...call.weights, weights: low.values, squares: lowSquares?.values ?? null },
      totals: { ...call.totals, sum: low.total, square: lowSquares?.total ?? 0 },
      counts: false,
      counted: new Set(),
      values: { ...call.values, before: call.values.of },
      found: new Map(),
    };
    const methodOf = (feature: number) => call.found.get(feature)!.plan.algorithm;
    await this.#summing.addUp(of, features, this.#summing.plansFor(of, features, methodOf, true), false);
    return of.found;
  }

  /** @throws ERR_LIMIT before anything is allocated, if the result would have too many bins. */
  #checkBins(features: readonly number[]): void {
    let bins = 0;
    for (const feature of features) bins += this.bins[feature]!;
    if (bins <= MAX_SUMS_BINS) return;
    throw new PolybinError(
      "ERR_LIMIT",
      `expected at most ${MAX_SUMS_BINS} bins in total for the features of a call but these ${features.length} have ${bins}: ` +
        "pass fewer features per call",
    );
  }

  /** Returns memory for one weight per document. */
  #memory(): ArrayBuffer {
    return this.#spare.pop() ?? new ArrayBuffer(this.documents * Int32Array.BYTES_PER_ELEMENT);
  }
}
