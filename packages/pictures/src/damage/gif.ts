import { lzwPixels } from "./gif-lzw.ts";

const SCREEN_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
/** Some writers end the blocks of data twice. */
const STRAY = 0x00;
const IMAGE_BYTES = 10;
const HAS_PALETTE = 0x80;

/**
 * Describes what is missing or damaged in a GIF, or returns null if it is whole. Its decoder leaves pixels empty if
 * their data are missing.
 */
export function gifDamage(bytes: Uint8Array): string | null {
  const early = "it ends before its trailer";
  let frames = 0;
  for (let at = SCREEN_BYTES + paletteBytes(bytes[10] ?? 0); ; ) {
    const kind = bytes[at];
    if (kind === undefined) return early;
    if (kind === TRAILER) return frames > 0 ? null : "it has no frame";
    if (kind === EXTENSION) at = behindBlocks(bytes, at + 2);
    else if (kind === IMAGE) {
      const data = at + IMAGE_BYTES + paletteBytes(bytes[at + 9] ?? 0);
      const next = behindBlocks(bytes, data + 1);
      if (next > bytes.length) return early;
      const pixels = (bytes[at + 5]! | (bytes[at + 6]! << 8)) * (bytes[at + 7]! | (bytes[at + 8]! << 8));
      const damage = frameDamage(bytes, data, pixels);
      if (damage !== null) return `frame ${frames}: ${damage}`;
      frames += 1;
      at = next;
    } else if (kind === STRAY && bytes[at + 1] !== STRAY) at += 1;
    else return "bytes between its blocks belong to none of them";
  }
}

function frameDamage(bytes: Uint8Array, data: number, pixels: number): string | null {
  const found = lzwPixels(joined(bytes, data + 1), bytes[data]!, pixels);
  if (found === null) return "its data contain an undefined code";
  if (found < pixels) return `its data end early: ${found} of ${pixels} pixels`;
  return found === pixels ? null : "its data contain more pixels than the frame has";
}

function paletteBytes(flags: number): number {
  return flags & HAS_PALETTE ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Returns the place after a chain of blocks and its end. If the file ends earlier, the place is past the file. */
function behindBlocks(bytes: Uint8Array, at: number): number {
  while (bytes[at] !== 0) {
    if (at >= bytes.length) return bytes.length + 1;
    at += 1 + bytes[at]!;
  }
  return at + 1;
}

function joined(bytes: Uint8Array, at: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (; bytes[at] !== 0; at += 1 + bytes[at]!) parts.push(bytes.subarray(at + 1, at + 1 + bytes[at]!));
  return Buffer.concat(parts);
}
