import type { Where } from "../base/index.ts";

/** Bytes that arrive in pieces: a Node or web stream, a Blob or File, or an async generator. */
export type ByteStream =
  | AsyncIterable<Uint8Array>
  | Where<"ReadableStream", ReadableStream<Uint8Array>>
  | Where<"Blob", Blob>;

export function isByteStream(value: unknown): value is ByteStream {
  return (
    typeof value === "object" &&
    value !== null &&
    (Symbol.asyncIterator in value ||
      (typeof ReadableStream !== "undefined" && value instanceof ReadableStream) ||
      isBlob(value))
  );
}

export function isBlob(value: unknown): value is Blob {
  return typeof Blob !== "undefined" && value instanceof Blob;
}
