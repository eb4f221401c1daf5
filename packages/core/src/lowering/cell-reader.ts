import { RunReader, type Samples } from "../input/index.ts";
import { cellFinder } from "./cell-finder.ts";
import type { CellColumn, CellFinder } from "./cells.ts";
import type { Lowering } from "./lowering.ts";

/** One column in this process's memory. */
export interface CellSource {
  readonly column: CellColumn;
  readonly lowering: Lowering;
  readonly samples: Samples;
  /** The channel that is counted. */
  readonly channel: number;
}

/** Which samples have a cell. */
export interface CellSelection {
  /** A byte or a bit per sample that is not 0 for one that has a cell. Null: all have one. */
  readonly mask: { readonly kind: "bytes" | "bits"; readonly samples: Samples } | null;
  /** Indices of the samples to read. Null: all samples, in order. */
  readonly where: Uint32Array | null;
}

/** Finds the cells of samples in memory, whatever their layout. */
export class CellReader {
  readonly #sources: readonly (CellSource & { readonly reader: RunReader; readonly find: CellFinder })[];
  readonly #mask: CellSelection["mask"];
  readonly #maskReader: RunReader | null;
  readonly #where: Uint32Array | null;

  constructor(sources: readonly CellSource[], { mask, where }: CellSelection) {
    this.#sources = sources.map((source) => ({
      ...source,
      reader: new RunReader(source.samples),
      find: cellFinder(source.column, source.lowering),
    }));
    this.#mask = mask;
    this.#maskReader = mask && new RunReader(mask.samples);
    this.#where = where;
  }

  /**
   * Writes the cells of samples, or of those with the indices from `from` on.
   * @param cells overwritten with one cell per sample
   * @param none the number for a sample that the mask leaves out
   */
  read(from: number, cells: Uint32Array, none: number): void {
    const indices = this.#where?.subarray(from, from + cells.length) ?? null;
    cells.fill(0);
    for (const { samples, channel, reader, find } of this.#sources) {
      if (indices !== null) {
        find(reader.gather(indices, channel), 0, 1, cells);
        continue;
      }
      reader.each(from, cells.length, (array, at, count, done) => {
        const run = array.subarray(at, at + count);
        find(run, channel, samples.channels, cells.subarray(done));
      });
    }
    if (this.#mask !== null) this.#leaveOut(this.#mask, from, indices, cells, none);
  }

  #leaveOut(
    { kind, samples: { bytes } }: NonNullable<CellSelection["mask"]>,
    from: number,
    indices: Uint32Array | null,
    cells: Uint32Array,
    none: number,
  ): void {
    if (kind === "bits") {
      if (indices !== null) {
        for (let i = 0; i < cells.length; i++) {
          const sample = indices[i]!;
          if (((bytes[sample >>> 3]! >> (sample & 7)) & 1) === 0) cells[i] = none;
        }
        return;
      }
      const [byte, bit] = [Math.floor(from / 8), from % 8];
      for (let i = 0; i < cells.length; i++) {
        const at = bit + i;
        cells[i] = chosen(cells[i]!, none, (bytes[byte + (at >>> 3)]! >> (at & 7)) & 1);
      }
    } else if (indices !== null) {
      const found = this.#maskReader!.gather(indices, 0);
      for (let i = 0; i < cells.length; i++) if (found[i] === 0) cells[i] = none;
    } else {
      this.#maskReader!.each(from, cells.length, (array, at, count, done) => {
        for (let i = 0; i < count; i++) cells[done + i] = chosen(cells[done + i]!, none, array[at + i]!);
      });
    }
  }
}

/** Returns the cell if the mask is not 0, otherwise `none`. Without a branch, which a mask would make unpredictable. */
function chosen(cell: number, none: number, mask: number): number {
  const isOut = -Number(mask === 0);
  return (cell & ~isOut) | (none & isOut);
}
