import { constants, open } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

/**
 * Reads a named pipe. To open one the usual way waits for its writer in a thread that nothing can wake, so that not even
 * the process could end; opened without waiting, the event loop waits for the writer.
 */
export async function readFifo(path: string): Promise<Readable> {
  const fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
