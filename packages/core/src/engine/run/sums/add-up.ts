import { BYTE_VALUES, HALF_VALUES } from "../../../base/index.ts";
import { FEATURE_BINS_MIN } from "../../../input/index.ts";
import type { SumsPlan } from "../../../plan/index.ts";
import type { DeviceTimings } from "../../../result/index.ts";
import { WEIGHED_SAMPLES } from "../../../weights/index.ts";
import type { OpenBackend } from "../../opened/open-backend.ts";
import { parametersAmong } from "../../opened/parameters.ts";
import type { WeightingOptions } from "../../options/weighting-options.ts";
import { hasTables, type OpenTables, planOn, tablesOf } from "../../table/open-tables.ts";
import type { Addends, Adder, PieceWeights } from "./adder.ts";
import { ExactAdder } from "./exact-adder.ts";
import { FloatAdder } from "./float-adder.ts";
import { PieceTable } from "./piece-table.ts";

/** Samples, and the weights of each in every column. */
export interface Step {
  /** The bin of each sample that lies in one. */
  readonly bins: Uint32Array;
  readonly columns: readonly PieceWeights[];
}

/** Returns the adder of a precision. @param most the largest |weight|; null: it is not known */
export function adderOf(
  bins: number,
  most: number | null,
  { precision = "reproducible", squares = false }: WeightingOptions,
): Adder {
  return precision === "fast" ? new FloatAdder(bins, squares) : new ExactAdder(bins, most, squares);
}

/** Adds up the weights of steps. */
export interface AddsUp {
  /** How a device adds up; null: this thread does. */
  readonly plan: SumsPlan | null;
  readonly timings: DeviceTimings;
  /** @param adders one for each column of weights */
  add(adders: readonly Adder[], step: Step, signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Returns what adds up the weights of a call: the device, or this thread over more bins than a table has, and where the
 * device has no tables. A named algorithm is never replaced.
 * @param samples number of samples of the call; null: it is not known
 * @throws ERR_UNSUPPORTED, ERR_INPUT
 */
export function addsUpOver(
  opened: OpenBackend,
  bins: number,
  samples: number | null,
  options: WeightingOptions,
): AddsUp {
  const { algorithm = "auto" } = options;
  const isHere = bins > HALF_VALUES || (algorithm === "auto" && !hasTables(opened));
  return isHere ? new AddsUpHere(bins) : new AddsUpOnDevice(opened, bins, samples, options);
}

/** Adds up on the device. Each step becomes a table of one feature. @throws ERR_UNSUPPORTED, ERR_INPUT */
class AddsUpOnDevice implements AddsUp {
  readonly plan: SumsPlan;
  readonly timings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  readonly #opened: OpenTables;
  readonly #bins: number;
  readonly #plans = new Map<number, SumsPlan>();
  readonly #options: WeightingOptions;

  constructor(opened: OpenBackend, bins: number, samples: number | null, options: WeightingOptions) {
    this.#opened = tablesOf(opened);
    this.#bins = Math.max(FEATURE_BINS_MIN, bins);
    this.#options = options;
    this.plan = this.#planFor(Math.min(samples ?? WEIGHED_SAMPLES, WEIGHED_SAMPLES), true);
  }

  /** Returns the plan for a number of documents. Most steps have the same number. */
  #planFor(documents: number, counts: boolean): SumsPlan {
    const key = counts ? documents : -1 - documents;
    const known = this.#plans.get(key) ?? this.#newPlan(documents, counts);
    this.#plans.set(key, known);
    return known;
  }

  #newPlan(documents: number, counts: boolean): SumsPlan {
    const { algorithm = "auto", precision = "reproducible", squares = false } = this.#options;
    return planOn(this.#opened, algorithm, {
      type: this.#bins <= BYTE_VALUES ? "u8" : "u16",
      ...{ bins: this.#bins, features: 1, documents, precision, counts },
      parameters: parametersAmong(this.#options, this.#opened.weightedParameters),
      // Exact squares are added up separately, like weights.
      squares: squares && precision === "fast",
    });
  }

  async add(adders: readonly Adder[], step: Step, signal: AbortSignal | undefined): Promise<void> {
    const Narrow = this.#bins <= BYTE_VALUES ? Uint8Array : Uint16Array;
    const table = new PieceTable(new Narrow(step.bins), this.#opened.device, signal);
    try {
      for (const [k, adder] of adders.entries()) {
        await adder.add(step.columns[k]!, (addends) =>
          table.add(addends, this.#planFor(step.bins.length, addends.counts), this.timings),
        );
      }
    } finally {
      await table.free();
    }
  }
}

/** Adds up on this thread. */
class AddsUpHere implements AddsUp {
  readonly plan = null;
  readonly timings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  readonly #bins: number;

  constructor(bins: number) {
    this.#bins = bins;
  }

  async add(adders: readonly Adder[], step: Step): Promise<void> {
    const since = performance.now();
    for (const [k, adder] of adders.entries()) {
      await adder.add(step.columns[k]!, async (addends) => addHere(step.bins, addends, this.#bins));
    }
    this.timings.kernelMs += performance.now() - since;
  }
}

/** Adds up whole numbers or floats on this thread. */
function addHere(cells: Uint32Array, { weights, squares, counts }: Addends, bins: number) {
  const sums = new Float64Array(bins);
  const counted = counts ? new Float64Array(bins) : null;
  const squared = squares === null ? null : new Float64Array(bins);
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!;
    sums[cell]! += weights[i]!;
    if (counted !== null) counted[cell]!++;
    if (squared !== null) squared[cell]! += squares![i]!;
  }
  return { counts: counted, sums, squares: squared };
}
