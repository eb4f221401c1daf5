import type { Axis } from "../axis/index.ts";
import type { SampleType } from "../input/index.ts";
import { Binned } from "./binned.ts";
import type { Cells } from "./cells.ts";
import { checkedMasked } from "./combine.ts";
import { binsOf, edgesOfAll } from "./grid.ts";
import type { Provenance } from "./provenance.ts";
import type { Rows, Storage } from "./storage/storage.ts";
import type { AnyUhi } from "./uhi/schema.ts";

/** A histogram of several axes. */
export abstract class SeveralAxes<J extends AnyUhi> extends Binned<J> {
  readonly axes: readonly Axis[];
  readonly types: readonly SampleType[];
  readonly shape: readonly number[];
  readonly extents: readonly number[];
  readonly masked: number;
  readonly #storage: Storage;
  readonly #rows: Rows;
  #bins: Rows | null = null;
  #edges: readonly Float64Array[] | null = null;

  constructor(
    { axes, types, extents, storage, rows, masked, carried }: Cells,
    provenance: Provenance | null,
  ) {
    super(provenance, carried);
    this.axes = Object.freeze([...axes]);
    this.types = Object.freeze([...types]);
    this.shape = Object.freeze(axes.map(({ bins }) => bins));
    this.extents = Object.freeze([...extents]);
    this.masked = checkedMasked(masked);
    this.#storage = storage;
    this.#rows = rows;
  }

  get storage(): Storage {
    return this.#storage;
  }
  get rows(): Rows {
    return this.#rows;
  }

  /** The rows without flow, row-major with the last axis fastest. */
  protected get bins(): Rows {
    this.#bins ??= this.#rows.map((row) => row && binsOf(row, this));
    return this.#bins;
  }
  protected get content(): Float64Array {
    return this.bins[this.storage.main]!;
  }

  /** bins + 1 ascending numbers for each axis. They are computed on first access. */
  get edges(): readonly Float64Array[] {
    this.#edges ??= edgesOfAll(this);
    return this.#edges;
  }
  protected get edgesOfAxes(): readonly Float64Array[] {
    return this.edges;
  }
}
