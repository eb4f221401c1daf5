import { expect, test } from "vitest";
import { HEAD_BYTES, namedPicture, pictureFormat, promisedPicture } from "../src/formats.ts";
import { corpus, FORMATS } from "./mutated/corpus.ts";

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test("every picture of the corpus is recognised by its first bytes, and not by fewer than needed", async () => {
  const known = new Set<string>();
  for (const { format, variant, bytes } of await corpus()) {
    const found = pictureFormat(bytes.subarray(0, HEAD_BYTES));
    expect(found, variant).toMatchObject({ decodable: true });
    expect([format, `Big${format}`], variant).toContain(found!.name);
    expect(pictureFormat(bytes.subarray(0, 2)), variant).toBeNull();
    known.add(format);
  }
  expect([...known].sort()).toEqual([...FORMATS].sort());
});

test.for([
  ["BMP", "BM\x7a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"],
  ["Netpbm", "P5\n2 2\n255\n"],
  ["Netpbm", "P6 # a comment\n2 2 255\n"],
  ["Netpbm", "P7\nWIDTH 2\n"],
  ["Photoshop", "8BPS\0\x01"],
  ["JPEG 2000", "\0\0\0\x0cjP  \r\n\x87\n"],
  ["JPEG 2000", "\xff\x4f\xff\x51"],
  ["JPEG XL", "\0\0\0\x0cJXL \r\n\x87\n"],
  ["OpenEXR", "\x76\x2f\x31\x01"],
  ["Radiance", "#?RADIANCE\n"],
  ["QOI", "qoif\0\0\0\x02"],
  ["DDS", "DDS \x7c\0\0\0"],
] as const)("%s is known, and not decoded", ([name, head]) => {
  expect(pictureFormat(ascii(head))).toEqual({ name, decodable: false });
});

test.for(["", "BM", "BMW cars, and others", "P5", "P8\n2 2\n", "PNG", "RIFF\0\0\0\0WAVE", "\x89PNG"])(
  "%j is no picture",
  (head) => {
    expect(pictureFormat(ascii(head))).toBeNull();
  },
);

test("file extensions of each format", () => {
  expect(["png", "jfif", "tiff", "exr", "txt", "", "constructor"].map(promisedPicture)).toEqual([
    "a PNG picture",
    "a JPEG picture",
    "a TIFF picture",
    "a OpenEXR picture",
    null,
    null,
    null,
  ]);
  expect(["svg", "ico", "nef", "png", "constructor"].map(namedPicture)).toEqual([
    "an SVG",
    "an icon",
    "a camera's raw picture",
    null,
    null,
  ]);
});
