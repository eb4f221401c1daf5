import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** Milliseconds that a sender may say nothing: who stops in the middle holds up the others. */
const SILENCE_MS = 10_000;

/**
 * Reads a body of exactly so many bytes, into memory that workers can share.
 * @throws Refusal 411 without a length, 413 or 400 for another length, 408 for one that does not come.
 */
export async function exactBody(
  request: IncomingMessage,
  bytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const length = request.headers["content-length"];
  if (length === undefined) throw new Refusal(411, "ERR_LENGTH", `expected ${bytes} bytes and their length`);
  if (Number(length) > bytes) {
    throw new Refusal(413, "ERR_TOO_LARGE", `expected ${bytes} bytes but received ${length}`);
  }
  if (Number(length) < bytes) {
    throw new Refusal(400, "ERR_LENGTH", `expected ${bytes} bytes but received ${length}`);
  }
  const body = new Uint8Array(new SharedArrayBuffer(bytes));
  let at = 0;
  for await (const chunk of chunks(request, signal)) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/**
 * Reads a small body as one JSON object.
 * @throws Refusal 413 past the limit, 400 for anything but a JSON object, 408 for one that does not come.
 */
export async function jsonBody(
  request: IncomingMessage,
  most: number,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const tooLarge = () => new Refusal(413, "ERR_TOO_LARGE", `expected at most ${most} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLarge();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks(request, signal)) {
    length += chunk.length;
    if (length > most) throw tooLarge();
    parts.push(chunk);
  }
  const wrong = () => new Refusal(400, "ERR_JSON", "expected a JSON object");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts)));
  } catch {
    throw wrong();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong();
  return value as Readonly<Record<string, unknown>>;
}

/** The body piece by piece; waits for none longer than the silence that is allowed. */
async function* chunks(request: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  let late = false;
  const clock = setTimeout(() => {
    late = true;
    request.destroy();
  }, SILENCE_MS);
  try {
    for await (const chunk of request) {
      signal.throwIfAborted();
      clock.refresh();
      yield chunk as Buffer;
    }
  } catch (error) {
    if (late) throw new Refusal(408, "ERR_TIMEOUT", "the body did not come");
    throw error;
  } finally {
    clearTimeout(clock);
  }
}
