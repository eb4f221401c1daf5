/** Tests of a file's first bytes. */

/** As many of them as the tests want to see: the farthest mark, that of HDF5 behind a user block, ends at 520. */
export const HEAD_BYTES = 520;

/** Do the first bytes look like this format's? */
export type Test = (head: Uint8Array) => boolean;

/** A view of them as numbers. */
export const numbers = (head: Uint8Array): DataView =>
  new DataView(head.buffer, head.byteOffset, head.byteLength);

/** The bytes of a part as text; less where the file is shorter. */
export const ascii = (head: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...head.subarray(from, Math.min(to, head.length)));

/** Are these the first bytes? */
export const starts =
  (...bytes: number[]): Test =>
  (head) =>
    head.length >= bytes.length && bytes.every((byte, i) => head[i] === byte);

/** Does this text stand there? */
export const says =
  (text: string, at = 0): Test =>
  (head) =>
    ascii(head, at, at + text.length) === text;
