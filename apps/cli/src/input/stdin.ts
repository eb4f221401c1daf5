import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";

/** Whether standard input is a pipe, a socket or a file, and not a terminal or /dev/null. */
export function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isSocket() || stats.isFile();
  } catch {
    // It is closed.
    return false;
  }
}

/**
 * Returns the first bytes of a stream and leaves them in it, so that the next reader gets them, too.
 * @param most no more than the stream buffers
 * @returns at least `most` bytes, or all that there are
 */
export async function peekStream(
  stream: Readable,
  most: number,
  signal: AbortSignal,
): Promise<{ readonly head: Uint8Array; readonly isWhole: boolean }> {
  const isWhole = await isShort(stream, most, signal);
  const head: Uint8Array | null = stream.read();
  if (head === null) return { head: new Uint8Array(), isWhole };
  // The event of the end comes later, and only to an empty stream.
  stream.unshift(head);
  return { head, isWhole };
}

/** Waits until a stream has buffered `most` bytes, or all. @returns whether these are all */
function isShort(stream: Readable, most: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let before = 0;
    const settle = (end: () => void) => {
      for (const [event, listener] of listeners) stream.off(event, listener);
      signal.removeEventListener("abort", abort);
      end();
    };
    // Without new bytes, the event announces the end.
    const look = () => {
      const { readableLength } = stream;
      if (readableLength >= most) settle(() => resolve(false));
      else if (readableLength === before) settle(() => resolve(true));
      before = readableLength;
    };
    const abort = () => settle(() => reject(signal.reason));
    const listeners = [
      ["readable", look],
      ["error", (error: Error) => settle(() => reject(error))],
      ["close", () => settle(() => resolve(true))],
    ] as const;
    for (const [event, listener] of listeners) stream.on(event, listener);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}
