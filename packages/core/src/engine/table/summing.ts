import { choicesOf } from "../../algorithms/index.ts";
import type { FeatureGroup, RunOptions, SumsJob } from "../../backend/index.ts";
import { PolybinError } from "../../base/index.ts";
import type { ResidentTable } from "../../input/index.ts";
import type { ComposedAlgorithm, WeightedRequest } from "../../plan/index.ts";
import { checkedParameters } from "../../plan/index.ts";
import { mergeFeature } from "../../result/index.ts";
import type { Grouped, TableCall } from "./call.ts";
import { indexOfLargest, nothingOf, timeOf } from "./call.ts";
import type { HybridKind } from "./hybrid-choices.ts";
import { HybridChoices } from "./hybrid-choices.ts";
import type { KnownCounts } from "./known-counts.ts";
import type { OpenTables } from "./open-tables.ts";
import { planOn, planOrReasonOn } from "./open-tables.ts";

/** Rounds in which the hybrid times each candidate. */
const TRIALS = 2;

/** A candidate is not timed if it needs more than this number of passes for one pass of another. */
const MORE_PASSES = 2;

/** Milliseconds by method. */
type Times = Partial<Record<string, number>>;

/** Adds up the features of a table. It groups features that share a plan and remembers facts about each feature. */
export class Summing {
  /** The choices of composed algorithms. */
  readonly choices: HybridChoices = new HybridChoices();
  readonly #bins: readonly number[];
  readonly #resident: ResidentTable;
  readonly #opened: OpenTables;
  readonly #known: KnownCounts;
  readonly #mostFrequent = new Map<number, number>();

  /** @param bins the number of bins of each feature */
  constructor(bins: readonly number[], resident: ResidentTable, opened: OpenTables, known: KnownCounts) {
    this.#bins = bins;
    this.#resident = resident;
    this.#opened = opened;
    this.#known = known;
  }

