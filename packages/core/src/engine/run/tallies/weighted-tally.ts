import type { CellLimbs, RunOptions, WeightedPart } from "../../../backend/index.ts";
import { kindsOf } from "../../../backend/index.ts";
import { expected, PolybinError } from "../../../base/index.ts";
import { OVERFLOW } from "../../../lowering/index.ts";
import { type DeviceTimings, type Provenance, resultCells } from "../../../result/index.ts";
import { checkFinite, ExactSums } from "../../../weights/index.ts";
import type { JointShape, PlannedJoint } from "../../jobs/cells-jobs.ts";
import { WEIGHTED_CELLS } from "../../limits.ts";
import type { OpenBackend } from "../../opened/open-backend.ts";
import type { WeightingOptions } from "../../options/weighting-options.ts";
import { checkGrouped, type Piece } from "../inputs/selection.ts";
import { type Call, type Column, inputsOf, maskKind, type Tally } from "./call.ts";
import { sumOf } from "./cells-tally.ts";
import { type CellSums, FLOW_NAMES } from "./sums-tally.ts";

/**
 * Whether the device finds cells and adds up their weights in one pass. A named algorithm is never replaced.
 * @param cells number of cells of all rows
 */
export function weighsOnDevice(
  opened: OpenBackend,
  cells: number,
  { algorithm = "auto" }: WeightingOptions,
): boolean {
  return algorithm === "auto" && kindsOf(opened.device).includes("weighted") && cells <= WEIGHTED_CELLS;
}

/** Returns how many columns of weights a device adds up in one pass over the samples. */
export function columnsAtOnce(cells: number): number {
  return Math.max(1, Math.floor(WEIGHTED_CELLS / cells));
}

/** Exact sums of one column of weights. */
interface ColumnSums {
  readonly sums: ExactSums;
  readonly squares: ExactSums | null;
}

/** Adds up the weights of cells with the device's kernels, where the samples lie. */
export class WeightedTally implements Tally {
  readonly #call: Call;
  readonly #columns: readonly Column[];
  readonly #planned: PlannedJoint;
  readonly #extents: readonly number[];
  /** The cell of the result for each cell of a row of the device; null: they are equal. */
  readonly #toResult: Uint32Array | null;
  readonly #counts: Float64Array;
  readonly #sums: readonly ColumnSums[];
  #masked = 0;
  #timings: DeviceTimings = { readMs: 0, uploadMs: 0, kernelMs: 0 };

