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

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const GREY = 0;
const RGB = 2;

/** xorshift32: the same numbers everywhere. */
function generator(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

const mix = (a, b, part, whole) => Math.floor((a * (whole - part) + b * part) / whole);
const mixColour = (a, b, part, whole) => a.map((value, i) => mix(value, b[i], part, whole));
const clamp = (value, most) => Math.min(Math.max(value, 0), most);

/** Heights of a ridge by midpoint displacement, `width` of them. */
function ridge(width, base, roughness, next) {
  let points = [base, base];
  for (let spread = roughness; points.length < width; spread = Math.floor((spread * 5) / 9)) {
    const finer = [];
    for (let i = 0; i + 1 < points.length; i++) {
      const shift = spread > 0 ? (next() % (2 * spread + 1)) - spread : 0;
      finer.push(points[i], Math.floor((points[i] + points[i + 1]) / 2) + shift);
    }
    points = [...finer, points.at(-1)];
  }
  return points.slice(0, width);
}

/** An evening over three ranges of hills: a smooth sky, a white-hot sun, dark flat hills, a lake with its glitter. */
function evening() {
  const [width, height] = [640, 480];
  const next = generator(0x9e3779b9);
  const pixels = Buffer.alloc(width * height * 3);
  const shore = 380;
  const sun = { x: 430, y: 235, radius: 46 };
  const hills = [
    { top: ridge(width, 290, 90, next), colour: [112, 92, 128] },
    { top: ridge(width, 325, 70, next), colour: [72, 60, 92] },
    { top: ridge(width, 358, 40, next), colour: [34, 30, 46] },
  ];
  const sky = (y) =>
    y < 190
      ? mixColour([28, 44, 104], [206, 118, 110], y, 190)
      : mixColour([206, 118, 110], [255, 204, 120], Math.min(y - 190, 150), 150);

  const scene = (x, y) => {
    const hill = hills.findLast(({ top }) => y >= top[x]);
    if (hill !== undefined) return hill.colour;
    const distance = (x - sun.x) ** 2 + (y - sun.y) ** 2;
    if (distance <= sun.radius ** 2) return [255, 250, 226];
    const glow = 170 ** 2;
    return distance < glow
      ? mixColour([255, 226, 150], sky(y), Math.floor(Math.sqrt(distance)), 170)
      : sky(y);
  };

  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let colour;
      if (y < shore) {
        colour = scene(x, y);
      } else {
        // The lake mirrors what is above it, darker, and glitters below the sun.
        const depth = y - shore;
        const sway = ((next() >>> 8) % (1 + (depth >> 3))) - (depth >> 4);
        colour = mixColour(scene(clamp(x + sway, width - 1), shore - 1 - depth * 3), [14, 26, 52], 55, 100);
        const beam = 18 + depth;
        if (Math.abs(x - sun.x) < beam && (next() >>> 4) % 7 === 0) colour = [255, 232, 178];
      }
      // Film grain, a little more in the blue: without it flat areas would be single spikes.
      for (let channel = 0; channel < 3; channel++) {
        const grain = [-1, 0, 0, 0, 0, 1][(next() >>> 5) % 6] * (channel === 2 ? 2 : 1);
        pixels[(y * width + x) * 3 + channel] = clamp(colour[channel] + grain, 255);
      }
    }
  }
  return { width, height, bits: 8, colour: RGB, pixels };
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
  ["./evening.png", evening],
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
