import { TEXT_FOUND, type TextFound, type TextValues } from "../border/index.ts";

/** The functions of native/webassembly. They take addresses in memory. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  /** Returns the address, or 0 if there is not so much memory. */
  malloc(bytes: number): number;
  free(at: number): void;
  /** Return the address of the columns' numbers (border/job.ts), or 0 if the records are not regular. */
  readCsv(...of: number[]): number;
  readJsonl(...of: number[]): number;
  /** Rows of the columns that were read last, and memory for further ones. */
  rows(): number;
  drop(): void;
}

/** There is no more memory. */
export class Exhausted extends Error {}

/** Copies bytes into memory until the end of a call, and returns their address. */
export type Put = (bytes: Uint8Array) => number;

/** An instance of the module. It reads one piece at a time, and its memory grows with what it reads. */
export class Instance {
  readonly #exports: Exports;

  constructor(module: WebAssembly.Module) {
    const exhausted = (): never => {
      throw new Exhausted();
    };
    this.#exports = new WebAssembly.Instance(module, { env: { exhausted } }).exports as unknown as Exports;
    this.#exports._initialize();
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Reads columns.
   * @throws Exhausted, after which the instance must not be used
   */
  read(columns: number, call: (exports: Exports, put: Put) => number): TextFound {
    const { memory, malloc, free, rows, drop } = this.#exports;
    const held: number[] = [];
    const at = call(this.#exports, (bytes) => {
      const to = malloc(Math.max(1, bytes.length));
      if (to === 0) throw new Exhausted();
      held.push(to);
      new Uint8Array(memory.buffer, to, bytes.length).set(bytes);
      return to;
    });
    for (const each of held) free(each);
    if (at === 0) return null;
    const found: TextFound = [
      rows(),
      ...Array.from({ length: columns }, (_, i) => valuesAt(memory.buffer, at + i * TEXT_FOUND.bytes)),
    ];
    drop();
    return found;
  }
}

/** Copies the values of a column out of memory. */
function valuesAt(memory: ArrayBufferLike, at: number): TextValues {
  const words = new DataView(memory, at);
  const wordOf = (field: keyof typeof TEXT_FOUND.offsets) => words.getUint32(TEXT_FOUND.offsets[field], true);
  const copied = (from: number, bytes: number) => memory.slice(from, from + bytes) as ArrayBuffer;
  const orNull = (from: number, bytes: number) => (bytes === 0 ? null : copied(from, bytes));
  return [
    copied(wordOf("values"), wordOf("valuesBytes")),
    wordOf("nulls"),
    orNull(wordOf("valid"), wordOf("validBytes")),
    copied(wordOf("ends"), wordOf("endsBytes")),
    copied(wordOf("texts"), wordOf("textsBytes")),
    orNull(wordOf("counts"), wordOf("countsBytes")),
  ];
}
