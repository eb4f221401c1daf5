import { CompressionCodecs } from "hyparquet/src/constants.js";
import type { Seen } from "./survey.ts";

/** Where a structure lies in a file's metadata. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A column chunk: what opening a file checks, and where everything else lies. */
export interface StatedChunk extends Place {
  /** The name of its codec, or "none" for an unknown one. Null: it has no metadata of its own. */
  readonly codec: string | null;
  /** Bytes of its pages. 0 if the metadata do not state them, NaN if they state no number of bytes. */
  readonly compressed: number;
  readonly uncompressed: number;
  readonly isEncrypted: boolean;
  readonly isElsewhere: boolean;
}

/** A row group. */
export interface StatedGroup {
  /** NaN: the metadata do not state them. */
  readonly rows: number;
  readonly chunks: readonly StatedChunk[];
}

/** The numbers of the fields of a file's metadata, of a row group, a column chunk, and its own metadata. */
const FILE = { schema: 2, groups: 4 } as const;
const GROUP = { chunks: 1, rows: 3 } as const;
const CHUNK = { path: 1, meta: 3, crypto: 8 } as const;
const META = { codec: 4, uncompressed: 6, compressed: 7 } as const;

type Draft = { -readonly [K in keyof Omit<StatedChunk, "from" | "to">]: StatedChunk[K] };

const NO_CHUNK: Draft = {
  ...{ codec: null, compressed: 0, uncompressed: 0 },
  ...{ isEncrypted: false, isElsewhere: false },
};

/**
 * Finds the row groups and their chunks where a walk sees them. A file has thousands of chunks, and objects for all that
 * they state would take many times the memory of their bytes.
 */
export class StatedGroups implements Seen {
  readonly groups: StatedGroup[] = [];
  /** The elements of the schema. */
  readonly elements: Place[] = [];
  /** The list of row groups. Null: there is none. */
  list: Place | null = null;
  #hasSchema = false;
  #rows = Number.NaN;
  #chunks: StatedChunk[] | null = null;
  #ownChunks: StatedChunk[] = [];
  #chunk: Draft = { ...NO_CHUNK };

  struct([file, group]: readonly number[], depth: number, from: number, to: number): void {
    if (depth === 1 && file === FILE.schema) this.elements.push({ from, to });
    else if (depth === 1 && file === FILE.groups) {
      if (this.#chunks === null) throw new Error("a row group has no columns");
      this.groups.push({ rows: this.#rows, chunks: this.#chunks });
      [this.#rows, this.#chunks] = [Number.NaN, null];
    } else if (depth === 2 && file === FILE.groups && group === GROUP.chunks) {
      this.#ownChunks.push({ from, to, ...this.#chunk });
      this.#chunk = { ...NO_CHUNK };
    }
  }

  field(path: readonly number[], depth: number, value: number, from: number, to: number): void {
    const [file, group, chunk, meta] = path;
    if (depth === 0) {
      if (file === FILE.schema) this.#hasSchema = onlyOnce(this.#hasSchema);
      else if (file === FILE.groups) {
        onlyOnce(this.list !== null);
        this.list = { from, to };
      }
    } else if (file !== FILE.groups) return;
    else if (depth === 1) {
      if (group === GROUP.rows) this.#rows = value;
      else if (group === GROUP.chunks) {
        onlyOnce(this.#chunks !== null);
        [this.#chunks, this.#ownChunks] = [this.#ownChunks, []];
      }
    } else if (group !== GROUP.chunks) return;
    else if (depth === 2) {
      if (chunk === CHUNK.path) this.#chunk.isElsewhere = true;
      else if (chunk === CHUNK.crypto) this.#chunk.isEncrypted = true;
      else if (chunk === CHUNK.meta) this.#chunk.codec ??= "none";
    } else if (depth === 3 && chunk === CHUNK.meta) {
      if (meta === META.codec) this.#chunk.codec = CompressionCodecs[value] ?? "none";
      else if (meta === META.compressed) this.#chunk.compressed = bytesIn(value);
      else if (meta === META.uncompressed) this.#chunk.uncompressed = bytesIn(value);
    }
  }
}

/** @throws Error if a field came before. Parsers would take one or the other */
function onlyOnce(isKnown: boolean): true {
  if (isKnown) throw new Error("a structure has a field twice");
  return true;
}

const bytesIn = (value: number): number => (Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN);
