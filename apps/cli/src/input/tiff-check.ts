const PHOTOMETRIC = 262;
const WHITE_IS_ZERO = 0;
const EXTRA_SAMPLES = 338;
/** The kind of extra sample that has been multiplied into the colours. */
const ASSOCIATED_ALPHA = 1;

/** Where the parts of a directory lie: classic TIFF has 32-bit offsets, BigTIFF 64-bit ones. */
const CLASSIC = { first: 4, count: 2, entry: 12, value: 8 };
const BIG = { first: 8, count: 8, entry: 20, value: 12 };
const BIG_VERSION = 43;

/** Types of a value, by their numbers. */
const BYTE = 1;
const LONG = 4;

/**
 * Has the first page of this TIFF colours multiplied by their alpha? Decoders divide them again, which cannot
 * bring back the stored values. False for what cannot be read: the decoder will say so.
 */
export function hasAssociatedAlpha(bytes: Uint8Array): boolean {
  // Alpha is the first of the extra samples.
  return tagOf(bytes, EXTRA_SAMPLES) === ASSOCIATED_ALPHA;
}

/** Is 0 white in the first page of this TIFF? Decoders turn its grey round, so that 0 is black. */
export function isWhiteZero(bytes: Uint8Array): boolean {
  return tagOf(bytes, PHOTOMETRIC) === WHITE_IS_ZERO;
}

/** The first value of a tag whose few small values stand in the entry itself; null where there is none. */
function tagOf(bytes: Uint8Array, tag: number): number | null {
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
      if (view.getUint16(at, little) !== tag) continue;
      const type = view.getUint16(at + 2, little);
      if (type === BYTE) return view.getUint8(at + layout.value);
      if (type === LONG) return view.getUint32(at + layout.value, little);
      return view.getUint16(at + layout.value, little);
    }
    return null;
  } catch {
    return null;
  }
}
