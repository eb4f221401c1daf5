import { checkedWhole, checkOptions, expected } from "../error.ts";
import type { Table } from "../tables/levels.ts";

/** The size of a picture in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Options of `claheGrid`. */
export interface GridOptions {
  /** Tiles per row of tiles. Default: 8. */
  readonly columns?: number;
  /** Rows of tiles. Default: 8. */
  readonly rows?: number;
}

/** Tiles of equal size over a picture. */
export interface ClaheGrid {
  readonly columns: number;
  readonly rows: number;
  /** The size of a tile. Pass it to `engine.segments` as `tiles`. */
  readonly tiles: Size;
  /** The size of all tiles together. It is the picture's, or larger. */
  readonly padded: Size;
}

/**
 * Returns the tiles that OpenCV's CLAHE cuts a picture into. If the numbers of tiles divide its width and its height, the
 * tiles cover the picture. Otherwise, both sides grow to the next multiple, and a side that was a multiple grows by one
 * pixel per tile too.
 * @throws ERR_INPUT for invalid sizes or numbers of tiles, and for more tiles than the picture has pixels on a side.
 */
export function claheGrid(size: Size, options: GridOptions = {}): ClaheGrid {
  checkOptions(options, ["columns", "rows"]);
  const width = checkedWhole(size.width, "width", 1);
  const height = checkedWhole(size.height, "height", 1);
  const columns = checkedWhole(options.columns ?? 8, "columns", 1, width);
  const rows = checkedWhole(options.rows ?? 8, "rows", 1, height);
  const isEven = width % columns === 0 && height % rows === 0;
  const padded = isEven
    ? { width, height }
    : { width: width + columns - (width % columns), height: height + rows - (height % rows) };
  const tiles = { width: padded.width / columns, height: padded.height / rows };
  return { columns, rows, tiles, padded };
}

/**
 * Returns one channel of a picture in the size of a grid. The added pixels repeat the picture's, reflected at its last
 * column and row, which are not repeated (OpenCV's BORDER_REFLECT_101). Count the result with
 * `engine.segments({ data, width }, { tiles })`.
 * @param data width x height samples of 8 or 16 bits, row by row.
 * @returns `data` itself if it has the size of the grid.
 * @throws ERR_INPUT for data of another size.
 */
export function clahePadded<T extends Table>(data: T, { width, height }: Size, { padded }: ClaheGrid): T {
  checkSamples(data, width * height);
  if (padded.width === width && padded.height === height) return data;
  const Samples = data.constructor as { new (length: number): T };
  const out = new Samples(padded.width * padded.height);
  for (let y = 0; y < padded.height; y++) {
    const row = reflected(y, height) * width;
    for (let x = 0; x < padded.width; x++) out[y * padded.width + x] = data[row + reflected(x, width)]!;
  }
  return out;
}

/** The place of a pixel behind the border. Reflections repeat until they hit the picture. */
function reflected(at: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * (length - 1);
  const within = at % period;
  return within < length ? within : period - within;
}

/** @throws ERR_INPUT unless these are `samples` samples of 8 or 16 bits. */
export function checkSamples(data: Table, samples: number): void {
  if (!(data instanceof Uint8Array || data instanceof Uint16Array)) {
    throw expected("ERR_INPUT", "data", "a Uint8Array or a Uint16Array", data);
  }
  if (data.length !== samples) {
    throw expected("ERR_INPUT", "data", `${samples} samples of one channel`, data.length);
  }
}
