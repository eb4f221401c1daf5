import { type Axis, edgesOf } from "../axis/index.ts";
import { expected, FLOW_ROWS } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import { NAN, OVERFLOW, UNDERFLOW } from "../lowering/index.ts";
import type { Plan } from "../plan/index.ts";
import type { SegmentCounts } from "./counted.ts";
import { Histogram } from "./histogram.ts";
import type { Provenance, Timings } from "./provenance.ts";

/** Counts of segments: 32-bit integers, or doubles if a segment has 2^32 samples or more. */
export type RowNumbers = Uint32Array | Float64Array;

/** Segmented counts as JSON. */
export interface SegmentedJson {
  /** The axis, and its edges in the precision of the samples. JSON has null for an infinite edge. */
  readonly axis: Axis & { readonly edges: readonly number[] };
  /** Type of the samples. */
  readonly type: SampleType;
  readonly segments: number;
  /** One row per segment. */
  readonly counts: readonly (readonly number[])[];
  /** One number per segment. */
  readonly underflow: readonly number[];
  readonly overflow: readonly number[];
  readonly nan: readonly number[];
  /** Absent: no mask left samples out. */
  readonly masked?: number;
}

/** Properties of a result of segments, without its counts. */
export interface SegmentedOf {
  readonly axis: Axis;
  readonly type: SampleType;
  readonly segments: number;
  /** Number of samples that a mask left out. */
  readonly masked: number;
  readonly provenance: Provenance;
}

/** Exact counts of segments over one axis: a matrix with one row per segment. */
export class Segmented {
  /** The axis of the bins. */
  readonly axis: Axis;
  /** Type of the samples. It decides the precision to which regular edges are rounded. */
  readonly type: SampleType;
  /** Number of segments, and so of rows of `counts`. */
  readonly segments: number;
  /** segments x bins exact integers, row by row. If the call had `into`, it is that array. */
  readonly counts: RowNumbers;
  /** Number of samples of all segments that a mask left out. */
  readonly masked: number;
  readonly #flow: RowNumbers | null;
  readonly #provenance: Provenance | null;
  #edges: Float64Array | null = null;

  /** @internal Use engine.segments. The provenance is null for counts that were read from JSON. */
  constructor(
    {
      axis,
      type,
      segments,
      masked,
      provenance,
    }: Omit<SegmentedOf, "provenance"> & {
      readonly provenance: Provenance | null;
    },
    { counts, flow }: Omit<SegmentCounts, "timings">,
  ) {
    this.axis = axis;
    this.type = type;
    this.segments = segments;
    this.masked = masked;
    this.counts = counts;
    this.#flow = flow;
    this.#provenance = provenance;
  }

  /** Number of bins per row. */
  get bins(): number {
    return this.axis.bins;
  }

  /** bins + 1 ascending numbers. */
  get edges(): Float64Array {
    this.#edges ??= edgesOf(this.axis, this.type);
    return this.#edges;
  }

  /** segments x 3: underflow, overflow and NaN. Null: every sample lies in a bin. @internal */
  get rowsOfFlow(): RowNumbers | null {
    return this.#flow;
  }

  /** Samples below the first edge, one number per segment. The array is a new one, also for the next two properties. */
  get underflow(): RowNumbers {
    return this.#flowOf(UNDERFLOW);
  }
  /** Samples above the last edge. */
  get overflow(): RowNumbers {
    return this.#flowOf(OVERFLOW);
  }
  /** Samples that are NaN. */
  get nan(): RowNumbers {
    return this.#flowOf(NAN);
  }

  /** Id of the backend that counted. Null, as the next four, for counts that were read from JSON. */
  get backend(): string | null {
    return this.#provenance?.backend ?? null;
  }
  get device(): string | null {
    return this.#provenance?.device ?? null;
  }
  get algorithm(): string | null {
    return this.#provenance?.algorithm ?? null;
  }
  get plan(): Plan | null {
    return this.#provenance?.plan ?? null;
  }
  /** Timings of the call. Also null if it did not request them. */
  get timings(): Timings | null {
    return this.#provenance?.timings ?? null;
  }

  /** Returns the histogram of one segment, as a copy. @throws ERR_INPUT if there is no such segment. */
  at(segment: number): Histogram {
    if (!Number.isInteger(segment) || segment < 0 || segment >= this.segments) {
      throw expected("ERR_INPUT", "segment", `a whole number below ${this.segments}`, segment);
    }
    const { axis, type, bins } = this;
    const flow = (kind: number): number => this.#flow?.[segment * FLOW_ROWS + kind] ?? 0;
    const counts = {
      counts: Float64Array.from(this.counts.subarray(segment * bins, (segment + 1) * bins)),
      underflow: flow(UNDERFLOW),
      overflow: flow(OVERFLOW),
      nan: flow(NAN),
    };
    return new Histogram(axis, type, counts, this.#provenance);
  }

  /** Reads what `toJSON` wrote. @throws ERR_INPUT for any other JSON; ERR_AXIS or ERR_LIMIT for an invalid axis. */
  declare static fromJSON: (json: unknown) => Segmented;

  toJSON(): SegmentedJson {
    const { axis, type, bins, segments, counts, masked } = this;
    return {
      axis: { ...axis, edges: [...this.edges] },
      type,
      segments,
      counts: Array.from({ length: segments }, (_, i) => [...counts.subarray(i * bins, (i + 1) * bins)]),
      underflow: [...this.underflow],
      overflow: [...this.overflow],
      nan: [...this.nan],
      ...(masked > 0 && { masked }),
    };
  }

  #flowOf(kind: number): RowNumbers {
    const out = newRow(this.counts, this.segments);
    const flow = this.#flow;
    if (flow !== null) for (let i = 0; i < out.length; i++) out[i] = flow[i * FLOW_ROWS + kind]!;
    return out;
  }
}

function newRow(like: RowNumbers, length: number): RowNumbers {
  return like instanceof Float64Array ? new Float64Array(length) : new Uint32Array(length);
}
