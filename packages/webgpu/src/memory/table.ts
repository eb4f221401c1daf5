import { PolybinError } from "@polybin/core";
import { limits, type ResidentTable, rowBytes, type TableValues } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import { type Hardware, own, USAGE } from "../platform/index.ts";
import { padded } from "./buffers.ts";
import type { Filler, Write } from "./filler.ts";

/** Rows [first, first + rows) of a table, in a buffer that can be bound. */
export interface TablePart {
  readonly buffer: GPUBuffer;
  readonly first: number;
  readonly rows: number;
}

/** A feature table in a device's buffers. The buffers hold whole rows, and each row begins at a vector. */
export class WebgpuTable implements ResidentTable {
  /** Bytes from one row to the next. */
  readonly pitch: number;
  #parts: readonly TablePart[] | null;
  readonly #free: (of: WebgpuTable, parts: readonly TablePart[]) => Promise<void>;

  constructor(
    pitch: number,
    parts: readonly TablePart[],
    free: (of: WebgpuTable, parts: readonly TablePart[]) => Promise<void>,
  ) {
    this.pitch = pitch;
    this.#parts = parts;
    this.#free = free;
  }

  /** @throws ERR_INPUT after `free`. */
  get parts(): readonly TablePart[] {
    if (this.#parts !== null) return this.#parts;
    throw new PolybinError("ERR_INPUT", "expected a feature table but it was freed", { backend: "webgpu" });
  }

  async free(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    if (parts !== null) await this.#free(this, parts);
  }
}

/** Returns the table that this backend uploaded. @throws ERR_INPUT if another backend made it or it was freed */
export function tableOf(table: ResidentTable): {
  readonly pitch: number;
  readonly parts: readonly TablePart[];
} {
  if (table instanceof WebgpuTable) return table;
  throw new PolybinError("ERR_INPUT", "expected a table that this engine uploaded", { backend: "webgpu" });
}

/** Returns the bytes from one row to the next. @throws ERR_LIMIT if the device cannot bind a row or its weights. */
export function pitchOf(
  { type, documents }: Pick<TableValues, "type" | "documents">,
  { chunkBytes }: Pick<WebgpuLimits, "chunkBytes">,
): number {
  // A weight has four bytes and a value at most two, so a row that is too long always has too many weights.
  const most = Math.floor(chunkBytes / limits.WORD_BYTES);
  if (documents <= most) return padded(rowBytes(type, documents));
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most ${most} documents, because their weights must fit into the ${chunkBytes} bytes that this WebGPU device can bind, but received ${documents}`,
    { backend: "webgpu" },
  );
}

/** Copies a table to buffers with as many rows as can be bound. It appends each to `parts` as soon as it exists. */
export async function uploadTable(
  hardware: Hardware,
  filler: Filler,
  of: TableValues,
  pitch: number,
  { chunkBytes }: WebgpuLimits,
  signal: AbortSignal | undefined,
  parts: TablePart[],
): Promise<void> {
  const most = Math.floor(chunkBytes / pitch);
  for (let first = 0; first < of.features; first += most) {
    const rows = Math.min(most, of.features - first);
    const { value: buffer, errors } = hardware.scoped(() =>
      hardware.device.createBuffer({ size: rows * pitch, usage: USAGE.STORAGE | USAGE.COPY_DST }),
    );
    parts.push({ buffer, first, rows });
    await errors;
    await filler.fill(buffer, rows * pitch, own.PIECE_BYTES, signal, rowWriter(of, first, pitch));
  }
  await hardware.watched(hardware.device.queue.onSubmittedWorkDone());
}

/** Returns a writer that lays rows out from row `first` on. The bytes between rows are arbitrary. */
function rowWriter({ type, documents, bytes }: TableValues, first: number, pitch: number): Write {
  const row = rowBytes(type, documents);
  return (from, size, into) => {
    for (let at = from; at < from + size; ) {
      const column = at % pitch;
      const count = Math.min(pitch - column, from + size - at);
      const source = (first + (at - column) / pitch) * row;
      into.set(
        bytes.subarray(source + Math.min(row, column), source + Math.min(row, column + count)),
        at - from,
      );
      at += count;
    }
  };
}
