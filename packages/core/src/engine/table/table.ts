import { choiceOf, describeChoice, type HybridChoice } from "../../algorithms/index.ts";
import type { FeatureGroup, RunOptions } from "../../backend/index.ts";
import { MAX_SUMS_BINS, PolybinError } from "../../base/index.ts";
import { type CheckedTable, type ResidentTable, rowBytes, type ValueType } from "../../input/index.ts";
import type { ComposedAlgorithm } from "../../plan/index.ts";
import { checkedParameters, type WeightedRequest } from "../../plan/index.ts";
import { mergeFeature, type TableSums, type TableSumsOnly, tableSumsOf } from "../../result/index.ts";
import { type ScaledWeights, scaledForTable, tableWeights, type Weights } from "../../weights/index.ts";
import { parametersAmong } from "../parameters.ts";
import {
  checkedDocuments,
  checkedFeatures,
  checkSumsOptions,
  type SumsOptions,
} from "../weighting-options.ts";
import type { Grouped, TableCall } from "./call.ts";
import { indexOfLargest, nothingOf, timeOf } from "./call.ts";
import { planOn, planOrReasonOn, type TableHost } from "./host.ts";
import { HybridChoices, type HybridKind } from "./hybrid-choices.ts";
import { KnownCounts } from "./known-counts.ts";

/**
 * Features of documents on a device, brought there once; weights are added up over their bins again and again.
 * Free it with `free()`, `await using`, or the engine's `close`.
 */
export class FeatureTable implements AsyncDisposable {
  readonly type: ValueType;
  readonly features: number;
  readonly documents: number;
  /** Bins of each feature. */
  readonly bins: readonly number[];
  readonly #host: TableHost;
  readonly #resident: ResidentTable;
  readonly #running = new Set<Promise<unknown>>();
  readonly #choices = new HybridChoices();
  readonly #mostFrequent = new Map<number, number>();
  readonly #known: KnownCounts;
  /** Memory of scaled weights that no call needs any more: so much of it at every call is what a garbage collector minds. */
  #spare: ArrayBuffer[] = [];
  #freeing: Promise<void> | null = null;

  /** @internal use engine.table */
  constructor(
    { type, features, documents, bins, keepCounts }: CheckedTable,
    resident: ResidentTable,
    host: TableHost,
  ) {
    this.type = type;
    this.features = features;
    this.documents = documents;
    this.bins = bins;
    this.#known = new KnownCounts(keepCounts ? rowBytes(type, documents) : 0);
    this.#resident = resident;
    this.#host = host;
  }

  /** Was it freed? Then nothing can be added up any more. */
  get freed(): boolean {
    return this.#freeing !== null;
  }

  /** What `weighted-hybrid` has chosen so far, by feature; for each precision, and with and without `skip`, apart. */
  get choices(): readonly HybridChoice[] {
    return this.#choices.all();
  }

  /** The same, one line a feature. */
  describeChoices(): string {
    return this.choices.map(describeChoice).join("\n");
  }

  /**
   * Adds weights up: counts[f][b] and sums[f][b] of the documents whose feature f has the value b.
   * The scale of integer weights is that of all weights given, so sums over parts of the documents add up exactly, and
   * a sibling is its parent less the other child; of two limbs, too.
   * @param weights one a document of the table, finite; 32-bit floats, or rounded to such
   * @throws ERR_INPUT for weights, documents, features or parameters that do not fit, and after `free`;
   * ERR_UNSUPPORTED for an algorithm that the backend does not have; ERR_LIMIT for features that have more than 2^27 bins
   * together, and where rounding would lose more than 2^-10 of the sum of |weight|, because the largest are so much larger
   * than the others.
   */
  sums(weights: Weights, options: SumsOptions & { readonly counts: false }): Promise<TableSumsOnly>;
  sums(weights: Weights, options?: SumsOptions & { readonly counts?: true | undefined }): Promise<TableSums>;
  sums(weights: Weights, options?: SumsOptions): Promise<TableSums | TableSumsOnly>;
  async sums(weights: Weights, options: SumsOptions = {}): Promise<TableSums | TableSumsOnly> {
    const checked = checkSumsOptions(options, this.#host);
    // As of now, and not of when its turn comes: `free` waits for the calls that were made before it.
    const { freed } = this;
    const running = this.#host.run(checked, (talk) => {
      if (freed) throw new PolybinError("ERR_INPUT", "expected a feature table but it was freed");
      return this.#sums(weights, { ...checked, ...talk });
    });
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Waits for what runs and frees the memory; again is harmless. */
  free(): Promise<void> {
    this.#freeing ??= Promise.allSettled(this.#running).then(() => this.#resident.free());
    return this.#freeing;
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
        parameters: parametersAmong(options, this.#host.weightedParameters),
      },
      weights: { weights: first.values, squares: second?.values ?? null, documents },
      totals: { documents: count, sum: first.total, square: second?.total ?? 0 },
      counts,
      counted: new Set(features.filter((feature) => this.#mustCount(feature, documents, counts, skip))),
      skip,
      talk: options,
      values: { before: 0, of: features.length * count, total: features.length * count * limbs },
      done: 0,
      found: new Map(),
      timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
    };
    const composed = this.#host.composed.find(({ slug }) => slug === algorithm);
    if (composed !== undefined) await this.#measured(composed, call, features);
    else
      await this.#addUp(
        call,
        features,
        this.#plansFor(call, features, () => algorithm),
        false,
      );
    const low = limbs === 1 ? null : await this.#addLow(call, features, first, second);
    // Where a device failed, it may still read them.
    this.#spare = memory;
    options.onProgress?.({ done: call.values.total, total: call.values.total });
    const found = features.map((feature) => ({
      ...call.found.get(feature)!,
      low: low?.get(feature)?.sums ?? null,
    }));
    return tableSumsOf(found, { weights, first, second }, counts, {
      features,
      backend: this.#host.backend,
      device: this.#host.device.name,
      timings: { ...call.timings, totalMs: performance.now() - start },
    });
  }

