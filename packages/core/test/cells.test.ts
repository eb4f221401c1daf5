import { describe, expect, it } from "vitest";
import { integer, type OrderedAxis, regular, variable } from "../src/axis/index.ts";
import { arrayOver, SAMPLE_TRAITS, type SampleType, samples } from "../src/input/index.ts";
import {
  CellReader,
  cellsOf,
  codesOfPlaces,
  type Lowering,
  lower,
  lowerInto,
  plainCellFinder,
} from "../src/lowering/index.ts";
import { JOINT_RAW_CELLS } from "../src/plan/limits.ts";
import { resultCells } from "../src/result/index.ts";

/** Values at and around the edges of the axes below, and outside of them. */
function valuesOf(type: SampleType, n: number, seed: number) {
  const out = arrayOver(type, new Uint8Array(n * SAMPLE_TRAITS[type].bytes));
  let state = seed * 2654435761 + 1;
  for (let i = 0; i < n; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[i] = SAMPLE_TRAITS[type].integer ? state >>> 7 : (state / 2 ** 32) * 40 - 10;
  }
  if (!SAMPLE_TRAITS[type].integer) [out[0], out[1], out[2], out[3]] = [Number.NaN, Infinity, -Infinity, -0];
  return out;
}

const AXES: readonly (readonly [SampleType, OrderedAxis])[] = [
  ["u8", integer(0, 256)],
  ["u8", regular(16, 0, 256)],
  ["u8", regular(10, 3, 250)],
  ["i8", regular(4, -128, 128)],
  ["i8", integer(-5, 20)],
  ["u16", integer(0, 65_536)],
  ["u16", regular(100, 0, 65_536)],
  ["u16", variable([7, 9, 4000, 60_000])],
  ["i16", integer(-3, 3000)],
  ["u32", regular(9, 0, 2 ** 31)],
  ["i32", integer(-100, 100)],
  ["f32", regular(12, 0, 20)],
  ["f64", variable([-4, 0, 0.5, 11])],
];

describe("the cell of a sample", () => {
  it.each(["cpu", "workers", "gpu"] as const)("leads to its codes on every kind of device: %s", (kind) => {
    const n = 3000;
    for (const [k, [type, axis]] of AXES.entries()) {
      const [other, second] = AXES[(k * 5 + 1) % AXES.length]!;
      const [third, last] = AXES[(k * 3 + 2) % AXES.length]!;
      const columns = [
        [type, axis],
        [other, second],
        [third, last],
      ] as const;
      const lowerings = columns.map(([type, axis]) => lower(axis, type));
      const arrays = columns.map(([type], i) => valuesOf(type, n, i + k));
      for (const count of [1, 2, 3]) {
        const found = cellsOf(lowerings.slice(0, count), kind, JOINT_RAW_CELLS);
        const cells = new Uint32Array(n);
        for (const [i, column] of found.columns.entries()) {
          expect(plainCellFinder(column, lowerings[i]!)(arrays[i]!, 0, 1, cells)).toBe(n);
        }
        // Back to codes, one column after the other.
        for (const [i, column] of found.columns.entries()) {
          const codes = new Uint32Array(n);
          lowerInto(lowerings[i]!, arrays[i]!, 0, 1, codes);
          const byPlace = codesOfPlaces(column, lowerings[i]!);
          const places = cells.map((cell) => Math.floor(cell / column.stride) % column.extent);
          expect(places.map((place) => byPlace[place]!)).toEqual(codes);
        }
        expect(Math.max(...cells)).toBeLessThan(found.cells);
      }
    }
  });

  it("has the last column fastest, and as few places as the type of the samples needs", () => {
    const of = (kind: "cpu" | "gpu", ...columns: readonly (readonly [SampleType, OrderedAxis])[]) =>
      cellsOf(
        columns.map(([type, axis]) => lower(axis, type)),
        kind,
        JOINT_RAW_CELLS,
      );
    const floats = of("gpu", ["f32", regular(10, 0, 1)], ["f64", regular(5, 0, 1)]);
    expect(floats).toMatchObject({
      cells: 13 * 8,
      offset: 0,
      columns: [
        { by: "rank", shift: null, extent: 13, stride: 8 },
        { by: "rank", shift: null, extent: 8, stride: 1 },
      ],
    });
    // Integers have no NaN, and bytes over aligned bins lose their lower bits.
    const integers = of("gpu", ["i32", integer(0, 10)], ["u8", regular(16, 0, 256)]);
    expect(integers.columns).toMatchObject([
      { by: "code", extent: 12, stride: 16 },
      { by: "raw", shift: 4, extent: 16, stride: 1 },
    ]);
    // No sample of the type falls outside: only the ranks 1 to bins occur, and the first is subtracted.
    const within = of("gpu", ["u16", regular(100, 0, 65_536)], ["u8", integer(0, 256)]);
    expect(within).toMatchObject({ offset: 256, cells: 100 * 256 });
    expect(of("cpu", ["u16", regular(100, 0, 65_536)], ["u8", integer(0, 256)]).offset).toBe(0);
  });

  it("of unaligned bytes is raw on a GPU while all values are few cells, and by code with more columns", () => {
    const lowering = lower(regular(10, 3, 250), "u8");
    const by = (kind: "cpu" | "gpu", count: number) =>
      cellsOf(new Array<Lowering>(count).fill(lowering), kind, JOINT_RAW_CELLS).columns.map(({ by }) => by);
    expect(by("gpu", 2)).toEqual(["raw", "raw"]);
    expect(by("gpu", 3)).toEqual(["code", "code", "code"]);
    expect(by("cpu", 2)).toEqual(["code", "code"]);
  });

  it("maps to a cell of the result through every column's codes", () => {
    const maps = [
      { codes: Uint32Array.of(1, 0), extent: 2 },
      { codes: Uint32Array.of(0, 2, 2), extent: 4 },
    ];
    expect([...resultCells(maps)]).toEqual([4, 6, 6, 0, 2, 2]);
  });
});

