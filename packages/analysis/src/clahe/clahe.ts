import { AnalysisError, checkOptions } from "../error.ts";
import type { Table } from "../tables/levels.ts";
import { type ClaheGrid, claheGrid, type GridOptions, type Size } from "./grid.ts";
import { claheMapped } from "./interpolate.ts";
import { type ClaheOptions, claheTables, type SegmentedCounts } from "./tables.ts";

/** One channel of a picture: width x height samples, row by row. */
export interface Plane<T extends Table> extends Size {
  readonly data: T;
}

/**
 * Equalizes a picture locally, with a limit to the contrast (CLAHE). The result is that of OpenCV's
 * `createCLAHE(clipLimit, (columns, rows)).apply(image)` byte for byte, for 8 and 16 bits.
 *
 * The counts are those of the tiles of `claheGrid`, over the picture that `clahePadded` returns:
 *
 *   const grid = claheGrid(plane);
 *   const data = clahePadded(plane.data, plane, grid);
 *   const counts = await engine.segments({ data, width: grid.padded.width }, { tiles: grid.tiles }, { bins: 256 });
 *   const result = clahe(plane, counts);
 *
 * `claheTables` and `claheMapped` are the two halves of this call: the tables, and the mapping of pixels.
 *
 * Source: K. Zuiderveld, "Contrast limited adaptive histogram equalization", Graphics Gems IV, 1994.
 * @returns width x height samples of the same depth.
 * @throws ERR_INPUT for data, counts or options that do not fit each other. ERR_AXIS unless there is one bin per value.
 */
export function clahe<T extends Table>(
  { data, width, height }: Plane<T>,
  segmented: SegmentedCounts,
  options: ClaheOptions & GridOptions = {},
): T {
  checkOptions(options, ["clipLimit", "columns", "rows"]);
  const { clipLimit, ...tiles } = options;
  const grid = claheGrid({ width, height }, tiles);
  checkTiles(segmented, grid);
  const tables = claheTables(segmented, clipLimit === undefined ? {} : { clipLimit });
  return claheMapped(data, { width, height }, grid, tables as T);
}

function checkTiles({ segments }: SegmentedCounts, { columns, rows, tiles }: ClaheGrid): void {
  if (segments === columns * rows) return;
  throw new AnalysisError(
    "ERR_INPUT",
    `expected counts of ${columns} x ${rows} tiles of ${tiles.width} x ${tiles.height} pixels but received ${segments} segments`,
  );
}
