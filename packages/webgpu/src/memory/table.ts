import { limits, type ResidentTable, rowBytes, type TableValues } from "@polybin/core/backend";
import { failure, wrong } from "../base/index.ts";
import { own, USAGE } from "../platform/index.ts";
import { padded } from "./buffers.ts";
import type { Write } from "./filler.ts";
import type { DeviceMemory } from "./memory.ts";
import { allOrNone, Owned } from "./owned.ts";

/** Rows [first, first + rows) of a table, in a buffer that can be bound. */
export interface TablePart {
  readonly buffer: GPUBuffer;
  readonly first: number;
  readonly rows: number;
}

/** A feature table in a device's buffers. The buffers hold whole rows, and each row begins at a vector. */
export class WebgpuTable extends Owned<TablePart> implements ResidentTable {
  /** Bytes from one row to the next. */
  readonly pitch: number;

  constructor(pitch: number, parts: readonly TablePart[], memory: DeviceMemory) {
    super(memory, "expected a feature table but it was freed", parts);
    this.pitch = pitch;
  }
}

/** Returns the table that this backend uploaded. @throws ERR_INPUT if another backend made it or it was freed */
export function tableOf(table: ResidentTable): Pick<WebgpuTable, "pitch" | "parts"> {
  if (table instanceof WebgpuTable) return table;
  throw wrong("expected a table that this engine uploaded");
}

/** Copies a table to buffers with as many rows as can be bound. @throws ERR_LIMIT if not even one can, or its weights */
export async function uploadTable(
  memory: DeviceMemory,
  of: TableValues,
  signal: AbortSignal | undefined,
): Promise<WebgpuTable> {
  const { hardware, filler } = memory;
  const { chunkBytes } = memory.of;
  const { type, documents, features } = of;
  // A weight has four bytes and a value at most two, so a row that is too long always has too many weights.
  const longest = Math.floor(chunkBytes / limits.WORD_BYTES);
  if (documents > longest) {
    throw failure(
      "ERR_LIMIT",
      `expected at most ${longest} documents, because their weights must fit into the ${chunkBytes} bytes that this WebGPU device can bind, but received ${documents}`,
    );
  }
  const pitch = padded(rowBytes(type, documents));
  const most = Math.floor(chunkBytes / pitch);
  return allOrNone(async (made) => {
    const parts: TablePart[] = [];
    for (let first = 0; first < features; first += most) {
      const rows = Math.min(most, features - first);
      const { value: buffer, errors } = hardware.scoped(() =>
        hardware.device.createBuffer({ size: rows * pitch, usage: USAGE.STORAGE | USAGE.COPY_DST }),
      );
      made.push(buffer);
      parts.push({ buffer, first, rows });
      await errors;
      await filler.fill(buffer, rows * pitch, own.PIECE_BYTES, signal, rowWriter(of, first, pitch));
    }
    await hardware.watched(hardware.device.queue.onSubmittedWorkDone());
    return new WebgpuTable(pitch, parts, memory);
  });
}

/** Returns a writer that lays rows out from row `first` on. The bytes between rows are arbitrary. */
function rowWriter({ type, documents, bytes }: TableValues, first: number, pitch: number): Write {
  const row = rowBytes(type, documents);
  return (from, size, into) => {
    for (let at = from; at < from + size; ) {
      const column = at % pitch;
      const count = Math.min(pitch - column, from + size - at);
      const source = (first + (at - column) / pitch) * row;
      const values = bytes.subarray(source + Math.min(row, column), source + Math.min(row, column + count));
      into.set(values, at - from);
      at += count;
    }
  };
}
