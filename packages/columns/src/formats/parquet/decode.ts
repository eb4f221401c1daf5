import type { Decoded } from "../../pool/index.ts";
import { asDamage, damaged } from "../../table/index.ts";
import type { Values } from "../lib/bytes/index.ts";
import { decodeColumn } from "./decode/column.ts";
import type { BatchTask } from "./task.ts";

/** Decodes a batch of columns. */
export function decode({ file, columns }: BatchTask): Decoded<readonly Values[]> {
  const transfer: ArrayBuffer[] = [];
  const value = columns.map((column) => {
    const decoded = decoding(file, column.name, () => decodeColumn(column));
    for (const array of [decoded.values, decoded.codes, decoded.bits]) {
      if (array !== null) transfer.push(array.buffer as ArrayBuffer);
    }
    return decoded;
  });
  return { value, transfer };
}

/** Names the column in the error of a decoder. */
function decoding<T>(file: string, column: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw asDamage(file, damaged(file, `column ${JSON.stringify(column)} is damaged: ${why}`, error));
  }
}
