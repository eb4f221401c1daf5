import type { ResidentCounts, RunOptions } from "../../../backend/index.ts";
import { FLOW_ROWS, PolybinError } from "../../../base/index.ts";
import { type Segments, segmentsIn } from "../../../input/index.ts";
import {
  type DeviceTimings,
  newRows,
  type Provenance,
  type RowNumbers,
  type Rows,
  rowsOfCode,
  type SegmentCounts,
} from "../../../result/index.ts";
import type { SegmentJob, SegmentJobs } from "../../jobs/segment-jobs.ts";
import type { Piece } from "../inputs/selection.ts";
import { type Call, type Column, inputsOf, type Tally } from "./call.ts";
import { sumOf } from "./cells-tally.ts";

/** Counts the segments of one column into rows with the device's kernels. */
export class SegmentsTally implements Tally {
  readonly #call: Call;
  readonly #column: Column;
  readonly #segments: Segments;
  readonly #jobs: SegmentJobs;
  readonly #into: Uint32Array | undefined;
  #rows: Rows | null = null;
  #timings: DeviceTimings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  #job: SegmentJob;

  constructor(call: Call, column: Column, jobs: SegmentJobs, into: Uint32Array | undefined) {
    this.#call = call;
    this.#column = column;
    this.#segments = call.segments!;
    this.#jobs = jobs;
    this.#job = this.#jobOf(this.#segments);
    // A device that groups nothing must not write rows of more bins into the caller's array.
    this.#into = this.codes === null ? into : undefined;
  }

  #jobOf(segments: Segments): SegmentJob {
    const { planned, choice } = this.#call;
    const { type, interleaved, channel, axis } = this.#column;
    const shape = { type, interleaved, channels: [channel], pixels: planned };
    return this.#jobs.of(shape, segments, axis, choice);
  }

  /** The codes on the caller's axis of those that a device counts; null: they are equal. */
  get codes(): Uint32Array | null {
    return this.#job.counted.codes;
  }
  /** Number of bins that a device counts. */
  get bins(): number {
    return this.#job.axis.bins;
  }
  get provenance(): Provenance {
    const { backend, device } = this.#call.opened;
    const { plan } = this.#job;
    return { backend, device: device.name, algorithm: plan.algorithm, plan, timings: null };
  }
  get timings(): DeviceTimings {
    return this.#timings;
  }

  async add(piece: Piece, options: RunOptions): Promise<void> {
    if (piece.isWhole) {
      const found = await this.#count(piece, this.#segments, options, this.#into);
      this.#timings = found.timings;
      this.#rows = found;
      return;
    }
    const { first, end, segments } = localSegments(this.#segments, piece);
    const found = await this.#count(piece, segments, options, undefined);
    this.#timings = sumOf(this.#timings, found.timings);
    const all = this.#all();
    add(all.counts, found.counts, first * this.bins, (end - first) * this.bins);
    if (found.flow !== null) add(all.flow!, found.flow, first * FLOW_ROWS, (end - first) * FLOW_ROWS);
  }

  #all(): Rows {
    const { bins } = this;
    this.#rows ??= newRows(this.#segments, { bins, flow: true }, this.#into);
    return this.#rows;
  }

  async #count(
    piece: Piece,
    segments: Segments,
    options: RunOptions,
    into: Uint32Array | undefined,
  ): Promise<SegmentCounts> {
    const known = this.#known(segments, into);
    if (known !== null) return known;
    const job = segments === this.#segments ? this.#job : this.#jobOf(segments);
    const [input] = inputsOf(this.#call, [this.#column], piece).columns;
    const prepared = await job.prepared();
    const found = await prepared.count({ input: input!, segments, into }, options);
    options.signal?.throwIfAborted();
    return this.#checked(found, segments.count);
  }

  /** Returns rows that need no device, or null if the device must count. */
  #known(segments: Segments, into?: Uint32Array): SegmentCounts | null {
    const { axis, lowering } = this.#job;
    const isNone = segments.longest === 0;
    if (!isNone && lowering.kind !== "constant") return null;
    const code = isNone || lowering.kind !== "constant" ? null : lowering.code;
    return rowsOfCode(segments, axis.bins, code, into);
  }

  /** Checks the number of counts that a device returned. @throws ERR_MISCOUNT */
  #checked(found: SegmentCounts, segments: number): SegmentCounts {
    const { plan, axis, lowering } = this.#job;
    const { counts, flow } = found;
    const fits = (rows: RowNumbers, width: number): boolean => rows.length === segments * width;
    if (fits(counts, axis.bins) && (flow === null ? !lowering.flow : fits(flow, FLOW_ROWS))) return found;
    throw new PolybinError(
      "ERR_MISCOUNT",
      `expected ${segments} x ${axis.bins} counts but the device returned ${counts.length}`,
      { algorithm: plan.algorithm },
    );
  }

  /** Counts a whole piece into rows that stay on the device. Null: the device has nothing to do. @throws ERR_UNSUPPORTED */
  async leave(piece: Piece, options: RunOptions): Promise<ResidentCounts | null> {
    if (this.#known(this.#segments) !== null) return null;
    const prepared = await this.#job.prepared();
    if (prepared.leave === undefined) {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        `${this.#call.opened.backend} cannot leave counts on its device: leave the option leave out`,
      );
    }
    const [input] = inputsOf(this.#call, [this.#column], piece).columns;
    return prepared.leave({ input: input!, segments: this.#segments }, options);
  }

  /** The rows of the bins that a device counts. */
  counted(): SegmentCounts {
    const { counts, flow } = this.#rows ?? this.#known(this.#segments, this.#into) ?? this.#all();
    return { counts, flow, timings: this.#timings };
  }
}

/** The segments of a piece, in pixels of the piece. Those that a boundary cuts are in both pieces. */
function localSegments(
  of: Segments,
  { first: begin, pixels }: Piece,
): { readonly first: number; readonly end: number; readonly segments: Segments } {
  const { first, end } = segmentsIn(of, begin, begin + pixels);
  const startOf = (segment: number) => {
    if (of.kind === "offsets") return of.offsets[segment]!;
    return of.kind === "every" ? segment * of.every : 0;
  };
  const offsets = Float64Array.from({ length: end - first + 1 }, (_, i) =>
    Math.min(pixels, Math.max(0, startOf(first + i) - begin)),
  );
  let longest = 0;
  for (let i = 1; i < offsets.length; i++) longest = Math.max(longest, offsets[i]! - offsets[i - 1]!);
  return {
    first,
    end,
    segments: Object.freeze({ kind: "offsets", offsets, count: end - first, longest, pixels }),
  };
}

function add(to: RowNumbers, from: RowNumbers, at: number, length: number): void {
  for (let i = 0; i < length; i++) to[at + i]! += from[i]!;
}
