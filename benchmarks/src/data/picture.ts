import { existsSync, readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";

/** Pixels of three interleaved bytes. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Places of the command's sample picture: next to this program in a bundle, or in the checkout. */
const PLACES = ["./evening.png", "../../../apps/cli/sample/evening.png"];

let sample: Picture | undefined;

/** Decodes the committed sample picture. */
export function samplePicture(): Picture {
  if (sample !== undefined) return sample;
  const urls = PLACES.map((place) => new URL(place, import.meta.url));
  const found = urls.find((url) => existsSync(url));
  if (found === undefined)
    throw new Error(`expected the sample picture in ${urls.join(" or ")} but it does not exist`);
  sample = decodePng(readFileSync(found));
  return sample;
}

/** Extracts one plane of a picture (0 red, 1 green, 2 blue), which replaces a black and white picture. */
export function planeOf({ rgb, width, height }: Picture, channel: number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, i) => rgb[i * 3 + channel]!);
}

/** Makes RGBA bytes of a picture, with the same alpha everywhere. */
export function rgbaOf({ rgb, width, height }: Picture, alpha: number): Uint8Array {
  return Uint8Array.from({ length: width * height * 4 }, (_, i) =>
    i % 4 === 3 ? alpha : rgb[(i >> 2) * 3 + (i % 4)]!,
  );
}

/** Tiles a picture to a square of `side` pixels, as the papers do for their sizes. */
export function tiled(
  pixels: Uint8Array,
  { width, height }: Pick<Picture, "width" | "height">,
  side: number,
): Uint8Array {
  const bytes = pixels.length / (width * height);
  const out = new Uint8Array(side * side * bytes);
  for (let y = 0; y < side; y++) {
    const row = pixels.subarray((y % height) * width * bytes, ((y % height) + 1) * width * bytes);
    for (let x = 0; x < side; x += width) {
      out.set(row.subarray(0, Math.min(width, side - x) * bytes), (y * side + x) * bytes);
    }
  }
  return out;
}

const SIGNATURE = 8;
const RGB = 2;

/** Decodes a PNG of 8-bit RGB without interlacing. Benchmarks need no other kind, and no decoder's package. */
function decodePng(file: Uint8Array): Picture {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const parts: Uint8Array[] = [];
  let [width, height] = [0, 0];
  for (let at = SIGNATURE; at < file.length; at += view.getUint32(at) + 12) {
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const body = file.subarray(at + 8, at + 8 + view.getUint32(at));
    if (name === "IDAT") parts.push(body);
    if (name !== "IHDR") continue;
    [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (body[8] !== 8 || body[9] !== RGB || body[12] !== 0) throw new Error("expected a PNG of 8-bit RGB");
  }
  return { width, height, rgb: unfiltered(inflateSync(Buffer.concat(parts)), width * 3, height) };
}

/** Reverses the filter of each row, which stores each byte as a difference from a prediction (PNG specification, section 9). */
function unfiltered(rows: Uint8Array, rowBytes: number, height: number): Uint8Array {
  const out = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (rowBytes + 1)]!;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x < 3 ? 0 : out[at - 3]!;
      const up = y === 0 ? 0 : out[at - rowBytes]!;
      const corner = x < 3 || y === 0 ? 0 : out[at - rowBytes - 3]!;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
      out[at] = rows[y * (rowBytes + 1) + 1 + x]! + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
  if (toLeft! <= toUp! && toLeft! <= toCorner!) return left;
  return toUp! <= toCorner! ? up : corner;
}