describe("the reader of cells", () => {
  const width = 7;
  const height = 5;
  /** Bytes with two channels, in padded rows at an odd offset. */
  const picture = (type: SampleType) => {
    const size = SAMPLE_TRAITS[type].bytes;
    const rowPitch = width * 2 * size + 3;
    const data = new Uint8Array(height * rowPitch + 1).subarray(1);
    for (let i = 0; i < data.length; i++) data[i] = (i * 37) & 0xff;
    const of = samples({ data, type, channels: 2, width, height, rowPitch });
    const values: number[] = [];
    for (let y = 0; y < height; y++) {
      const row = arrayOver(type, data.slice(y * rowPitch, y * rowPitch + width * 2 * size));
      for (let x = 0; x < width; x++) values.push(row[2 * x + 1]!);
    }
    return { of, values };
  };

  it.each(["u8", "u16", "f32", "f64"] as const)(
    "reads pixels of %s in order and by index, whatever their layout",
    (type) => {
      const { of, values } = picture(type);
      const lowering = lower(SAMPLE_TRAITS[type].integer ? integer(0, 100) : regular(9, -1, 1), type);
      const { columns } = cellsOf([lowering], "cpu", 0);
      const codes = new Uint32Array(values.length);
      plainCellFinder(columns[0]!, lowering)(arrayOf(type, values), 0, 1, codes);
      const source = { column: columns[0]!, lowering, samples: of, channel: 1 };
      const plain = new CellReader([source], { mask: null, where: null });
      for (const [from, count] of [
        [0, 35],
        [3, 20],
        [34, 1],
      ] as const) {
        const cells = new Uint32Array(count).fill(9);
        plain.read(from, cells, 77);
        expect(cells).toEqual(codes.slice(from, from + count));
      }
      const where = Uint32Array.of(34, 0, 8, 8, 13);
      const mask = samples(Uint8Array.from(values, (_, i) => i % 2));
      const listed = new CellReader([source], { mask: { kind: "bytes", samples: mask }, where });
      const cells = new Uint32Array(5);
      listed.read(0, cells, 77);
      expect([...cells]).toEqual([77, 77, 77, 77, codes[13]!]);
    },
  );
});

/** Returns the values as an array of their type. */
function arrayOf(type: SampleType, values: readonly number[]) {
  const out = arrayOver(type, new Uint8Array(values.length * SAMPLE_TRAITS[type].bytes));
  out.set(values);
  return out;
}
