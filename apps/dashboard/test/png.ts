import { randomFillSync } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

function chunk(name: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

/** A PNG of random red, green and blue, which no compression makes smaller, with its pixels. */
export function noisePng(width: number, height: number): { readonly file: Buffer; readonly pixels: Buffer } {
  const rows = Buffer.alloc((3 * width + 1) * height);
  const pixels = randomFillSync(Buffer.alloc(3 * width * height));
  for (let y = 0; y < height; y++)
    pixels.copy(rows, y * (3 * width + 1) + 1, 3 * width * y, 3 * width * (y + 1));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const file = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return { file, pixels };
}
