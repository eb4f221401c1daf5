/**
 * Rec. 601 luma weights over 65,536: 0.299, 0.587 and 0.114 to the nearest integer. They add up to exactly 65,536, so a
 * grey pixel keeps its value.
 */
const RED = 19_595;
const GREEN = 38_470;
const BLUE = 7_471;
const HALF = 32_768;

/**
 * Computes the grey of colour pixels: floor((19595 R + 38470 G + 7471 B + 32768) / 65536), in integers. Ignores alpha.
 * @param pixels interleaved, red first, `channels` samples per pixel
 */
export function greyOf(pixels: Uint8Array | Uint16Array, channels: number): Uint8Array | Uint16Array {
  const grey = new (pixels instanceof Uint16Array ? Uint16Array : Uint8Array)(pixels.length / channels);
  for (let pixel = 0, at = 0; pixel < grey.length; pixel++, at += channels) {
    grey[pixel] = (RED * pixels[at]! + GREEN * pixels[at + 1]! + BLUE * pixels[at + 2]! + HALF) >>> 16;
  }
  return grey;
}
