import { expected, VERSION } from "../../base/index.ts";
import type { Cells } from "../cells.ts";
import { flowCells, placesIn, stridesOf } from "../grid.ts";
import type { RowWriter } from "../storage/storage.ts";
import { writeOutside } from "./notes.ts";
import type {
  AnyUhi,
  Carried,
  CarriedByAxes,
  UhiAxis,
  UhiAxisShape,
  UhiNested,
  UhiRecord,
  UhiScalar,
} from "./schema.ts";
import { ownAxisNotes, writtenAxis } from "./write-axis.ts";

type Notes = Readonly<Record<string, UhiScalar | undefined>>;

/** Writes a result in the schema. @param own notes of what the schema has no place for */
export function writeUhi(of: Cells, carried: CarriedByAxes, own: Notes): AnyUhi {
  const { axes, types, extents, rows, masked } = of;
  const written = axes.map((axis, k) => writtenAxis(axis, extents[k]! > axis.bins));
  const placed = written.map(({ codes }, k) => placesIn(codes, extents[k]!));
  const { storage, notes } = of.storage.write(rows, new Writer(extents, placed));
  const shapes = written.map(({ shape }, k): UhiAxis => {
    const axis = axes[k]!;
    const cells = extents[k]! - axis.bins;
    const other = cells > 0 && cells !== flowCells(axis) ? { flowCells: cells } : {};
    const ofAxis = { type: types[k]!, ...ownAxisNotes(axis), flow: cells > 0, ...other };
    return noted(shape, carried.axes[k]!, ofAxis);
  });
  const polybin = known({ version: VERSION, masked: masked || undefined, ...notes, ...own });
  return {
    ...carried.histogram.others,
    uhi_schema: 1,
    writer_info: { ...carried.histogram.writers, polybin },
    ...metadataOf(carried.histogram),
    axes: shapes,
    storage,
  };
}

/** Adds the other content of an axis in its file. @param own the notes that polybin wrote of the axis */
function noted(shape: UhiAxisShape, carried: Carried, own: UhiRecord): UhiAxis {
  const writer_info = { ...carried.writers, polybin: own };
  return { ...carried.others, ...shape, ...metadataOf(carried), writer_info };
}

function metadataOf({ metadata }: Carried): { metadata?: UhiRecord } {
  return Object.keys(metadata).length === 0 ? {} : { metadata: { ...metadata } };
}

function known(notes: Notes): UhiRecord {
  const entries = Object.entries(notes).filter(([, note]) => note !== undefined);
  return Object.fromEntries(entries as [string, UhiScalar][]);
}

/** Writes rows over the cells that the schema has a place for, and notes of the others. */
class Writer implements RowWriter {
  readonly #extents: readonly number[];
  readonly #placed: readonly (readonly number[])[];

  /** @param placed for each axis, the codes that the schema's arrays have */
  constructor(extents: readonly number[], placed: readonly (readonly number[])[]) {
    this.#extents = extents;
    this.#placed = placed;
  }

  nested(name: string, row: Float64Array): UhiNested {
    return this.#levels(row, (value) => finite(name, value));
  }

  nestedOrNull(name: string, row: Float64Array): UhiNested<number | null> {
    return this.#levels(row, (value) => (Number.isNaN(value) ? null : finite(name, value)));
  }

  outside(name: string, row: Float64Array): string | undefined {
    const note = writeOutside(row, this.#extents, this.#placed);
    if (/[Na]/.test(note)) finite(name, Number.NaN);
    return note === "" ? undefined : note;
  }

  #levels<T>(row: Float64Array, written: (value: number) => T): UhiNested<T> {
    // Without axes there is one cell, and the schema's arrays have one number.
    if (this.#placed.length === 0) return [written(row[0]!)];
    const strides = stridesOf(this.#extents);
    const level = (k: number, first: number): UhiNested<T> =>
      this.#placed[k]!.map((code) => {
        const cell = first + code * strides[k]!;
        return k === this.#placed.length - 1 ? written(row[cell]!) : level(k + 1, cell);
      });
    return level(0, 0);
  }
}

/** @throws ERR_UNSUPPORTED if the value is not finite, because JSON would store null. */
function finite(name: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw expected("ERR_UNSUPPORTED", name, "finite numbers (JSON has no others)", value);
}
