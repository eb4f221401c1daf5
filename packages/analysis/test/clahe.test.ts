import { openEngine, regular } from "@polybin/core";
import { describe, expect, test } from "vitest";
import type { SegmentedCounts, Table } from "../src/index.ts";
import { clahe, claheGrid, claheMapped, clahePadded, claheTables } from "../src/index.ts";
import { codeOf, range, vectors } from "./vectors.ts";

interface Case {
  readonly width: number;
  readonly height: number;
  readonly levels: 256 | 65536;
  readonly columns: number;
  readonly rows: number;
  readonly clipLimit: number;
  readonly image: string;
  readonly result: string;
}

const { cases } = vectors<{ readonly cases: readonly Case[] }>("clahe");

function samples(text: string, levels: number): Table {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  return levels === 256 ? bytes : new Uint16Array(bytes.buffer);
}

describe("OpenCV's CLAHE, byte for byte", () => {
  test.for(cases)(
    "$width x $height, $levels levels, $columns x $rows tiles, limit $clipLimit",
    async ({ width, height, levels, columns, rows, clipLimit, image, result }) => {
      const plane = { data: samples(image, levels), width, height };
      const grid = claheGrid(plane, { columns, rows });
      const data = clahePadded(plane.data, plane, grid);
      await using engine = await openEngine();
      const counts = await engine.segments(
        { data, width: grid.padded.width },
        { tiles: grid.tiles },
        { bins: levels },
      );
      expect(clahe(plane, counts, { columns, rows, clipLimit })).toEqual(samples(result, levels));
    },
  );
});

test("the grid: tiles that fit, and tiles that do not", () => {
  expect(claheGrid({ width: 64, height: 48 })).toEqual({
    columns: 8,
    rows: 8,
    tiles: { width: 8, height: 6 },
    padded: { width: 64, height: 48 },
  });
  // OpenCV also widens a side that the tiles fit, as soon as they do not fit the other.
  expect(claheGrid({ width: 64, height: 45 }).padded).toEqual({ width: 72, height: 48 });
  expect(codeOf(() => claheGrid({ width: 7, height: 45 }))).toBe("ERR_INPUT");
  expect(codeOf(() => claheGrid({ width: 64, height: 64 }, { columns: 0 }))).toBe("ERR_INPUT");
});

test("padding reflects the picture without its border, again and again", () => {
  const grid = { columns: 1, rows: 1, tiles: { width: 8, height: 1 }, padded: { width: 8, height: 1 } };
  expect([...clahePadded(Uint8Array.of(1, 2, 3), { width: 3, height: 1 }, grid)]).toEqual([
    1, 2, 3, 2, 1, 2, 3, 2,
  ]);
  expect([...clahePadded(Uint8Array.of(7), { width: 1, height: 1 }, grid)]).toEqual(Array(8).fill(7));
});

test("wrong input", async () => {
  const counts = (segments: number, bins = 256): SegmentedCounts => ({
    counts: new Uint32Array(segments * bins).fill(1),
    segments,
    bins,
    edges: range(bins + 1),
  });
  const plane = { data: new Uint8Array(64), width: 8, height: 8 };
  const grid = claheGrid(plane, { columns: 2, rows: 2 });
  const tables = claheTables(counts(4));
  for (const call of [
    () => clahe(plane, counts(3), { columns: 2, rows: 2 }),
    () => clahe({ ...plane, width: 9 }, counts(4), { columns: 2, rows: 2 }),
    () => clahe(plane, counts(4), { columns: 2, rows: 2, clipLimit: -1 }),
    () => clahe(plane, counts(4), { column: 2 } as object),
    () => claheTables({ ...counts(4), counts: new Uint32Array(9) }),
    () => claheTables({ ...counts(4), counts: new Uint32Array(1024) }),
    () => claheMapped(plane.data, plane, grid, tables.subarray(1) as Uint8Array),
    () => claheMapped(plane.data as Table, plane, grid, claheTables(counts(4, 65_536))),
    () => clahePadded(plane.data, { width: 9, height: 9 }, grid),
  ]) {
    expect(codeOf(call)).toBe("ERR_INPUT");
  }
  await using engine = await openEngine();
  const others = await engine.segments(plane, { every: 64 }, { axis: regular(10, 0, 256) });
  expect(codeOf(() => claheTables(others))).toBe("ERR_AXIS");
});
