import type { IncomingMessage } from "node:http";
import type { Limits } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** @throws Refusal 411 without a length of the body, 413 or 400 for another one than so many bytes. */
export function expectLength({ headers }: IncomingMessage, bytes: number): void {
  const length = headers["content-length"];
  if (length === undefined) throw new Refusal(411, "ERR_LENGTH", `expected ${bytes} bytes and their length`);
  if (Number(length) > bytes) {
    throw new Refusal(413, "ERR_TOO_LARGE", `expected ${bytes} bytes but received ${length}`);
  }
  if (Number(length) < bytes) {
    throw new Refusal(400, "ERR_LENGTH", `expected ${bytes} bytes but received ${length}`);
  }
}

/**
 * Reads a body of the length that was checked, into memory that workers can share.
 * @throws Refusal 408 for one that does not come.
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
 * @throws Refusal 413 past the limit, 400 for anything but a JSON object, 408 for one that does not come.
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
 * Hands on a body piece by piece until it ends. The connection stays open whatever happens, so that it can be said.
 * @throws Refusal 408 for a body that is silent or drips for too long; what `take` throws; an error when the client goes.
 */
async function readBody(
  request: IncomingMessage,
  { silenceMs, bodyMs }: Limits,
  take: (piece: Buffer) => void,
): Promise<void> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const late = () => reject(new Refusal(408, "ERR_TIMEOUT", "the body did not come"));
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
