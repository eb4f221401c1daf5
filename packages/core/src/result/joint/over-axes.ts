import type { Axis } from "../../axis/index.ts";
import { expected } from "../../base/index.ts";
import type { SampleType } from "../../input/index.ts";
import { checkedMasked, type Planned, type Provenance, type Timings } from "../binned.ts";
import type { UhiRecord } from "../uhi/schema.ts";
import { type JointCarried, nothingCarried } from "./carried.ts";
import { codeOf, edgesOfAll, type FlowName, type Grid, stridesOf } from "./grid.ts";

/** The properties of a joint result other than its numbers. */
export interface JointOf<P extends Planned> extends Grid {
  /** Number of samples that a mask left out. */
  readonly masked: number;
  readonly provenance: Provenance<P> | null;
  readonly carried: JointCarried | null;
}

/** The axes of a result over several axes, and how it was made. */
export abstract class OverAxes<P extends Planned> implements Grid {
  /** The axes, the slowest first. */
  readonly axes: readonly Axis[];
  /** Type of the samples of each axis. It decides the precision to which regular edges are rounded. */
  readonly types: readonly SampleType[];
  /** Number of bins of each axis. */
  readonly shape: readonly number[];
  /** Number of cells along each axis: its bins, and then its flow cells, if samples can lie outside. */
  readonly extents: readonly number[];
  /** Number of samples that a mask left out. */
  readonly masked: number;
  readonly #provenance: Provenance<P> | null;
  readonly #carried: JointCarried;
  #edges: readonly Float64Array[] | null = null;

  protected constructor({ axes, types, extents, masked, provenance, carried }: JointOf<P>) {
    this.axes = Object.freeze([...axes]);
    this.types = Object.freeze([...types]);
    this.shape = Object.freeze(axes.map(({ bins }) => bins));
    this.extents = Object.freeze([...extents]);
    this.masked = checkedMasked(masked);
    this.#provenance = provenance;
    this.#carried = carried ?? nothingCarried(axes.length);
  }

  /** bins + 1 ascending numbers for each axis. They are computed on first access. */
  get edges(): readonly Float64Array[] {
    this.#edges ??= edgesOfAll(this);
    return this.#edges;
  }

  /** Id of the backend that counted. Null, as the next four, for a result that was derived or read from JSON. */
  get backend(): string | null {
    return this.#provenance?.backend ?? null;
  }
  get device(): string | null {
    return this.#provenance?.device ?? null;
  }
  get algorithm(): P["algorithm"] | null {
    return this.#provenance?.algorithm ?? null;
  }
  get plan(): P | null {
    return this.#provenance?.plan ?? null;
  }
  /** Timings of the call. Also null if the call did not request them. */
  get timings(): Timings | null {
    return this.#provenance?.timings ?? null;
  }
  /** Metadata of the file that it was read from, otherwise empty. */
  get metadata(): UhiRecord {
    return this.#carried.histogram.metadata;
  }
  /** Content of its file other than the axes and the numbers. */
  protected get carried(): JointCarried {
    return this.#carried;
  }

  /** Returns the index in the cells. Null: no sample can be there. @throws ERR_INPUT */
  protected cellOf(indices: readonly (number | FlowName)[]): number | null {
    if (indices.length !== this.axes.length) {
      throw expected(
        "ERR_INPUT",
        "the number of indices",
        `${this.axes.length}, one per axis,`,
        indices.length,
      );
    }
    const strides = stridesOf(this.extents);
    let cell: number | null = 0;
    for (const [k, index] of indices.entries()) {
      const code = codeOf(this.shape[k]!, this.extents[k]!, index, `index ${k}`);
      cell = cell === null || code === null ? null : cell + code * strides[k]!;
    }
    return cell;
  }
}
