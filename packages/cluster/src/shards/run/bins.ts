import { addToBins, type BinCounts, type Chunk, type CountsChunk, type ValueArray } from "@polybin/columns";
import { type Axis, type Histogram, type JointHistogram, PolybinError, type SampleType } from "@polybin/core";
import { edgesOf, samples } from "@polybin/core/backend";
import { cellsOf, exactSum } from "../cells.ts";
import { MAX_GROUP_CELLS } from "../limits.ts";
import { checkGroups } from "../merge.ts";
import { type Counts, compareGroups } from "../payload.ts";
import { type Counting, isValid, maskOf, valuesOf } from "./counter.ts";
import type { BatchGroups } from "./groups.ts";

/** Cells of a row next to its bins: underflow, overflow, NaN and nulls. */
const OUTSIDE = 4;

/** Counts a column of numbers over an axis, group by group. */
export class BinsCounter {
  readonly #axis: Axis;
  readonly #counting: Counting;
  readonly #rows = new Map<string | null, Float64Array>();
  /** Counts of values that files list with counts, by the type of the values. */
  readonly #listed = new Map<SampleType, BinCounts>();
  #isCounted = false;

  constructor(axis: Axis, counting: Counting) {
    this.#axis = axis;
    this.#counting = counting;
  }

  async add(chunk: Chunk, groups: BatchGroups | null): Promise<void> {
    const { engine, options, signal, onCounted } = this.#counting;
    const given = { ...options, axis: this.#axis, signal };
    const mask = maskOf(chunk);
    const values = valuesOf(chunk);
    if (groups === null) {
      const row = this.#row(null);
      const found: Histogram = await engine.histogram(
        values,
        mask === undefined ? given : { ...given, mask },
      );
      onCounted?.(found);
      this.#addHistogram(row, found);
      row[row.length - 1] = exactSum(row.at(-1)!, found.masked);
      return;
    }
    const by = { codes: groups.codes, groups: groups.keys.length };
    const { joint } = await engine.histogram(
      values,
      mask === undefined ? { ...given, by } : { ...given, by, mask },
    );
    onCounted?.(joint);
    const rows = groups.keys.map((key) => this.#row(key));
    this.#addJoint(rows, joint);
    if (chunk.nulls === 0) return;
    for (let i = 0; i < chunk.rows; i++) {
      if (isValid(chunk, i)) continue;
      const row = rows[groups.codes[i]!]!;
      row[row.length - 1]! += 1;
    }
  }

  /** Adds values without their rows. The first ones have counts, and they are few. */
  async addCounted({ values, counts, nulls }: CountsChunk): Promise<void> {
    const { engine, options, signal, onCounted } = this.#counting;
    const all = values as ValueArray;
    const row = this.#row(null);
    row[row.length - 1] = exactSum(row.at(-1)!, nulls);
    const listed = all.subarray(0, counts.length);
    addToBins(this.#listedOf(samples(listed).type), listed as ArrayLike<number>, counts);
    const single = all.subarray(counts.length);
    // The engine says once how it counts, even if no values are left for it.
    if (single.length === 0 && this.#isCounted) return;
    this.#isCounted = true;
    const found = await engine.histogram(single, { ...options, axis: this.#axis, signal });
    onCounted?.(found);
    this.#addHistogram(row, found);
  }

  take(): Counts {
    for (const listed of this.#listed.values()) this.#addHistogram(this.#row(null), listed);
    this.#listed.clear();
    const rows = [...this.#rows].map(([group, counts]) => ({ group, cells: cellsOf(counts) }));
    return { strings: null, rows: rows.sort((a, b) => compareGroups(a.group, b.group)) };
  }

  /** The counts of a group, which begin at 0. @throws ERR_LIMIT */
  #row(group: string | null): Float64Array {
    const known = this.#rows.get(group);
    if (known !== undefined) return known;
    const cells = this.#axis.bins + OUTSIDE;
    checkGroups(this.#rows.size + 1);
    if ((this.#rows.size + 1) * cells > MAX_GROUP_CELLS) {
      throw new PolybinError(
        "ERR_LIMIT",
        `expected at most ${MAX_GROUP_CELLS} cells of groups but more than ${this.#rows.size} groups have ${cells} each; use fewer bins`,
      );
    }
    const row = new Float64Array(cells);
    this.#rows.set(group, row);
    return row;
  }

  #listedOf(type: SampleType): BinCounts {
    const known = this.#listed.get(type);
    if (known !== undefined) return known;
    const counts = new Float64Array(this.#axis.bins);
    const edges = edgesOf(this.#axis, type);
    const listed = { axis: this.#axis, edges, counts, underflow: 0, overflow: 0, nan: 0 };
    this.#listed.set(type, listed);
    return listed;
  }

  #addHistogram(
    row: Float64Array,
    { counts, underflow, overflow, nan }: Pick<Histogram, "counts" | "underflow" | "overflow" | "nan">,
  ): void {
    for (let i = 0; i < counts.length; i++) row[i] = exactSum(row[i]!, counts[i]!);
    for (const [i, flow] of [underflow, overflow, nan].entries()) {
      row[counts.length + i] = exactSum(row[counts.length + i]!, flow);
    }
  }

  /** The first axis of the joint histogram is the group. The codes of the second one are those of a row. */
  #addJoint(rows: readonly Float64Array[], { cells, extents }: JointHistogram): void {
    const extent = extents[1]!;
    for (let cell = 0; cell < cells.length; cell++) {
      if (cells[cell] === 0) continue;
      const row = rows[Math.floor(cell / extent)]!;
      const code = cell % extent;
      row[code] = exactSum(row[code]!, cells[cell]!);
    }
  }
}
