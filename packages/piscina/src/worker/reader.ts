import type { Wasm } from "../platform/index.ts";
import { WORKER_CHUNK_BYTES } from "../platform/index.ts";
import {
  addDone,
  type Chunk,
  Chunks,
  InputError,
  isStopped,
  readExactly,
  type Source,
  type Task,
  takeNext,
} from "../task/index.ts";

/** Takes chunks as `eachChunkWhereItLies` does, and copies each to the CHUNK area of a memory, where it is dense. */
export function eachChunk(task: Task, wasm: Wasm, use: (pixels: number) => void): void {
  eachChunkWhereItLies(task, (chunk) => {
    copyIn(task.source, chunk, wasm);
    use(chunk.rows * chunk.columns);
  });
}

/**
 * Takes chunks of a task's source in turn with the task's other workers, until there are no more or the job is stopped.
 */
export function eachChunkWhereItLies(
  { source: { geometry }, chunks: { from, to }, control }: Task,
  use: (chunk: Chunk) => void,
): void {
  const chunks = new Chunks(geometry, Math.floor(WORKER_CHUNK_BYTES / geometry.pixelBytes));
  const end = Math.min(to, chunks.count);
  while (!isStopped(control)) {
    const index = from + takeNext(control);
    if (index >= end) return;
    const chunk = chunks.at(index);
    use(chunk);
    addDone(control, chunk.rows * chunk.columns);
  }
}

function copyIn(source: Source, { row, rows, column, columns }: Chunk, wasm: Wasm): void {
  const { rowPitch, pixelBytes } = source.geometry;
  const to = new Uint8Array(wasm.memory.buffer, wasm.chunk, WORKER_CHUNK_BYTES);
  const rowBytes = columns * pixelBytes;
  for (let i = 0; i < rows; i++) {
    const start = (row + i) * rowPitch + column * pixelBytes;
    if (source.kind === "memory")
      copyExactly(source.bytes, start, to.subarray(i * rowBytes, (i + 1) * rowBytes));
    else readExactly(source, source.offset + start, to.subarray(i * rowBytes, (i + 1) * rowBytes));
  }
}

/** Buffer's copy from shared memory is twice as fast as Uint8Array's `set`, and six times as fast if unaligned. */
function copyExactly({ buffer, byteOffset, byteLength }: Uint8Array, start: number, to: Uint8Array): void {
  const copied = Buffer.from(buffer, byteOffset, byteLength).copy(to, 0, start, start + to.length);
  if (copied !== to.length)
    throw new InputError(`expected ${to.length} bytes at ${start} but received ${copied}`);
}
