import { crc32, deflateSync } from "node:zlib";

/** Adds data to pictures that encoders rarely write and that damage nothing. */

/** A chunk of a PNG. */
export function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(name, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), 8 + data.length);
  return bytes;
}

const BEHIND_IHDR = 33;

/** Inserts chunks after a PNG's first chunk. */
export function withChunks(png: Uint8Array, chunks: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([png.subarray(0, BEHIND_IHDR), ...chunks, png.subarray(BEHIND_IHDR)]);
}

/** An animation of two frames: the picture of a PNG of 8-bit RGB, and one of these pixels. */
export function withAnimation(png: Uint8Array, pixels: Uint8Array): Uint8Array {
  const view = new DataView(png.buffer, png.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const control = (number: number) => {
    const data = Buffer.alloc(26);
    data.writeUInt32BE(number);
    data.writeUInt32BE(width, 4);
    data.writeUInt32BE(height, 8);
    data.writeUInt16BE(1, 20);
    data.writeUInt16BE(10, 22);
    return chunk("fcTL", data);
  };
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), pixels.subarray(3 * width * y, 3 * width * (y + 1))]),
  );
  const second = chunk("fdAT", Buffer.concat([Buffer.of(0, 0, 0, 2), deflateSync(Buffer.concat(rows))]));
  const head = withChunks(png, [chunk("acTL", Buffer.of(0, 0, 0, 2, 0, 0, 0, 0)), control(0)]);
  return Buffer.concat([head.subarray(0, -12), control(1), second, head.subarray(-12)]);
}

/** A segment of a JPEG. */
export function jpegSegment(marker: number, data: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff), data]);
}

/** Inserts segments after a JPEG's first two bytes and its JFIF segment. */
export function withSegments(jpeg: Uint8Array, segments: readonly Uint8Array[]): Uint8Array {
  const behind = 4 + ((jpeg[4]! << 8) | jpeg[5]!);
  return Buffer.concat([jpeg.subarray(0, behind), ...segments, jpeg.subarray(behind)]);
}

/**
 * A little-endian TIFF with tags that are unknown to its reader, have a wrong type, or have odd values. A new directory
 * is written at the end.
 */
export function withTags(tiff: Uint8Array): Uint8Array {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const at = view.getUint32(4, true);
  const count = view.getUint16(at, true);
  const entries = Array.from({ length: count }, (_, i) => tiff.slice(at + 2 + 12 * i, at + 14 + 12 * i));
  const entry = (tag: number, type: number, values: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(values, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  // Make without its null byte, a date of a wrong length, and private tags inside and outside GDAL's range.
  const odd = [
    entry(271, 2, 4, 0x41414141),
    entry(306, 2, 4, 0x00333231),
    entry(42_112, 2, 4, 0x00414141),
    entry(50_999, 7, 4, 1),
    entry(65_000, 4, 1, 7),
  ];
  const taken = new Set(odd.map((bytes) => bytes.readUInt16LE()));
  const tagOf = (bytes: Uint8Array) => bytes[0]! | (bytes[1]! << 8);
  const all = [...entries.filter((bytes) => !taken.has(tagOf(bytes))), ...odd].sort(
    (a, b) => tagOf(a) - tagOf(b),
  );
  const directory = Buffer.concat([Buffer.of(all.length, 0), ...all, Buffer.alloc(4)]);
  const padded = Buffer.concat([tiff, Buffer.alloc(tiff.length & 1)]);
  padded.writeUInt32LE(padded.length, 4);
  return Buffer.concat([padded, directory]);
}
