import type { UhiAxis, UhiJointHistogram, UhiJointStorage, UhiNested, UhiRecord } from "../uhi/schema.ts";
import { finite, headOf, noted } from "../uhi/write.ts";
import { ownAxisNotes, writtenAxis } from "../uhi/write-axis.ts";
import type { JointCarried } from "./carried.ts";
import { flowCells, type Grid, placesIn, stridesOf } from "./grid.ts";
import { writeOutside } from "./notes.ts";

/** The axes of a result in UHI's schema, and the codes that the schema's arrays have along each. */
export interface WrittenGrid {
  readonly axes: readonly UhiAxis[];
  readonly placed: readonly (readonly number[])[];
}

/** Writes the axes of a result in the schema. */
export function writtenGrid({ axes, types, extents }: Grid, carried: JointCarried): WrittenGrid {
  const written = axes.map((axis, k) => writtenAxis(axis, extents[k]! > axis.bins));
  return {
    axes: written.map(({ shape }, k) => {
      const axis = axes[k]!;
      const cells = extents[k]! - axis.bins;
      const other = cells > 0 && cells !== flowCells(axis) ? { flowCells: cells } : {};
      return noted(shape, carried.axes[k]!, {
        type: types[k]!,
        ...ownAxisNotes(axis),
        flow: cells > 0,
        ...other,
      });
    }),
    placed: written.map(({ codes }, k) => placesIn(codes, extents[k]!)),
  };
}

/** Writes a result with several axes in the schema. @param own data that the schema has no place for */
export function writeJoint<S extends UhiJointStorage>(
  { axes }: WrittenGrid,
  carried: JointCarried,
  storage: S,
  own: UhiRecord,
): UhiJointHistogram<S> {
  return { ...headOf(carried.histogram, own), axes, storage };
}

/**
 * Returns the cells that the schema has a place for, nested one level per axis.
 * @throws ERR_UNSUPPORTED if a number is not finite.
 */
export function nested(
  name: string,
  cells: Float64Array,
  extents: readonly number[],
  to: WrittenGrid,
): UhiNested {
  return nestedAs(cells, extents, to, (value) => finite(name, value));
}

/** The same for numbers that may be NaN, which JSON does not have: null represents it. */
export function nestedOrNull(
  name: string,
  cells: Float64Array,
  extents: readonly number[],
  to: WrittenGrid,
): UhiNested<number | null> {
  return nestedAs(cells, extents, to, (value) => (Number.isNaN(value) ? null : finite(name, value)));
}

function nestedAs<T>(
  cells: Float64Array,
  extents: readonly number[],
  { placed }: WrittenGrid,
  written: (value: number) => T,
): UhiNested<T> {
  // Without axes there is one cell, and the schema's arrays have one number.
  if (placed.length === 0) return [written(cells[0]!)];
  const strides = stridesOf(extents);
  const level = (k: number, first: number): UhiNested<T> =>
    placed[k]!.map((code) => {
      const cell = first + code * strides[k]!;
      return k === placed.length - 1 ? written(cells[cell]!) : level(k + 1, cell);
    });
  return level(0, 0);
}

/** Returns the cells that the schema has no place for, as a note. @throws ERR_UNSUPPORTED if a number is not finite. */
export function outside(
  name: string,
  cells: Float64Array,
  extents: readonly number[],
  { placed }: WrittenGrid,
): string {
  const note = writeOutside(cells, extents, placed);
  if (/[Na]/.test(note)) finite(name, Number.NaN);
  return note;
}
