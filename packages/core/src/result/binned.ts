import type { Axis } from "../axis/index.ts";
import { checkNames, checkSwitch } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import type { Plan } from "../plan/index.ts";
import { densityOf } from "./bins.ts";
import type { Cells } from "./cells.ts";
import { sumOf } from "./combine.ts";
import { cellOf, type FlowName } from "./grid.ts";
import type { Provenance, Timings } from "./provenance.ts";
import type { Rows, Storage } from "./storage/storage.ts";
import {
  type AnyUhi,
  type CarriedByAxes,
  nothingCarried,
  type UhiRecord,
  type UhiScalar,
} from "./uhi/schema.ts";
import { writeUhi } from "./uhi/write.ts";

/** The common part of all histograms: one or several axes, and what a storage holds in their cells. */
export abstract class Binned<J extends AnyUhi = AnyUhi> implements Cells {
  readonly #provenance: Provenance | null;
  readonly #carried: CarriedByAxes | null;

  protected constructor(provenance: Provenance | null, carried: CarriedByAxes | null) {
    this.#provenance = provenance;
    this.#carried = carried;
  }

  /** The axes, the slowest first. */
  abstract readonly axes: readonly Axis[];
  /** Type of the samples of each axis. It decides the precision to which regular edges are rounded. */
  abstract readonly types: readonly SampleType[];
  /** Number of bins of each axis. */
  abstract readonly shape: readonly number[];
  /** Number of cells along each axis: its bins, and then its flow cells, if samples can lie outside. */
  abstract readonly extents: readonly number[];
  /** Number of samples that a mask left out. The other numbers do not include them. */
  abstract readonly masked: number;
  /** The meaning of the rows. @internal */
  abstract readonly storage: Storage;
  /** @internal */
  abstract readonly rows: Rows;
  /** Further notes for `toJSON`. Undefined ones are left out. */
  protected get notes(): Readonly<Record<string, UhiScalar | undefined>> {
    return {};
  }
  /** The numbers of the bins that sums and densities refer to. */
  protected abstract readonly content: Float64Array;
  protected abstract readonly edgesOfAxes: readonly Float64Array[];

  /** Id of the backend that counted. Null, as the next four, for a result that was derived or read from JSON. */
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
  /** Timings of the call. Also null if the call did not request them. */
  get timings(): Timings | null {
    return this.#provenance?.timings ?? null;
  }

  /** Metadata of the file that it was read from, otherwise empty. */
  get metadata(): UhiRecord {
    return this.carried.histogram.metadata;
  }
  /** @internal */
  get carried(): CarriedByAxes {
    return this.#carried ?? nothingCarried(this.axes.length);
  }

  /**
   * Returns the sum of the bins, with `flow` of all cells: also of underflow, overflow and NaN. @throws ERR_INPUT for an
   * unknown option.
   */
  sum(options: { readonly flow?: boolean } = {}): number {
    checkNames(options, ["flow"]);
    checkSwitch(options.flow, "flow");
    return sumOf(options.flow === true ? this.rows[this.storage.main]! : this.content);
  }

  /**
   * Returns the bins divided by the volume of each and by their sum, so that the integral over the bins is 1, as NumPy's
   * `density` does. The volume of a bin of one axis is its width.
   */
  density(): Float64Array {
    return densityOf(this.content, this.sum(), this.edgesOfAxes);
  }

  /**
   * Writes UHI's histogram schema, with the flow that the schema has a place for. The other cells, such as those of NaN,
   * and the number of masked samples go to `writer_info.polybin`, and the type of samples and the kind of axis to the
   * same key of each axis, so that `fromJSON` loses nothing.
   * @throws ERR_UNSUPPORTED if a number is not finite, which JSON cannot represent.
   */
  toJSON(): J {
    return writeUhi(this, this.carried, this.notes) as J;
  }

  /** Returns the index in the cells. Null: no sample can be there. @throws ERR_INPUT */
  protected cellOf(indices: readonly (number | FlowName)[]): number | null {
    return cellOf(this, indices);
  }
}
