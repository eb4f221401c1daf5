import { choiceOf } from "../../algorithms/index.ts";
import type { FeatureGroup, RunOptions } from "../../backend/index.ts";
import { PolybinError } from "../../base/index.ts";
import type { ResidentTable } from "../../input/index.ts";
import type { ComposedAlgorithm, WeightedRequest } from "../../plan/index.ts";
import { checkedParameters } from "../../plan/index.ts";
import { mergeFeature } from "../../result/index.ts";
import type { Grouped, TableCall } from "./call.ts";
import { indexOfLargest, nothingOf, timeOf } from "./call.ts";
import type { TableHost } from "./host.ts";
import { planOn, planOrReasonOn } from "./host.ts";
import type { HybridKind } from "./hybrid-choices.ts";
import { HybridChoices } from "./hybrid-choices.ts";
import type { KnownCounts } from "./known-counts.ts";

/** How the features of a table are added up: which of them share a plan, and what was learned of each on the way. */
export class Summing {
  /** What composed algorithms chose. */
  readonly choices: HybridChoices = new HybridChoices();
  readonly #bins: readonly number[];
  readonly #resident: ResidentTable;
  readonly #host: TableHost;
  readonly #known: KnownCounts;
  readonly #mostFrequent = new Map<number, number>();

  /** @param bins of each feature */
  constructor(bins: readonly number[], resident: ResidentTable, host: TableHost, known: KnownCounts) {
    this.#bins = bins;
    this.#resident = resident;
    this.#host = host;
    this.#known = known;
  }

  /** For each feature the hybrid's candidates of which the device can do this call; where it can none, all. */
  #candidates(
    composed: ComposedAlgorithm,
    call: TableCall,
    features: readonly number[],
  ): (feature: number) => readonly string[] {
    const kindOf = (feature: number) => `${this.#bins[feature]} ${call.counted.has(feature)}`;
    const fitting = new Map<string, readonly string[]>();
    for (const feature of features) {
      if (fitting.has(kindOf(feature))) continue;
      const all = composed.candidates(this.#bins[feature]!);
      const some = all.filter((method) => {
        const request = this.#requestOf(call, this.#takenBy(method, call.request), [feature]);
        return typeof planOrReasonOn(this.#host, method, request) !== "string";
      });
      fitting.set(kindOf(feature), some.length > 0 ? some : all);
    }
    return (feature) => fitting.get(kindOf(feature))!;
  }

  /** Features that it does not know yet are tried with each candidate, and timed; then all is known. */
  async measured(composed: ComposedAlgorithm, call: TableCall, features: readonly number[]): Promise<void> {
    checkedParameters(composed, call.request.parameters ?? {}, this.#host.methods);
    const candidates = this.#candidates(composed, call, features);
    const kind: HybridKind = { precision: call.request.precision, skip: call.skip };
    const unknown = features.filter(
      (feature) =>
        candidates(feature).length > 1 && !this.choices.of(feature, kind) && call.totals.documents > 0,
    );
    // Which value to skip is found first: else all candidates but the first would be timed without it.
    const unskipped = unknown.filter((feature) => call.skip && !this.#mostFrequent.has(feature));
    const firstOf = (feature: number) => candidates(feature)[0]!;
    await this.addUp(call, unskipped, this.plansFor(call, unskipped, firstOf, true), false);
    const times = new Map(unknown.map((feature) => [feature, {} as Partial<Record<string, number>>]));
    const rounds = unknown.reduce((most, feature) => Math.max(most, candidates(feature).length), 0);
    for (let round = 0; round < rounds; round++) {
      const methodOf = (feature: number) => candidates(feature)[round]!;
      const plans = this.plansFor(call, unknown, methodOf, true);
      for (const [feature, ms] of await this.addUp(call, unknown, plans, true)) {
        times.get(feature)![methodOf(feature)] = ms;
      }
    }
    for (const feature of features) {
      const of = { feature, bins: this.#bins[feature]!, ...kind };
      const ms = times.get(feature) ?? (composed.candidates(of.bins).length === 1 ? {} : null);
      if (ms !== null) this.choices.keep(choiceOf(composed.candidates(of.bins), of, ms));
    }
    const rest = features.filter((feature) => !times.has(feature));
    // What was fastest may not fit this call, with squares say.
    const methodOf = (feature: number) => {
      const chosen = this.choices.of(feature, kind)?.algorithm;
      return candidates(feature).find((method) => method === chosen) ?? firstOf(feature);
    };
    await this.addUp(call, rest, this.plansFor(call, rest, methodOf, true), false);
  }

  /** Features of as many bins and the same method make a group with one plan. */
  plansFor(
    call: TableCall,
    features: readonly number[],
    methodOf: (feature: number) => string,
    isHybrid = false,
  ): Grouped[] {
    const kindOf = (feature: number) => [methodOf(feature), this.#bins[feature], call.counted.has(feature)];
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
    return { ...of, bins: this.#bins[first]!, features: features.length, counts: call.counted.has(first) };
  }

  /** Must the device count a feature's documents? Also where the most frequent value is still to be found. */
  mustCount(feature: number, documents: Uint32Array | null, counts: boolean, skip: boolean): boolean {
    if (documents === null && this.#known.has(feature)) return false;
    return counts || (skip && !this.#mostFrequent.has(feature));
  }

  /** Lets the device add up some groups and merges them. @returns milliseconds of each feature, where it was timed. */
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
