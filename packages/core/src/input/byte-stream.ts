import type { Where } from "../base/index.ts";
import type { OtherArray, SampleArray } from "./sample-types.ts";

/** A piece of a stream: bytes, or samples in a typed array. */
type Piece = SampleArray | OtherArray | Uint8ClampedArray | DataView;

/** Samples that arrive in pieces: a Node or web stream, a Blob or File, or an async generator. */
export type ByteStream =
  | AsyncIterable<Piece>
  | Where<"ReadableStream", ReadableStream<Piece>>
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
