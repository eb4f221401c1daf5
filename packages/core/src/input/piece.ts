/** Allocates a piece of a stream or a file, in shared memory if it is available: a worker pool counts it in place. */
export function newPiece(bytes: number): Uint8Array {
  return new Uint8Array(
    typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes),
  );
}
