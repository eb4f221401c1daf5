/** What the first bytes of a file say it is. */
export interface PictureFormat {
  /** As people call it. */
  readonly name: string;
  /** Can it be decoded here? */
  readonly decodable: boolean;
}

/** Bytes that `pictureFormat` wants to see. */
export const MAGIC_BYTES = 32;

type Test = (head: Uint8Array) => boolean;

const ascii = (head: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...head.subarray(from, Math.min(to, head.length)));
const starts =
  (...bytes: number[]): Test =>
  (head) =>
    head.length >= bytes.length && bytes.every((byte, i) => head[i] === byte);
const says =
  (text: string, at = 0): Test =>
  (head) =>
    ascii(head, at, at + text.length) === text;
const brand =
  (...names: string[]): Test =>
  (head) =>
    says("ftyp", 4)(head) && names.includes(ascii(head, 8, 12));

/** The header of a bitmap follows its two letters; two letters alone would claim any text that begins so. */
const bitmap: Test = (head) =>
  says("BM")(head) &&
  starts(0, 0, 0, 0)(head.subarray(6)) &&
  [12, 40, 52, 56, 64, 108, 124].includes(head[14]!);

const FORMATS: readonly (readonly [string, boolean, Test])[] = [
  ["PNG", true, starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ["JPEG", true, starts(0xff, 0xd8, 0xff)],
  ["TIFF", true, starts(0x49, 0x49, 0x2a, 0x00)],
  ["TIFF", true, starts(0x4d, 0x4d, 0x00, 0x2a)],
  ["BigTIFF", true, starts(0x49, 0x49, 0x2b, 0x00)],
  ["BigTIFF", true, starts(0x4d, 0x4d, 0x00, 0x2b)],
  ["WebP", true, (head) => says("RIFF")(head) && says("WEBP", 8)(head)],
  ["GIF", true, (head) => says("GIF87a")(head) || says("GIF89a")(head)],
  ["AVIF", true, brand("avif", "avis")],
  ["HEIF", true, brand("heic", "heix", "hevc", "heim", "heis", "mif1", "msf1")],
  ["BMP", false, bitmap],
  ["Photoshop", false, says("8BPS")],
  ["JPEG 2000", false, starts(0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a)],
  ["JPEG 2000", false, starts(0xff, 0x4f, 0xff, 0x51)],
  ["JPEG XL", false, starts(0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a)],
  ["OpenEXR", false, starts(0x76, 0x2f, 0x31, 0x01)],
  ["Radiance", false, says("#?RADIANCE")],
  ["QOI", false, says("qoif")],
  ["DDS", false, says("DDS ")],
];

/** The picture format that a file's first bytes announce; null for what is not known as a picture. */
export function pictureFormat(head: Uint8Array): PictureFormat | null {
  const found = FORMATS.find(([, , test]) => test(head));
  return found === undefined ? null : { name: found[0], decodable: found[1] };
}
