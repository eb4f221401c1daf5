import { readSync } from "node:fs";
import { PolybinError } from "@polybin/core";
import { bytesFrom, eachSegmentRun, limits, type Segments } from "@polybin/core/backend";
import type { Geometry, Source } from "./source.ts";

/** Copies the pixels [first, end) to the beginning of memory. */
export type Read = (first: number, end: number) => void;

/** Pixels of a source, and the order in which they are read. Null: as they follow each other in the source. */
export interface Ordered {
  readonly source: Source;
  readonly order: Segments | null;
}

/** Returns a function that copies pixels to memory. @throws ERR_INPUT, as it does, if the samples no longer exist */
export function readerOf({ source, order }: Ordered, out: Uint8Array): Read {
  const { geometry } = source;
  const { pixelBytes } = geometry;
  const copy = source.kind === "file" ? fromFile(source, out) : fromMemory(source.bytes, out);
  if (order === null && geometry.height === 1) {
    return (first, end) => copy(first * pixelBytes, (end - first) * pixelBytes, 0);
  }
  const copyCut = source.kind === "file" ? copy : cutFrom(bytesOf(source), out, copy);
  const copyRun: UseRun = (start, pixels, before) => {
    copyCut(start, pixels * pixelBytes, before * pixelBytes);
  };
  return (first, end) => {
    // All samples must still exist. The order determines which of them are copied.
    if (source.kind === "memory") bytesOf(source);
    if (order === null) eachRun(geometry, first, end - first, copyRun);
    else {
      eachSegmentRun(order, first, end, (pixel, count, done) => {
        eachRun(geometry, pixel, count, copyRun, done);
      });
    }
  };
}

/** Returns the bytes of all samples. @throws ERR_INPUT if the memory no longer exists */
export function bytesOf(source: Source): Uint8Array {
  if (source.kind === "file") throw new Error("a list of indices cannot be counted from a file");
  const { width, height, rowPitch, pixelBytes } = source.geometry;
  return bytesFrom(source.bytes, 0, height === 0 ? 0 : (height - 1) * rowPitch + width * pixelBytes);
}

/** Uses a run of consecutive pixels: its first byte, its pixels, and the pixels before it. */
type UseRun = (start: number, pixels: number, before: number) => void;

/** Calls `use` for each run among `count` pixels, which follow `done` others. */
export function eachRun(
  { width, height, rowPitch, pixelBytes }: Geometry,
  first: number,
  count: number,
  use: UseRun,
  done = 0,
): void {
  if (height === 1) {
    use(first * pixelBytes, count, done);
    return;
  }
  for (let pixel = first; pixel < first + count; ) {
    const row = Math.floor(pixel / width);
    const column = pixel - row * width;
    const pixels = Math.min(first + count - pixel, width - column);
    use(row * rowPitch + column * pixelBytes, pixels, done + pixel - first);
    pixel += pixels;
  }
}

/** Copies `length` bytes from byte `start` of a source to byte `at` of memory. */
type CopyRun = (start: number, length: number, at: number) => void;

function fromFile({ fd, path, offset }: Extract<Source, { kind: "file" }>, out: Uint8Array): CopyRun {
  return (start, length, at) => {
    for (let done = 0; done < length; ) {
      const position = offset + start + done;
      const read = readSync(fd, out, at + done, length - done, position);
      if (read === 0) {
        const what = `expected ${length - done} more bytes at ${position} of ${path}`;
        const why = "the file ended: it was cut while it was read";
        throw new PolybinError("ERR_INPUT", `${what} but ${why}`, { backend: "piscina" });
      }
      done += read;
    }
  };
}

/** Buffer's copy is faster than `set` for shared memory. For other memory, `set` is faster. */
function fromMemory(bytes: Uint8Array, out: Uint8Array): CopyRun {
  if (!(bytes.buffer instanceof SharedArrayBuffer)) {
    return (start, length, at) => {
      // A view takes longer than the copy of a few bytes.
      out.set(length === bytes.length ? bytes : bytesFrom(bytes, start, length), at);
    };
  }
  const shared = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (start, length, at) => void shared.copy(out, at, start, start + length);
}

/** Runs of this number of bytes or more are copied faster by a call than by a loop. */
const LONG_RUN = 512;

/** Copies runs that may be short. */
function cutFrom(bytes: Uint8Array, out: Uint8Array, copyLong: CopyRun): CopyRun {
  const [words, to] = [wordsOf(bytes), wordsOf(out)];
  return (start, length, at) => {
    if (length >= LONG_RUN) copyLong(start, length, at);
    // If a start is above 2^32, its lower bits are still correct here.
    else if (words !== null && to !== null && ((start | length | at) & (limits.WORD_BYTES - 1)) === 0) {
      const [first, end] = [start / limits.WORD_BYTES, (start + length) / limits.WORD_BYTES];
      for (let i = first, next = at / limits.WORD_BYTES; i < end; i++) to[next++] = words[i]!;
    } else for (let i = 0; i < length; i++) out[at + i] = bytes[start + i]!;
  };
}

/** Returns whole words, or null if the bytes do not begin at a word. */
function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array | null {
  const isAligned = byteOffset % limits.WORD_BYTES === 0;
  return isAligned ? new Uint32Array(buffer, byteOffset, Math.floor(byteLength / limits.WORD_BYTES)) : null;
}
