/** Tests of a file's first bytes. */

/** The number of bytes that the tests need. The farthest mark, HDF5's after a user block, ends at 520. */
export const HEAD_BYTES = 520;

/** Tests whether the first bytes match a format. */
export type Test = (head: Uint8Array) => boolean;

/** Returns a view of the bytes as numbers. */
export const numbers = (head: Uint8Array): DataView =>
  new DataView(head.buffer, head.byteOffset, head.byteLength);

/** Returns the bytes of a part as text, or fewer if the file is shorter. */
export const ascii = (head: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...head.subarray(from, Math.min(to, head.length)));

/** Tests for these first bytes. */
export const starts =
  (...bytes: number[]): Test =>
  (head) =>
    head.length >= bytes.length && bytes.every((byte, i) => head[i] === byte);

/** Tests for a text at a place. */
export const says =
  (text: string, at = 0): Test =>
  (head) =>
    ascii(head, at, at + text.length) === text;
