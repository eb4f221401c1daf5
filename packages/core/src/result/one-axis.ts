import { type Axis, edgesOf } from "../axis/index.ts";
import { FLOW_ROWS } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import { Binned } from "./binned.ts";
import type { Cells, Flow } from "./cells.ts";
import { codeOf, type FlowName } from "./grid.ts";
import type { Slice } from "./operations.ts";
import type { Provenance } from "./provenance.ts";
import type { BinSpan, EdgeSpan } from "./regroup.ts";
import type { AnyUhi, CarriedByAxes, UhiRecord } from "./uhi/schema.ts";

/** A histogram of one axis, with the names that one axis has. */
export abstract class OneAxis<J extends AnyUhi> extends Binned<J> {
  /** The axis of the bins. */
  readonly axis: Axis;
  /** Type of the samples. It decides the precision to which regular edges are rounded. */
  readonly type: SampleType;
  /** bins + 1 ascending numbers. They are computed on first access and belong to this result. */
  declare readonly edges: Float64Array;
  #edges: Float64Array | null;

  /** Makes `edges` an own property, so that spread and cloned results keep it. All results share one getter. */
  static readonly #EDGES: PropertyDescriptor & ThisType<OneAxis<AnyUhi>> = {
    enumerable: true,
    get() {
      this.#edges ??= edgesOf(this.axis, this.type);
      return this.#edges;
    },
  };

  /** @throws ERR_AXIS if edges are equal in the samples' precision. An engine checks this before it counts. */
  constructor(
    axis: Axis,
    type: SampleType,
    provenance: Provenance | null,
    carried: CarriedByAxes | null = null,
  ) {
    super(provenance, carried);
    this.axis = axis;
    this.type = type;
    this.#edges = provenance === null ? edgesOf(axis, type) : null;
    Object.defineProperty(this, "edges", OneAxis.#EDGES);
  }

  get axes(): readonly [Axis] {
    return [this.axis];
  }
  get types(): readonly [SampleType] {
    return [this.type];
  }
  get shape(): readonly [number] {
    return [this.bins];
  }
  get extents(): readonly [number] {
    return [this.bins + FLOW_ROWS];
  }
  protected get edgesOfAxes(): readonly [Float64Array] {
    return [this.edges];
  }

  /** Number of bins. */
  get bins(): number {
    return this.axis.bins;
  }

  /** Metadata of the axis in the file that it was read from, otherwise empty. */
  get axisMetadata(): UhiRecord {
    return this.carried.axes[0]!.metadata;
  }

  /** Returns running sums: cumulative()[i] = bin 0 + … + bin i. */
  cumulative(): Float64Array {
    let sum = 0;
    return this.content.map((value) => (sum += value));
  }

  /** The slice that `slice(first, end)` and `slice({ lo, hi })` name. */
  protected sliceOf(first: number | EdgeSpan, end?: number): Record<0, Slice> {
    const span: BinSpan = typeof first === "number" ? [first, end ?? this.bins] : first;
    return { 0: span };
  }
}

/** Returns the cells of one axis: its bins and then its flow. */
export function cellsOf(bins: Float64Array, { underflow, overflow, nan }: Flow): Float64Array {
  const cells = new Float64Array(bins.length + FLOW_ROWS);
  cells.set(bins);
  cells.set([underflow, overflow, nan], bins.length);
  return cells;
}

/** The numbers of one axis, split into bins and flow. */
export interface Row {
  readonly bins: Float64Array;
  readonly flow: Flow;
}

/** Splits the rows of one axis. Flow that the axis does not have is 0. */
export function oneAxis({ axes, rows }: Pick<Cells, "axes" | "rows">): readonly (Row | null)[] {
  const { bins } = axes[0]!;
  return rows.map((row) => {
    if (row === null) return null;
    const flow = (name: FlowName): number => {
      const code = codeOf(bins, row.length, name, name);
      return code === null ? 0 : row[code]!;
    };
    return {
      bins: row.slice(0, bins),
      flow: { underflow: flow("underflow"), overflow: flow("overflow"), nan: flow("nan") },
    };
  });
}
