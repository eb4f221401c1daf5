import type { IncomingMessage } from "node:http";
import type { Limits } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** Checks the length of a body. @throws Refusal 411 if it is missing, 413 if it is too large, 400 if it is too small. */
export function expectLength({ headers }: IncomingMessage, bytes: number): void {
  const length = headers["content-length"];
  if (length === undefined)
    throw new Refusal(411, "ERR_LENGTH", `expected ${bytes} bytes with a Content-Length`);
  if (Number(length) > bytes) {
    throw new Refusal(413, "ERR_TOO_LARGE", `expected ${bytes} bytes but received ${length}`);
  }
  if (Number(length) < bytes) {
    throw new Refusal(400, "ERR_LENGTH", `expected ${bytes} bytes but received ${length}`);
  }
}

/**
 * Reads a body whose length was checked into memory that workers can share.
 * @throws Refusal 408 for a body that does not arrive.
 */
export async function exactBody(
  request: IncomingMessage,
  bytes: number,
  limits: Limits,
): Promise<Uint8Array> {
  const body = new Uint8Array(new SharedArrayBuffer(bytes));
  let at = 0;
  await readBody(request, limits, (piece) => {
    body.set(piece, at);
    at += piece.length;
  });
  return body;
}

/**
 * Reads a small body as one JSON object.
 * @throws Refusal 413 past the limit, 400 for anything but a JSON object, 408 for a body that does not arrive.
 */
export async function jsonBody(
  request: IncomingMessage,
  most: number,
  limits: Limits,
): Promise<Readonly<Record<string, unknown>>> {
  const tooLarge = () => new Refusal(413, "ERR_TOO_LARGE", `expected at most ${most} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLarge();
  const parts: Buffer[] = [];
  let length = 0;
  await readBody(request, limits, (piece) => {
    length += piece.length;
    if (length > most) throw tooLarge();
    parts.push(piece);
  });
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

/**
 * Passes a body on piece by piece until it ends. The connection stays open on failure, so that an error can be sent.
 * @throws Refusal 408 for a body that pauses or takes too long
 * @throws whatever `take` throws, and an error if the client leaves
 */
async function readBody(
  request: IncomingMessage,
  { silenceMs, bodyMs }: Limits,
  take: (piece: Buffer) => void,
): Promise<void> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const late = () =>
    reject(new Refusal(408, "ERR_TIMEOUT", "expected the whole body in time but it did not arrive"));
  const silence = setTimeout(late, silenceMs);
  const whole = setTimeout(late, bodyMs);
  const onPiece = (piece: Buffer) => {
    silence.refresh();
    try {
      take(piece);
    } catch (error) {
      reject(error);
    }
  };
  request.on("data", onPiece).on("end", resolve).on("error", reject);
  try {
    await ended;
  } finally {
    request.off("data", onPiece);
    clearTimeout(silence);
    clearTimeout(whole);
  }
}