  /** Adds the second limb up, in the way that each feature was added up before. */
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
    await this.#addUp(of, features, this.#plansFor(of, features, methodOf, true), false);
    return of.found;
  }

  /** @throws ERR_LIMIT before anything is allocated for more bins than a result may have. */
  #checkBins(features: readonly number[]): void {
    let bins = 0;
    for (const feature of features) bins += this.bins[feature]!;
    if (bins <= MAX_SUMS_BINS) return;
    throw new PolybinError(
      "ERR_LIMIT",
      `expected at most ${MAX_SUMS_BINS} bins of all features of a call but these ${features.length} have ${bins}: ` +
        "ask for some features at a time",
    );
  }

  /** Room for a weight a document. */
  #memory(): ArrayBuffer {
    return this.#spare.pop() ?? new ArrayBuffer(this.documents * Int32Array.BYTES_PER_ELEMENT);
  }

  /** For each feature the hybrid's candidates of which the device can do this call; where it can none, all. */
  #candidates(
    composed: ComposedAlgorithm,
    call: TableCall,
    features: readonly number[],
  ): (feature: number) => readonly string[] {
    const kindOf = (feature: number) => `${this.bins[feature]} ${call.counted.has(feature)}`;
    const fitting = new Map<string, readonly string[]>();
    for (const feature of features) {
      if (fitting.has(kindOf(feature))) continue;
      const all = composed.candidates(this.bins[feature]!);
      const some = all.filter((method) => {
        const request = this.#requestOf(call, this.#takenBy(method, call.request), [feature]);
        return typeof planOrReasonOn(this.#host, method, request) !== "string";
      });
      fitting.set(kindOf(feature), some.length > 0 ? some : all);
    }
    return (feature) => fitting.get(kindOf(feature))!;
  }

  /** Features that it does not know yet are tried with each candidate, and timed; then all is known. */
  async #measured(composed: ComposedAlgorithm, call: TableCall, features: readonly number[]): Promise<void> {
    checkedParameters(composed, call.request.parameters ?? {}, this.#host.methods);
    const candidates = this.#candidates(composed, call, features);
    const kind: HybridKind = { precision: call.request.precision, skip: call.skip };
    const unknown = features.filter(
      (feature) =>
        candidates(feature).length > 1 && !this.#choices.of(feature, kind) && call.totals.documents > 0,
    );
    // Which value to skip is found first: else all candidates but the first would be timed without it.
    const unskipped = unknown.filter((feature) => call.skip && !this.#mostFrequent.has(feature));
    const firstOf = (feature: number) => candidates(feature)[0]!;
    await this.#addUp(call, unskipped, this.#plansFor(call, unskipped, firstOf, true), false);
    const times = new Map(unknown.map((feature) => [feature, {} as Partial<Record<string, number>>]));
    const rounds = unknown.reduce((most, feature) => Math.max(most, candidates(feature).length), 0);
    for (let round = 0; round < rounds; round++) {
      const methodOf = (feature: number) => candidates(feature)[round]!;
      const plans = this.#plansFor(call, unknown, methodOf, true);
      for (const [feature, ms] of await this.#addUp(call, unknown, plans, true)) {
        times.get(feature)![methodOf(feature)] = ms;
      }
    }
    for (const feature of features) {
      const of = { feature, bins: this.bins[feature]!, ...kind };
      const ms = times.get(feature) ?? (composed.candidates(of.bins).length === 1 ? {} : null);
      if (ms !== null) this.#choices.keep(choiceOf(composed.candidates(of.bins), of, ms));
    }
    const rest = features.filter((feature) => !times.has(feature));
    // What was fastest may not fit this call, with squares say.
    const methodOf = (feature: number) => {
      const chosen = this.#choices.of(feature, kind)?.algorithm;
      return candidates(feature).find((method) => method === chosen) ?? firstOf(feature);
    };
    await this.#addUp(call, rest, this.#plansFor(call, rest, methodOf, true), false);
  }

  /** Features of as many bins and the same method make a group with one plan. */
  #plansFor(
    call: TableCall,
    features: readonly number[],
    methodOf: (feature: number) => string,
    isHybrid = false,
  ): Grouped[] {
    const kindOf = (feature: number) => [methodOf(feature), this.bins[feature], call.counted.has(feature)];
    const groups = Map.groupBy(features, (feature) => kindOf(feature).join(" "));
    return [...groups.values()].map((group) => {
      const first = group[0]!;
      const method = methodOf(first);
      const of = isHybrid && method !== "auto" ? this.#takenBy(method, call.request) : call.request;
      return { features: group, plan: planOn(this.#host, method, this.#requestOf(call, of, group)) };
    });
  }

  /** A request with those parameters alone that a method takes: a composed algorithm's are for whichever it chooses. */
  #takenBy(method: string, request: TableCall["request"]): TableCall["request"] {
    const takes = this.#host.methods.find(({ slug }) => slug === method)?.parameters ?? {};
    const given = Object.entries(request.parameters ?? {}).filter(([name]) => Object.hasOwn(takes, name));
    return { ...request, parameters: Object.fromEntries(given) };
  }

  /** A call's request for features of as many bins. */
  #requestOf(call: TableCall, of: TableCall["request"], features: readonly number[]): WeightedRequest {
    const first = features[0]!;
    return { ...of, bins: this.bins[first]!, features: features.length, counts: call.counted.has(first) };
  }

  /** Must the device count a feature's documents? Also where the most frequent value is still to be found. */
  #mustCount(feature: number, documents: Uint32Array | null, counts: boolean, skip: boolean): boolean {
    if (documents === null && this.#known.has(feature)) return false;
    return counts || (skip && !this.#mostFrequent.has(feature));
  }

  /** Lets the device add up some groups and merges them. @returns milliseconds of each feature, where it was timed. */
  async #addUp(
    call: TableCall,
    features: readonly number[],
    groups: readonly Grouped[],
    timed: boolean,
  ): Promise<Map<number, number>> {
    const times = new Map<number, number>();
    if (features.length === 0) return times;
    const skipOf = (feature: number) => (call.skip ? (this.#mostFrequent.get(feature) ?? null) : null);
    const withSkips = groups.map((group) => ({ ...group, skip: group.features.map(skipOf) }));
    const parts = await this.#ask(call, withSkips, timed);
    let next = 0;
    for (const { plan, features: group, skip } of withSkips) {
      for (const [i, feature] of group.entries()) {
        const part = parts[next++]!;
        const merged = mergeFeature(part, plan, skip[i]!, call.totals);
        const counts = this.#countsOf(call, feature, merged.counts);
        call.found.set(feature, { sums: { ...merged, counts }, plan });
        if (call.skip && skip[i] === null && call.totals.documents > 0)
          this.#mostFrequent.set(feature, indexOfLargest(counts!));
        if (timed) times.set(feature, timeOf(part.ms, plan));
      }
    }
    return times;
  }

  /** The counts of a call, if it needs any: kept from an earlier one, or to be kept for a later one. */
  #countsOf(
    { weights, counts, skip }: TableCall,
    feature: number,
    counted: Float64Array | null,
  ): Float64Array | null {
    if (weights.documents !== null) return counted;
    if (counted !== null) this.#known.keep(feature, counted);
    return counted ?? (counts || skip ? this.#known.of(feature) : null);
  }

  async #ask(call: TableCall, groups: readonly FeatureGroup[], timed: boolean) {
    const { device } = this.#host;
    const count = groups.reduce((sum, { features }) => sum + features.length, 0);
    if (call.totals.documents === 0) {
      return groups.flatMap(({ plan, features }) => features.map(() => nothingOf(plan)));
    }
    const { signal, onProgress } = call.talk;
    const onDone = (done: number) => {
      // A first round of the hybrid reads some values twice: what it tells ends where the call does.
      const { before, of, total } = call.values;
      call.done = Math.max(call.done, before + Math.min(of, done));
      onProgress?.({ done: call.done, total });
    };
    const run: RunOptions = { signal, ...(onProgress === undefined ? {} : { onProgress: onDone }) };
    const { weights } = call;
    const shape = {
      table: this.#resident,
      groups,
      documents: weights.weights.length,
      listed: weights.documents !== null,
      squares: weights.squares !== null,
      timed,
    };
    const { features, timings } = await device.prepareSums(shape).sums(weights, run);
    signal?.throwIfAborted();
    if (features.length !== count) {
      throw new PolybinError(
        "ERR_MISCOUNT",
        `expected sums of ${count} features but the device returned ${features.length}`,
      );
    }
    for (const name of ["readMs", "uploadMs", "kernelMs"] as const) call.timings[name] += timings[name];
    return features;
  }
}
