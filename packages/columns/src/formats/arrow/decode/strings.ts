/** Receives the string of a row. */
type Put = (row: number, bytes: Uint8Array, start: number, end: number) => void;

const isSet = (bits: Uint8Array | null, row: number): boolean =>
  bits === null || ((bits[row >> 3]! >> (row & 7)) & 1) === 1;

/** Strings one after the other in `bytes`. */
export interface OffsetStrings {
  readonly store: "utf8" | "largeUtf8";
  /** The start of each string, and the end of the last one. */
  readonly offsets: Uint8Array;
  readonly bytes: Uint8Array;
  /** The offset of the first byte of `bytes`. */
  readonly base: number;
}

/** Reads strings by their offsets. */
export function readStrings(
  { store, offsets, bytes, base }: OffsetStrings,
  rows: number,
  bits: Uint8Array | null,
  put: Put,
): void {
  if (rows === 0) return;
  const size = store === "utf8" ? 4 : 8;
  if (offsets.length < size * (rows + 1))
    throw new Error(`its offsets take ${offsets.length} bytes instead of ${size * (rows + 1)}`);
  const view = new DataView(offsets.buffer, offsets.byteOffset, offsets.byteLength);
  const offsetAt = (i: number) =>
    (size === 4 ? view.getInt32(4 * i, true) : Number(view.getBigInt64(8 * i, true))) - base;
  let start = offsetAt(0);
  for (let i = 0; i < rows; i++) {
    const end = offsetAt(i + 1);
    if (!(start >= 0 && start <= end && end <= bytes.length))
      throw new Error(`the string of row ${i} lies outside its bytes`);
    if (isSet(bits, i)) put(i, bytes, start, end);
    start = end;
  }
}

/** Bytes of a view, and of a string that lies in it. */
const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/** Reads strings by their views: a length, then the string itself, or its place in one of the buffers. */
export function readViews(
  views: Uint8Array,
  data: readonly Uint8Array[],
  rows: number,
  bits: Uint8Array | null,
  put: Put,
): void {
  if (views.length < VIEW_BYTES * rows)
    throw new Error(`its views take ${views.length} bytes instead of ${VIEW_BYTES * rows}`);
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
  for (let i = 0; i < rows; i++) {
    if (!isSet(bits, i)) continue;
    const at = VIEW_BYTES * i;
    const length = view.getInt32(at, true);
    if (length >= 0 && length <= INLINE_BYTES) {
      put(i, views, at + 4, at + 4 + length);
      continue;
    }
    const buffer = data[view.getInt32(at + 8, true)];
    const start = view.getInt32(at + 12, true);
    if (length < 0 || buffer === undefined || start < 0 || start + length > buffer.length) {
      throw new Error(`the string of row ${i} lies outside its bytes`);
    }
    put(i, buffer, start, start + length);
  }
}
