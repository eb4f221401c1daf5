const EXTRA_SAMPLES = 338;
/** The kind of extra sample that has been multiplied into the colours. */
const ASSOCIATED_ALPHA = 1;

/** Where the parts of a directory lie: classic TIFF has 32-bit offsets, BigTIFF 64-bit ones. */
const CLASSIC = { first: 4, count: 2, entry: 12, value: 8 };
const BIG = { first: 8, count: 8, entry: 20, value: 12 };
const BIG_VERSION = 43;

/**
 * Has the first page of this TIFF colours multiplied by their alpha? Decoders divide them again, which cannot
 * bring back the stored values. False for what cannot be read: the decoder will say so.
 */
export function hasAssociatedAlpha(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  try {
    const big = view.getUint16(2, little) === BIG_VERSION;
    const layout = big ? BIG : CLASSIC;
    const offset = (at: number) => (big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little));
    const directory = offset(layout.first);
    const entries = big ? offset(directory) : view.getUint16(directory, little);
    for (let i = 0; i < entries; i++) {
      const at = directory + layout.count + i * layout.entry;
      // Up to two (BigTIFF: four) kinds of 16 bits stand in the entry itself; alpha is the first of them.
      if (view.getUint16(at, little) === EXTRA_SAMPLES) {
        return view.getUint16(at + layout.value, little) === ASSOCIATED_ALPHA;
      }
    }
    return false;
  } catch {
    return false;
  }
}
