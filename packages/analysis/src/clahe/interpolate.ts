import { AnalysisError, expected } from "../error.ts";
import { roundEven, type Table } from "../tables/levels.ts";
import { type ClaheGrid, checkSamples, type Size } from "./grid.ts";

/** The two tables next to a pixel along one direction, and the weight of the second one. */
interface Neighbours {
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Single precision, as in OpenCV. The weight of the first table is 1 minus this. */
  readonly weight: Float32Array;
}

/**
 * Maps the samples of a picture through the tables of its tiles, as OpenCV's CLAHE does: the four tables whose tiles have
 * the nearest centers are interpolated bilinearly in single precision, and halves are rounded to even. At the border, the
 * outermost tables continue.
 * @param data width x height samples of 8 or 16 bits, row by row.
 * @param tables the result of `claheTables` for all tiles of the grid.
 * @returns new samples of the same depth.
 * @throws ERR_INPUT for data or tables of another size or depth.
 */
export function claheMapped<T extends Table>(data: T, size: Size, grid: ClaheGrid, tables: T): T {
  const { width, height } = size;
  checkSamples(data, width * height);
  const levels = data instanceof Uint8Array ? 256 : 65_536;
  checkTables(data, tables, grid, levels);
  const across = neighbours(width, grid.tiles.width, grid.columns, levels);
  const down = neighbours(height, grid.tiles.height, grid.rows, levels * grid.columns);
  const f32 = Math.fround;
  const out = data.slice() as T;
  for (let y = 0; y < height; y++) {
    const [upper, lower, below] = [down.first[y]!, down.second[y]!, down.weight[y]!];
    const above = f32(1 - below);
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const value = data[at]!;
      const [left, right] = [across.first[x]! + value, across.second[x]! + value];
      const after = across.weight[x]!;
      const before = f32(1 - after);
      const top = f32(f32(tables[upper + left]! * before) + f32(tables[upper + right]! * after));
      const bottom = f32(f32(tables[lower + left]! * before) + f32(tables[lower + right]! * after));
      const mixed = f32(f32(top * above) + f32(bottom * below));
      out[at] = Math.min(Math.max(roundEven(mixed), 0), levels - 1);
    }
  }
  return out;
}

/** Finds the tables next to each column or row. @param stride numbers from one table to the next */
function neighbours(pixels: number, tile: number, tiles: number, stride: number): Neighbours {
  const f32 = Math.fround;
  const inverse = f32(1 / tile);
  const [first, second] = [new Int32Array(pixels), new Int32Array(pixels)];
  const weight = new Float32Array(pixels);
  for (let i = 0; i < pixels; i++) {
    const at = f32(f32(i * inverse) - 0.5);
    const before = Math.floor(at);
    weight[i] = at - before;
    first[i] = Math.max(before, 0) * stride;
    second[i] = Math.min(before + 1, tiles - 1) * stride;
  }
  return { first, second, weight };
}

function checkTables(data: Table, tables: Table, { columns, rows }: ClaheGrid, levels: number): void {
  if (data.constructor !== tables.constructor) {
    throw expected("ERR_INPUT", "tables", "tables of the same depth as the data", tables);
  }
  if (tables.length === columns * rows * levels) return;
  throw new AnalysisError(
    "ERR_INPUT",
    `expected ${columns} x ${rows} tables of ${levels} entries but received ${tables.length} entries`,
  );
}
