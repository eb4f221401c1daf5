import { breath, type Decoded } from "../../pool/index.ts";
import { asDamage, becauseOf, damaged, fault } from "../../table/index.ts";
import type { Counted, Values } from "../lib/bytes/index.ts";
import { decodeColumn } from "./decode/column.ts";
import { countColumn } from "./decode/counts.ts";
import { Unsupported } from "./decode/unsupported.ts";
import type { BatchTask } from "./task.ts";

/** Decodes a batch of columns. */
export async function decode({
  file,
  columns,
  counted,
}: BatchTask): Promise<Decoded<readonly (Values | Counted)[]>> {
  const transfer: ArrayBuffer[] = [];
  const value: (Values | Counted)[] = [];
  for (const [i, column] of columns.entries()) {
    await breath();
    const decoded = decoding(file, column.name, () =>
      counted[i] ? countColumn(column) : decodeColumn(column),
    );
    for (const array of Object.values(decoded)) {
      if (ArrayBuffer.isView(array)) transfer.push(array.buffer as ArrayBuffer);
    }
    value.push(decoded);
  }
  return { value, transfer };
}

/** Names the column in the error of a decoder. */
function decoding<T>(file: string, column: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const named = `column ${JSON.stringify(column)}`;
    if (error instanceof Unsupported) {
      throw fault(file, "ERR_UNSUPPORTED", `${named} cannot be read${becauseOf(error)}`, error);
    }
    throw asDamage(file, damaged(file, `${named} is damaged${becauseOf(error)}`, error));
  }
}
