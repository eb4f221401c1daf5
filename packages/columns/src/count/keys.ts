import { PolybinError } from "@polybin/core";
import { type Chunk, type ColumnInfo, isValid, quoted, type Table } from "../table/index.ts";
import type { GroupKey } from "./grouped-by.ts";

/** Groups at most. */
const MAX_GROUPS = 65_536;

/** A value as a chunk has it. */
type Stored = string | number | bigint | null;

/** Numbers the values of a column of groups. */
export class Keys {
  readonly #table: Pick<Table, "name">;
  readonly #column: ColumnInfo;
  #codes: Map<Stored, number> = new Map();

  constructor(table: Pick<Table, "name">, column: ColumnInfo) {
    this.#table = table;
    this.#column = column;
  }

  get size(): number {
    return this.#codes.size;
  }

  /** Adds the values of a chunk. @throws ERR_LIMIT for too many */
  add(chunk: Chunk): void {
    numbered(chunk, (key) => {
      const known = this.#codes.get(key);
      if (known !== undefined) return known;
      const code = this.#codes.size;
      if (code === MAX_GROUPS)
        throw this.#error("ERR_LIMIT", `at most ${MAX_GROUPS} different values`, "it has more");
      this.#codes.set(key, code);
      return code;
    });
  }

  /** Numbers the values in ascending order, and null last. */
  sort(): void {
    const sorted = [...this.#codes.keys()].sort(compared);
    this.#codes = new Map(sorted.map((key, code) => [key, code]));
  }

  /** The values in the order of their numbers. */
  values(): GroupKey[] {
    const isBoolean = this.#column.type.kind === "boolean";
    return [...this.#codes.keys()].map((key) => {
      if (isBoolean && key !== null) return key !== 0;
      return typeof key === "bigint" && Number.isSafeInteger(Number(key)) ? Number(key) : key;
    });
  }

  /** Returns the number of each row's value. @throws ERR_INPUT for a value that was not added */
  codesOf(chunk: Chunk): Uint32Array {
    return numbered(chunk, (key) => {
      const code = this.#codes.get(key);
      if (code !== undefined) return code;
      throw this.#error("ERR_INPUT", "the same values in both passes", "there is another one; open it again");
    });
  }

  #error(code: "ERR_LIMIT" | "ERR_INPUT", wanted: string, found: string): PolybinError {
    const { name } = this.#column;
    return new PolybinError(
      code,
      `${this.#table.name}: expected ${wanted} in ${quoted(name)} for by but ${found}`,
    );
  }
}

/** Returns the number of the value of each row. The number of a dictionary's text is asked for once. */
function numbered(chunk: Chunk, codeOf: (key: Stored) => number): Uint32Array {
  const { rows } = chunk;
  const codes = new Uint32Array(rows);
  const ofText = "codes" in chunk ? new Map<number, number>() : null;
  const codeAt = (row: number): number => {
    if (!isValid(chunk, row)) return codeOf(null);
    if ("values" in chunk) return codeOf(chunk.values[row]!);
    if ("strings" in chunk) return codeOf(chunk.strings[row]!);
    const text = chunk.codes[row]!;
    const known = ofText!.get(text);
    if (known !== undefined) return known;
    const code = codeOf(chunk.dictionary[text]!);
    ofText!.set(text, code);
    return code;
  };
  for (let row = 0; row < rows; row++) codes[row] = codeAt(row);
  return codes;
}

/** Orders values of one column. */
function compared(a: Stored, b: Stored): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
