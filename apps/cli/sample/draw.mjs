// Draws the pictures that are committed beside the command: the sample that the demonstration bins, and a small
// 16-bit grey one for the tests. Integer arithmetic and a fixed generator only, and a PNG writer of our own, so that
// every machine draws the same pixels.
//
//   node sample/draw.mjs          writes the files
//   node sample/draw.mjs --check  compares them, pixel by pixel, and exits with 1 if one differs
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, crc32, deflateSync, inflateSync } from "node:zlib";
import { evening, generator } from "../../dashboard/src/try/samples/evening.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const GREY = 0;
const RGB = 2;

/** The sample that the demonstration bins. The playground draws it, too. */
function sample() {
  const { width, height, pixels } = evening();
  return { width, height, bits: 8, colour: RGB, pixels: Buffer.from(pixels.buffer) };
}

/** 16-bit grey: a ramp whose low bytes matter, a flat patch, and both ends of the range. */
function deepGrey() {
  const [width, height] = [64, 48];
  const pixels = Buffer.alloc(width * height * 2);
  const next = generator(0x51f15e);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let value = (y * width + x) * 21 + (next() % 16);
      if (x < 8 && y < 8) value = 0;
      if (x >= 56 && y >= 40) value = 65_535;
      if (x >= 24 && x < 40 && y >= 16 && y < 32) value = 257;
      pixels.writeUInt16BE(value, (y * width + x) * 2);
    }
  }
  return { width, height, bits: 16, colour: GREY, pixels };
}

/** The rows of a picture as PNG stores them, each filtered by the way that leaves the smallest numbers. */
function filtered({ width, height, bits, colour, pixels }) {
  const size = ((colour === RGB ? 3 : 1) * bits) / 8;
  const row = width * size;
  const out = Buffer.alloc((row + 1) * height);
  const at = (x, y) => (x < 0 || y < 0 ? 0 : pixels[y * row + x]);
  const paeth = (a, b, c) => {
    const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
  };
  for (let y = 0; y < height; y++) {
    let best = null;
    for (const kind of [0, 1, 2, 4]) {
      const line = Buffer.alloc(row + 1, kind);
      let sum = 0;
      for (let x = 0; x < row; x++) {
        const [a, b, c] = [at(x - size, y), at(x, y - 1), x < size ? 0 : at(x - size, y - 1)];
        const guess = [0, a, b, 0, paeth(a, b, c)][kind];
        line[x + 1] = at(x, y) - guess;
        sum += Math.min(line[x + 1], 256 - line[x + 1]);
      }
      if (best === null || sum < best.sum) best = { sum, line };
    }
    best.line.copy(out, y * (row + 1));
  }
  return out;
}

function chunk(name, body) {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function header({ width, height, bits, colour }) {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width, 0);
  body.writeUInt32BE(height, 4);
  body[8] = bits;
  body[9] = colour;
  return body;
}

function png(picture, rows) {
  const data = deflateSync(rows, { level: 9, strategy: constants.Z_FILTERED });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header(picture)),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Do these PNGs hold the same header and rows? How zlib packed them may differ from version to version. */
function same(file, picture, rows) {
  const found = {};
  for (let at = SIGNATURE.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    found[file.toString("latin1", at + 4, at + 8)] = file.subarray(at + 8, at + 8 + length);
    at += length + 12;
  }
  return header(picture).equals(found.IHDR) && rows.equals(inflateSync(found.IDAT));
}

const pictures = [
  ["./evening.png", sample],
  ["../test/fixtures/grey16.png", deepGrey],
];

for (const [path, draw] of pictures) {
  const file = fileURLToPath(new URL(path, import.meta.url));
  const picture = draw();
  const rows = filtered(picture);
  if (process.argv.includes("--check")) {
    if (same(readFileSync(file), picture, rows)) continue;
    console.error(`${file} is not what sample/draw.mjs draws`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, png(picture, rows));
  }
}
