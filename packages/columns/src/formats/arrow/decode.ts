import { breath, type Decoded } from "../../pool/index.ts";
import { becauseOf, damaged } from "../../table/index.ts";
import type { Values } from "../lib/bytes/index.ts";
import { decodeColumn } from "./decode/column.ts";
import type { BatchTask } from "./task.ts";

/** Decodes a batch of columns. Values whose types are those of arrays keep the memory that they came in. */
export async function decode({ file, columns }: BatchTask): Promise<Decoded<readonly Values[]>> {
  const transfer = new Set<ArrayBuffer>();
  const value: Values[] = [];
  for (const column of columns) {
    await breath();
    try {
      const decoded = decodeColumn(column);
      for (const array of [decoded.values, decoded.codes, decoded.bits]) {
        if (array !== null) transfer.add(array.buffer as ArrayBuffer);
      }
      value.push(decoded);
    } catch (error) {
      throw damaged(file, `column ${JSON.stringify(column.name)} is damaged${becauseOf(error)}`, error);
    }
  }
  return { value, transfer: [...transfer] };
}
