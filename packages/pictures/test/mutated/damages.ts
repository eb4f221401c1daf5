import type { Format } from "./corpus.ts";
import type { Random } from "./random.ts";

/** Damages a picture's bytes in one way. */
type Damage = (bytes: Uint8Array, random: Random, format: Format) => Uint8Array;

/** The end marker of each format. */
const ENDS: Readonly<Record<Format, Uint8Array>> = {
  PNG: Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82),
  JPEG: Uint8Array.of(0xff, 0xd9),
  GIF: Uint8Array.of(0, 0x3b),
  TIFF: new Uint8Array(8),
  WebP: new Uint8Array(8),
  AVIF: new Uint8Array(8),
};

/** The bytes that identify the format stay. Another test covers files that are no longer pictures. */
const MAGIC_BYTES = 12;

const place = (bytes: Uint8Array, random: Random, length = 1): number =>
  random.whole(MAGIC_BYTES, Math.max(MAGIC_BYTES + 1, bytes.length - length));

const changed = (bytes: Uint8Array, change: (copy: Uint8Array) => void): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  change(copy);
  return copy;
};

/** The length of a part: between one byte and two fifths of the file. */
const share = (bytes: Uint8Array, random: Random): number =>
  1 + Math.floor(0.4 * bytes.length * random.next() ** 3);

export const DAMAGES: Readonly<Record<string, Damage>> = {
  cut: (bytes, random) => bytes.subarray(0, place(bytes, random)),
  "cut, with an end": (bytes, random, format) =>
    Buffer.concat([bytes.subarray(0, place(bytes, random)), ENDS[format]]),
  "cut, filled up with zeros": (bytes, random) =>
    changed(bytes, (copy) => copy.fill(0, place(bytes, random))),
  "zeroed run": (bytes, random) =>
    changed(bytes, (copy) => {
      const length = share(bytes, random);
      const at = place(bytes, random, length);
      copy.fill(0, at, at + length);
    }),
  "flipped bits": (bytes, random) =>
    changed(bytes, (copy) => {
      for (let flips = random.whole(1, 9); flips > 0; flips--) {
        copy[place(bytes, random)]! ^= 1 << random.whole(0, 8);
      }
    }),
  "overwritten block": (bytes, random) =>
    changed(bytes, (copy) => {
      const length = Math.min(share(bytes, random), 512);
      copy.set(random.bytes(length).subarray(0, bytes.length - MAGIC_BYTES), place(bytes, random, length));
    }),
  "swapped blocks": (bytes, random) =>
    changed(bytes, (copy) => {
      const length = Math.min(share(bytes, random), 512);
      const [a, b] = [place(bytes, random, length), place(bytes, random, length)];
      const kept = copy.slice(a, a + length);
      copy.copyWithin(a, b, b + length);
      copy.set(kept.subarray(0, copy.length - b), b);
    }),
  "inserted bytes": (bytes, random) => {
    const at = place(bytes, random);
    return Buffer.concat([bytes.subarray(0, at), random.bytes(random.whole(1, 40)), bytes.subarray(at)]);
  },
  "missing bytes": (bytes, random) => {
    const at = place(bytes, random);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + Math.min(share(bytes, random), 300))]);
  },
};
