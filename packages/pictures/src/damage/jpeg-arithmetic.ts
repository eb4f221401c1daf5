import { complaintOf } from "../decoder.ts";

const SOS = 0xda;
const SOI_BYTES = 2;
/** The places in a frame's segment: the number of its components, and the first one's quantization table. */
const COUNT = 9;
const TABLE = 12;
/** Identifies the added component. Encoders use small numbers. */
const ADDED = 0xee;

/**
 * Describes data that are left over after the last pixel of a sequential, arithmetic-coded JPEG, or returns null. Its
 * decoder stops at the last pixel. But if a frame has a component that the first scan lacks, the decoder reads to the end
 * of the file before it returns pixels, and reports what it skips. So it reads a copy with such a component.
 * @param bytes the JPEG up to its end marker
 * @param frame the place of its frame's marker
 */
export async function arithmeticDamage(bytes: Uint8Array, frame: number): Promise<string | null> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [bytes.subarray(0, SOI_BYTES)];
  let at = SOI_BYTES;
  for (; bytes[at + 1] !== SOS; ) {
    const marker = bytes[at + 1]!;
    const end = marker === 0xff ? at + 1 : at + 2 + view.getUint16(at + 2);
    if (at === frame) parts.push(withComponent(bytes.subarray(at, end)));
    // The decoder prints only its first warning, and what describes the picture may cause one.
    else if (marker < 0xe0) parts.push(bytes.subarray(at, end));
    at = end;
  }
  const told = await complaintOf(Buffer.concat([...parts, bytes.subarray(at)]));
  const left = /(\d+) extraneous bytes before marker/.exec(told ?? "")?.[1];
  return left === undefined ? null : `at least ${left} bytes of its data are left over after its last pixel`;
}

/** Returns a frame's segment with one more component. */
function withComponent(segment: Uint8Array): Uint8Array {
  const more = Buffer.concat([segment, Uint8Array.of(ADDED, 0x11, segment[TABLE]!)]);
  more.writeUInt16BE(more.length - 2, 2);
  more[COUNT]! += 1;
  return more;
}
