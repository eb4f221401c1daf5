import { constants, open } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

/**
 * Reads a named pipe. A usual open waits for the writer in a thread that nothing can wake, so not even the process could
 * end. After an open that does not wait, the event loop waits for the writer.
 */
export async function readFifo(path: string): Promise<Readable> {
  const fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
