import { limits, type ResidentTable, rowBytes, type TableValues } from "@polybin/core/backend";
import { failure, type WebgpuLimits, wrong } from "../base/index.ts";
import { type Hardware, own, USAGE } from "../platform/index.ts";
import { padded } from "./buffers.ts";
import type { Filler, Write } from "./filler.ts";
import { Owned, type Owners } from "./owned.ts";

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

  constructor(pitch: number, parts: readonly TablePart[], owners: Owners) {
    const buffers = parts.map(({ buffer }) => buffer);
    super(owners, "expected a feature table but it was freed", parts, buffers);
    this.pitch = pitch;
  }
}

/** Returns the table that this backend uploaded. @throws ERR_INPUT if another backend made it or it was freed */
export function tableOf(table: ResidentTable): Pick<WebgpuTable, "pitch" | "parts"> {
  if (table instanceof WebgpuTable) return table;
  throw wrong("expected a table that this engine uploaded");
}

/** Returns the bytes from one row to the next. @throws ERR_LIMIT if the device cannot bind a row or its weights. */
export function pitchOf(
  { type, documents }: Pick<TableValues, "type" | "documents">,
  { chunkBytes }: Pick<WebgpuLimits, "chunkBytes">,
): number {
  // A weight has four bytes and a value at most two, so a row that is too long always has too many weights.
  const most = Math.floor(chunkBytes / limits.WORD_BYTES);
  if (documents <= most) return padded(rowBytes(type, documents));
  throw failure(
    "ERR_LIMIT",
    `expected at most ${most} documents, because their weights must fit into the ${chunkBytes} bytes that this WebGPU device can bind, but received ${documents}`,
  );
}

/** How a table is uploaded. */
interface Upload {
  readonly hardware: Hardware;
  readonly filler: Filler;
  /** The bytes that can be bound. */
  readonly chunkBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Copies a table to buffers with as many rows as can be bound. */
export async function uploadTable(
  of: TableValues,
  pitch: number,
  { hardware, filler, chunkBytes, signal }: Upload,
  made: GPUBuffer[],
): Promise<readonly TablePart[]> {
  const most = Math.floor(chunkBytes / pitch);
  const parts: TablePart[] = [];
  for (let first = 0; first < of.features; first += most) {
    const rows = Math.min(most, of.features - first);
    const { value: buffer, errors } = hardware.scoped(() =>
      hardware.device.createBuffer({ size: rows * pitch, usage: USAGE.STORAGE | USAGE.COPY_DST }),
    );
    made.push(buffer);
    parts.push({ buffer, first, rows });
    await errors;
    await filler.fill(buffer, rows * pitch, own.PIECE_BYTES, signal, rowWriter(of, first, pitch));
  }
  await hardware.watched(hardware.device.queue.onSubmittedWorkDone());
  return parts;
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
