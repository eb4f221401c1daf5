import type { RunOptions } from "../../../backend/index.ts";
import { Turns } from "../../../base/index.ts";
import type { Samples, Segments } from "../../../input/index.ts";
import { CellReader } from "../../../lowering/index.ts";
import { WEIGHED_SAMPLES } from "../../../weights/index.ts";
import type { HostCells } from "../../jobs/cells-jobs.ts";
import { broughtHome, inMemory } from "../../samples/in-memory.ts";
import type { Piece } from "../inputs/selection.ts";
import { type Call, type Column, inputsOf, maskKind } from "./call.ts";

/** Some samples and their cells. Each step overwrites the one before. */
export interface CellStep {
  /** Number of samples that were read, counted or not. */
  readonly samples: number;
  /** The cell of each sample that has one, segment by segment: row * size + cell. */
  readonly cells: Uint32Array;
  /** The place of each of these samples in the piece. Null: they follow one another from `first` on. */
  readonly at: Uint32Array | null;
  readonly first: number;
  /** Number of samples that the mask left out. */
  readonly masked: number;
}

/** Finds the cells of samples on this thread. */
export class FoundCells {
  /** Number of codes along each axis. */
  readonly extents: readonly number[];
  /** Number of cells of a row. */
  readonly size: number;
  readonly #call: Call;
  readonly #columns: readonly Column[];
  readonly #cells: HostCells;

  constructor(call: Call, columns: readonly Column[]) {
    this.#call = call;
    this.#columns = columns;
    this.#cells = call.cellsJobs.onHost(columns);
    this.extents = this.#cells.maps.map(({ extent }) => extent);
    this.size = this.extents.reduce((product, extent) => product * extent, 1);
  }

  /** Yields the cells of a piece. Samples on the device are copied first. @throws ERR_UNSUPPORTED */
  async *of(piece: Piece, { signal, onProgress }: RunOptions): AsyncGenerator<CellStep> {
    const { opened } = this.#call;
    const inputs = inputsOf(this.#call, this.#columns, piece);
    const homes = new Map<object, Promise<Samples>>();
    const home = (input: (typeof inputs.columns)[number]): Promise<Samples> => {
      const key = input.kind === "resident" ? input.resident : input;
      const known = homes.get(key) ?? broughtHome(opened, input, "this call", signal);
      homes.set(key, known);
      return known;
    };
    const columns: Samples[] = [];
    for (const input of inputs.columns) columns.push(await home(input));
    const mask = inputs.mask && (await home(inputs.mask));
    const turns = new Turns(signal);
    let done = 0;
    for (const step of this.#steps({ columns, mask, where: inputs.where, samples: inputs.samples }, piece)) {
      yield step;
      done += step.samples;
      onProgress?.(done);
      await turns.next();
    }
  }

  /** Does the same without waiting. @throws ERR_UNSUPPORTED for samples on the device */
  now(piece: Piece): Generator<CellStep> {
    const { opened } = this.#call;
    const { columns, mask, where, samples } = inputsOf(this.#call, this.#columns, piece);
    const here = (input: (typeof columns)[number]) => inMemory(opened, input, "a synchronous call");
    return this.#steps({ columns: columns.map(here), mask: mask && here(mask), where, samples }, piece);
  }

  *#steps({ columns, mask, where, samples }: Home, piece: Piece): Generator<CellStep> {
    const { segments } = this.#call;
    const kind = maskKind(this.#call, piece);
    const sources = columns.map((of, k) => ({
      column: this.#cells.columns[k]!,
      lowering: this.#cells.lowerings[k]!,
      samples: of,
      channel: this.#columns[k]!.channel,
    }));
    const chosen = mask === null || kind === "none" ? null : { kind, samples: mask };
    const reader = new CellReader(sources, { mask: chosen, where });
    const { toResult } = this.#cells;
    const none = toResult.length;
    const most = Math.min(samples, WEIGHED_SAMPLES);
    const cells = new Uint32Array(most);
    const isAll = mask === null && where === null && segments === null;
    const at = new Uint32Array(isAll ? 0 : most);
    for (let from = 0; from < samples; from += most) {
      const count = Math.min(most, samples - from);
      const step = cells.subarray(0, count);
      reader.read(from, step, none);
      if (isAll) {
        for (let i = 0; i < count; i++) step[i] = toResult[step[i]!]!;
        yield { samples: count, cells: step, at: null, first: from, masked: 0 };
        continue;
      }
      let kept = 0;
      let masked = 0;
      for (let i = 0; i < count; i++) {
        if (step[i] === none) {
          masked++;
          continue;
        }
        const place = where === null ? from + i : where[from + i]!;
        const row = segments === null ? 0 : rowOf(segments, piece.first + place);
        if (row < 0) continue;
        at[kept] = place;
        cells[kept++] = row * this.size + toResult[step[i]!]!;
      }
      yield { samples: count, cells: cells.subarray(0, kept), at: at.subarray(0, kept), first: from, masked };
    }
  }
}

/** The samples of a piece in this process's memory. */
interface Home {
  readonly columns: readonly Samples[];
  readonly mask: Samples | null;
  readonly where: Uint32Array | null;
  readonly samples: number;
}

/** Returns the segment of a pixel; -1: it lies in none. */
function rowOf(of: Segments, pixel: number): number {
  if (of.kind === "every") return Math.floor(pixel / of.every);
  if (of.kind === "tiles") {
    const row = Math.floor(Math.floor(pixel / of.imageWidth) / of.height);
    return row * of.columns + Math.floor((pixel % of.imageWidth) / of.width);
  }
  const { offsets, count } = of;
  if (pixel < offsets[0]! || pixel >= offsets[count]!) return -1;
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= pixel) low = middle;
    else high = middle;
  }
  return low;
}
