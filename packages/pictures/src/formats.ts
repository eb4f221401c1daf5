/** Recognizes pictures by the first bytes of a file. The tests also serve formats that are no pictures. */
import { ascii, says, starts, type Test } from "./head.ts";

export { ascii, HEAD_BYTES, numbers, says, starts, type Test } from "./head.ts";

/** A file's format according to its first bytes. */
export interface PictureFormat {
  /** Its common name. */
  readonly name: string;
  /** Whether polybin can decode it. */
  readonly decodable: boolean;
}

/** A format, whether polybin can decode it, its file name extensions, and the test of its first bytes. */
type Row = readonly [string, boolean, readonly string[], Test];

/** A bitmap's header follows its two letters. The two letters alone would match any text that begins with them. */
const bitmap: Test = (head) =>
  says("BM")(head) &&
  starts(0, 0, 0, 0)(head.subarray(6)) &&
  [12, 40, 52, 56, 64, 108, 124].includes(head[14]!);

/** The letter P and a digit, a blank, and the width or a comment. */
const netpbm: Test = (head) => /^P[1-7]\s+[\d#]/.test(ascii(head, 0, 16)) || says("P7\n")(head);

const brand =
  (...names: string[]): Test =>
  (head) =>
    says("ftyp", 4)(head) && names.includes(ascii(head, 8, 12));

const TIFF_NAMES = ["tif", "tiff"];
const JPEG_2000_NAMES = ["jp2", "j2k", "jpf", "jpx"];

const FORMATS: readonly Row[] = [
  ["PNG", true, ["png", "apng"], starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ["JPEG", true, ["jpg", "jpeg", "jpe", "jfif"], starts(0xff, 0xd8, 0xff)],
  ["TIFF", true, TIFF_NAMES, starts(0x49, 0x49, 0x2a, 0x00)],
  ["TIFF", true, TIFF_NAMES, starts(0x4d, 0x4d, 0x00, 0x2a)],
  ["BigTIFF", true, TIFF_NAMES, starts(0x49, 0x49, 0x2b, 0x00)],
  ["BigTIFF", true, TIFF_NAMES, starts(0x4d, 0x4d, 0x00, 0x2b)],
  ["WebP", true, ["webp"], (head) => says("RIFF")(head) && says("WEBP", 8)(head)],
  ["GIF", true, ["gif"], (head) => says("GIF87a")(head) || says("GIF89a")(head)],
  ["AVIF", true, ["avif"], brand("avif")],
  ["AVIF sequence", false, ["avifs"], brand("avis")],
  ["HEIF", true, ["heif", "heic"], brand("heic", "heix", "hevc", "heim", "heis", "mif1", "msf1")],
  ["BMP", false, ["bmp"], bitmap],
  ["Netpbm", false, ["pbm", "pgm", "ppm", "pnm", "pam"], netpbm],
  ["Photoshop", false, ["psd", "psb"], says("8BPS")],
  [
    "JPEG 2000",
    false,
    JPEG_2000_NAMES,
    starts(0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a),
  ],
  ["JPEG 2000", false, JPEG_2000_NAMES, starts(0xff, 0x4f, 0xff, 0x51)],
  ["JPEG XL", false, ["jxl"], starts(0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a)],
  ["OpenEXR", false, ["exr"], starts(0x76, 0x2f, 0x31, 0x01)],
  ["Radiance", false, ["hdr"], says("#?RADIANCE")],
  ["QOI", false, ["qoi"], says("qoif")],
  ["DDS", false, ["dds"], says("DDS ")],
];

/** The formats that polybin can decode. */
export const DECODABLE: readonly string[] = [
  ...new Set(FORMATS.flatMap(([name, decodable]) => (decodable ? [name] : []))),
];

/** Pictures that their first bytes do not identify, by their file name extensions. */
const NAMED: Readonly<Record<string, string>> = {
  svg: "an SVG",
  svgz: "an SVG",
  ico: "an icon",
  cur: "an icon",
  tga: "a Targa picture",
  dng: "a camera's raw picture",
  cr2: "a camera's raw picture",
  cr3: "a camera's raw picture",
  nef: "a camera's raw picture",
  arw: "a camera's raw picture",
};

/** Returns the picture format that a file's first bytes announce, or null. */
export function pictureFormat(head: Uint8Array): PictureFormat | null {
  const found = FORMATS.find(([, , , test]) => test(head));
  return found === undefined ? null : { name: found[0], decodable: found[1] };
}

/**
 * Returns the picture format that a file name extension promises, with its article, or null. The extension is in lower
 * case and without its dot.
 */
export function promisedPicture(extension: string): string | null {
  const found = FORMATS.find(([, , extensions]) => extensions.includes(extension));
  return found === undefined ? null : `a ${found[0]} picture`;
}

/** Returns a picture that only its file name extension identifies, with its article, or null. */
export function namedPicture(extension: string): string | null {
  return Object.hasOwn(NAMED, extension) ? NAMED[extension]! : null;
}