  constructor(call: Call, columns: readonly Column[], isWhole: boolean) {
    this.#call = call;
    this.#columns = columns;
    this.#planned = call.cellsJobs.of(shapeOf(call, columns, isWhole), {});
    const { maps } = this.#planned;
    this.#extents = maps.map(({ extent }) => extent);
    const toResult = resultCells(maps);
    const size = this.#extents.reduce((product, extent) => product * extent, 1);
    const isSame = toResult.length === size && toResult.every((cell, i) => cell === i);
    this.#toResult = isSame ? null : toResult;
    const cells = size * (call.segments?.count ?? 1);
    this.#counts = new Float64Array(cells);
    const { squares = false } = call.weighting;
    this.#sums = call.weights!.map(() => ({
      sums: new ExactSums(cells),
      squares: squares ? new ExactSums(cells) : null,
    }));
  }

  get provenance(): Provenance {
    return this.#planned.provenance;
  }
  get timings(): DeviceTimings {
    return this.#timings;
  }

  async add(piece: Piece, options: RunOptions): Promise<void> {
    const { segments, weights } = this.#call;
    const inputs = inputsOf(this.#call, this.#columns, piece);
    // The device looks at the weights of the samples that it reads. A list leaves some out, and offsets may.
    const isPart = inputs.where !== null || segments?.kind === "offsets";
    const given = weights!.map((one) => (isPart ? one.of(piece) : one.given(piece)));
    if (inputs.samples === 0) return;
    const prepared = await this.#planned.weighted(this.#call.weighting.squares === true);
    const rows = segments && { segments, first: piece.first };
    const most = columnsAtOnce(this.#planned.job.plan.cells * (segments?.count ?? 1));
    const { onProgress } = options;
    for (let k = 0; k < given.length; k += most) {
      const some = given.slice(k, k + most);
      const tell =
        onProgress &&
        ((done: number) => onProgress((k * inputs.samples + some.length * done) / given.length));
      const part = await prepared.count({ ...inputs, weights: some, rows }, { ...options, onProgress: tell });
      options.signal?.throwIfAborted();
      if (!part.finite) this.#refuse(piece);
      this.#add(part, inputs.samples, k);
    }
  }

  /** @throws ERR_INPUT */
  #refuse(piece: Piece): never {
    for (const one of this.#call.weights!) one.of(piece);
    throw expected("ERR_INPUT", "weights", "finite numbers that do not change during the call", "others");
  }

  /** @param first the number of the first column of weights that the device added up */
  #add(part: WeightedPart, samples: number, first: number): void {
    const { counts, columns, masked, timings } = part;
    this.#check(part, samples);
    this.#timings = sumOf(this.#timings, timings);
    if (first === 0) {
      this.#masked += masked;
      this.#addTo(this.#counts, counts);
    }
    const addAll = (to: ExactSums, from: readonly CellLimbs[]) => {
      for (const { exponent, limbs } of from) this.#addTo(to.of(exponent), limbs);
    };
    for (const [k, { sums, squares }] of columns.entries()) {
      const to = this.#sums[first + k]!;
      addAll(to.sums, sums);
      if (to.squares !== null) addAll(to.squares, squares!);
    }
  }

  /** Adds the device's numbers to those of the result. */
  #addTo(to: Float64Array, from: Float64Array): void {
    const toResult = this.#toResult;
    if (toResult === null) {
      for (let cell = 0; cell < from.length; cell++) to[cell]! += from[cell]!;
      return;
    }
    const size = to.length / (from.length / toResult.length);
    for (let first = 0, at = 0; first < from.length; first += toResult.length, at += size) {
      for (let cell = 0; cell < toResult.length; cell++) to[at + toResult[cell]!]! += from[first + cell]!;
    }
  }

  /** @throws ERR_MISCOUNT if samples were lost or added twice. No result is better than a wrong one. */
  #check({ counts, masked }: WeightedPart, samples: number): void {
    const { plan } = this.#planned.job;
    const { segments } = this.#call;
    const cells = plan.cells * (segments?.count ?? 1);
    const seen = counts.reduce((sum, count) => sum + (count < 0 ? Number.NaN : count), masked);
    // Offsets may leave samples out at both ends.
    const isRight = segments?.kind === "offsets" ? seen <= samples : seen === samples;
    if (counts.length === cells && isRight) return;
    throw new PolybinError(
      "ERR_MISCOUNT",
      `expected ${cells} cells of ${samples} samples but the device returned ${counts.length} of ${seen}; the result was discarded`,
      { algorithm: plan.algorithm },
    );
  }

  /** Adds the sums of another tally of the same kind. */
  merge(other: WeightedTally): void {
    this.#masked += other.#masked;
    this.#timings = sumOf(this.#timings, other.#timings);
    for (let cell = 0; cell < this.#counts.length; cell++) this.#counts[cell]! += other.#counts[cell]!;
    for (const [k, { sums, squares }] of this.#sums.entries()) {
      sums.add(other.#sums[k]!.sums);
      squares?.add(other.#sums[k]!.squares!);
    }
  }

  /**
   * Returns the sums of each column of weights.
   * @throws ERR_LIMIT if a sum is larger than a double; ERR_INPUT for codes outside the groups
   */
  sums(): readonly CellSums[] {
    return this.#sums.map((of, k) => this.#sumsOf(of, this.#call.weights![k]!.name));
  }

  #sumsOf(column: ColumnSums, name: string): CellSums {
    const { segments, groups } = this.#call;
    const [first = 0, ...others] = this.#extents;
    const isCut = groups !== null && first !== groups;
    const size = isCut ? (this.#counts.length / first) * groups : this.#counts.length;
    const sums = column.sums.rounded();
    const squares = column.squares?.rounded() ?? null;
    const { bins } = this.#columns[0]!.axis;
    const isOne = this.#columns.length === 1 && segments === null;
    // An axis with a single cell of flow has only overflow.
    const flow = size - bins === 1 ? FLOW_NAMES.slice(OVERFLOW, OVERFLOW + 1) : FLOW_NAMES;
    for (const of of [sums, squares]) checkFinite(of, isOne ? bins : this.#counts.length, flow, name);
    if (isCut) checkGrouped(this.#counts.subarray(size), groups);
    return {
      counts: this.#counts.slice(0, size),
      sums: sums.subarray(0, size),
      sumsOfSquares: squares?.subarray(0, size) ?? null,
      extents: isCut
        ? [groups, ...others]
        : segments === null
          ? this.#extents
          : [segments.count, ...this.#extents],
      masked: this.#masked,
      // The device adds up whole weights.
      limbs: null,
      limbsOfSquares: null,
    };
  }
}

function shapeOf(call: Call, columns: readonly Column[], isWhole: boolean): JointShape {
  const { planned, where } = call;
  return { columns, samples: planned, mask: maskKind(call, { isWhole }), listed: where !== null };
}