  /**
   * Returns, per feature, the hybrid's candidates that the device can run for this call, or all if it can run none. A
   * candidate that passes over the documents far more often than another is left out.
   */
  #candidates(
    composed: ComposedAlgorithm,
    call: TableCall,
    features: readonly number[],
  ): (feature: number) => readonly string[] {
    const fitting = new Map<string, readonly string[]>();
    for (const feature of features) {
      if (fitting.has(this.#kindOf(call, feature))) continue;
      const all = composed.candidates(this.#bins[feature]!);
      const passes = new Map<string, number>();
      for (const method of all) {
        const request = this.#requestOf(call, this.#takenBy(method, call.request), [feature]);
        const plan = planOrReasonOn(this.#opened, method, request);
        if (typeof plan !== "string") passes.set(method, plan.passes);
      }
      const most = MORE_PASSES * Math.min(...passes.values());
      const some = all.filter((method) => passes.has(method) && passes.get(method)! <= most);
      fitting.set(this.#kindOf(call, feature), some.length > 0 ? some : all);
    }
    return (feature) => fitting.get(this.#kindOf(call, feature))!;
  }

  /** Features of one kind have the same plans. */
  #kindOf({ counted }: TableCall, feature: number): string {
    return `${this.#bins[feature]} ${counted.has(feature)}`;
  }

  /** Tries each candidate on the features without a choice and times them, then adds up the remaining features. */
  async measured(composed: ComposedAlgorithm, call: TableCall, features: readonly number[]): Promise<void> {
    checkedParameters(composed, call.request.parameters ?? {}, this.#opened.methods);
    const candidates = this.#candidates(composed, call, features);
    const kind: HybridKind = { precision: call.request.precision, skip: call.skip };
    // A choice without the time of a candidate was made when that one could not run.
    const isUnknown = (feature: number) =>
      candidates(feature).length > 1 &&
      candidates(feature).some((method) => this.choices.of(feature, kind)?.ms[method] === undefined);
    const unknown = call.totals.documents > 0 ? features.filter(isUnknown) : [];
    // The value to skip must be found first. Otherwise all candidates but the first would be timed without skipping.
    const unskipped = unknown.filter((feature) => call.skip && !this.#mostFrequent.has(feature));
    const firstOf = (feature: number) => candidates(feature)[0]!;
    await this.addUp(call, unskipped, this.plansFor(call, unskipped, firstOf, true), false);
    const times = await this.#timesOf(call, unknown, candidates);
    const decided = features.flatMap((feature) => {
      const bins = this.#bins[feature]!;
      const ms = times.get(feature) ?? (composed.candidates(bins).length === 1 ? {} : null);
      return ms === null ? [] : [{ feature, bins, ...kind, ms }];
    });
    for (const alike of Map.groupBy(decided, ({ feature }) => this.#kindOf(call, feature)).values()) {
      for (const choice of choicesOf(composed.candidates(alike[0]!.bins), alike)) this.choices.keep(choice);
    }
    const rest = features.filter((feature) => !times.has(feature));
    // The fastest method may not be able to run this call, for example with squares.
    const methodOf = (feature: number) => {
      const chosen = this.choices.of(feature, kind)?.algorithm;
      return candidates(feature).find((method) => method === chosen) ?? firstOf(feature);
    };
    await this.addUp(call, rest, this.plansFor(call, rest, methodOf, true), false);
  }

  /**
   * Lets each candidate add up all features at once, as later calls do, and returns the milliseconds of each feature.
   * They are the lower ones of two rounds, because a device at rest may need a round to reach its clock rate.
   */
  async #timesOf(
    call: TableCall,
    features: readonly number[],
    candidates: (feature: number) => readonly string[],
  ): Promise<Map<number, Times>> {
    const times = new Map(features.map((feature) => [feature, {} as Times]));
    const most = features.reduce((top, feature) => Math.max(top, candidates(feature).length), 0);
    for (let i = 0; i < TRIALS * most; i++) {
      const some = features.filter((feature) => i % most < candidates(feature).length);
      const methodOf = (feature: number) => candidates(feature)[i % most]!;
      for (const [feature, ms] of await this.addUp(
        call,
        some,
        this.plansFor(call, some, methodOf, true),
        true,
      )) {
        const of = times.get(feature)!;
        of[methodOf(feature)] = Math.min(ms, of[methodOf(feature)] ?? ms);
      }
    }
    return times;
  }

  /** Groups features with the same number of bins and the same method, with one plan per group. */
  plansFor(
    call: TableCall,
    features: readonly number[],
    methodOf: (feature: number) => string,
    isHybrid = false,
  ): Grouped[] {
    const groups = Map.groupBy(features, (feature) => `${methodOf(feature)} ${this.#kindOf(call, feature)}`);
    return [...groups.values()].map((group) => {
      const first = group[0]!;
      const method = methodOf(first);
      const of = isHybrid && method !== "auto" ? this.#takenBy(method, call.request) : call.request;
      return { features: group, plan: planOn(this.#opened, method, this.#requestOf(call, of, group)) };
    });
  }

  /**
   * Removes the parameters that a method does not take. A composed algorithm's parameters are meant for any of its
   * methods.
   */
  #takenBy(method: string, request: TableCall["request"]): TableCall["request"] {
    const takes = this.#opened.methods.find(({ slug }) => slug === method)?.parameters ?? {};
    const given = Object.entries(request.parameters ?? {}).filter(([name]) => Object.hasOwn(takes, name));
    return { ...request, parameters: Object.fromEntries(given) };
  }

  /** Returns the request of a call for features with the same number of bins. */
  #requestOf(call: TableCall, of: TableCall["request"], features: readonly number[]): WeightedRequest {
    const first = features[0]!;
    return { ...of, bins: this.#bins[first]!, features: features.length, counts: call.counted.has(first) };
  }

  /** Whether the device must count a feature's documents. It must also count to find the most frequent value. */
  mustCount(feature: number, documents: Uint32Array | null, counts: boolean, skip: boolean): boolean {
    if (documents === null && this.#known.has(feature)) return false;
    return counts || (skip && !this.#mostFrequent.has(feature));
  }

  /** Makes the device add up groups of features and merges the results. @returns milliseconds per feature, if timed. */
  async addUp(
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

  /** Returns the counts of a feature if the call needs them. It reuses cached counts and caches new ones. */
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
    const { device } = this.#opened;
    const count = groups.reduce((sum, { features }) => sum + features.length, 0);
    if (call.totals.documents === 0) {
      return groups.flatMap(({ plan, features }) => features.map(() => nothingOf(plan)));
    }
    const { signal, onProgress } = call.talk;
    const onDone = (done: number) => {
      // The hybrid's first round reads some values twice, so progress is capped at the values of one limb.
      const { before, of, total } = call.values;
      call.done = Math.max(call.done, before + Math.min(of, done));
      onProgress?.({ done: call.done, total });
    };
    const run: RunOptions = { signal, ...(onProgress === undefined ? {} : { onProgress: onDone }) };
    const { weights } = call;
    const job: SumsJob = {
      kind: "sums",
      table: this.#resident,
      groups,
      documents: weights.weights.length,
      listed: weights.documents !== null,
      squares: weights.squares !== null,
      timed,
    };
    const prepared = await device.prepare<"sums">(job);
    const { features, timings } = await prepared.count(weights, run);
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
