import { type Segments, segmentsIn } from "@polybin/core/backend";
import { expect, it } from "vitest";
import { CUTS } from "../src/kernels/index.ts";
import { type CutChunk, cutChunk, evenParts, type Pixels } from "../src/run/dispatch/cut-chunk.ts";

// Interprets the description of a chunk's segments as parts.wgsl does. Over all chunks, each pixel of each segment must
// be counted once, and a row without addition must belong to one chunk.

const WIDTH = 37;
const HEIGHT = 29;
const PIXELS = WIDTH * HEIGHT;

const every = (each: number): Segments => ({
  kind: "every",
  every: each,
  count: Math.ceil(PIXELS / each),
  longest: Math.min(each, PIXELS),
  pixels: PIXELS,
});
const tiles = (width: number, height: number): Segments => ({
  kind: "tiles",
  ...{ width, height, imageWidth: WIDTH, imageHeight: HEIGHT, pixels: PIXELS },
  columns: Math.ceil(WIDTH / width),
  rows: Math.ceil(HEIGHT / height),
  count: Math.ceil(WIDTH / width) * Math.ceil(HEIGHT / height),
  longest: Math.min(width, WIDTH) * Math.min(height, HEIGHT),
});
const OFFSETS = Float64Array.of(0, 0, 3, 100, 100, 100, 640, 900, 1000);

const HOW: readonly (readonly [string, Segments])[] = [
  ...[1, 10, 64, 700, 5000].map((each) => [`every ${each}`, every(each)] as const),
  ["offsets", { kind: "offsets", offsets: OFFSETS, count: 8, longest: 540, pixels: PIXELS }],
  ["tiles", tiles(8, 8)],
  ["tiles as wide as the picture", tiles(37, 3)],
  ["one tile", tiles(50, 50)],
];

/** The pixels of each row as the kernel counts them, and the number of parts of each row. */
function counted(cut: CutChunk, { begin, end }: Pixels, partSamples: number): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  const add = (row: number, pixels: readonly number[]) => {
    rows.set(row, [...(rows.get(row) ?? []), ...pixels.map((pixel) => pixel + begin)]);
    for (const pixel of pixels) expect(pixel).toSatisfy((at: number) => at >= 0 && at < end - begin);
  };
  for (let i = 0; i < cut.listed.length; i += 3) {
    const [row, first, count] = cut.listed.slice(i, i + 3) as [number, number, number];
    add(
      row,
      Array.from({ length: count }, (_, at) => first + at),
    );
  }
  const { whole } = cut;
  for (let number = 0; number < (whole?.parts ?? 0); number++) {
    const of = whole!;
    const segment = Math.floor(number / of.partsEach);
    const pixels: number[] = [];
    if (of.cut === CUTS.tiles) {
      const tile = of.firstTile + segment;
      const x = (tile % of.columns) * of.width;
      const y = Math.floor(tile / of.columns) * of.height;
      for (let down = y; down < Math.min(of.imageHeight, y + of.height); down++)
        for (let across = x; across < Math.min(of.imageWidth, x + of.width); across++)
          pixels.push(of.start + down * of.imageWidth + across);
    } else {
      const start = of.start + segment * of.every;
      for (let at = start; at < Math.min(end - begin, start + of.every); at++) pixels.push(at);
    }
    const part = number % of.partsEach;
    add(of.firstRow + segment, pixels.slice(part * partSamples, (part + 1) * partSamples));
  }
  return rows;
}

function pixelsOf(of: Segments, segment: number): number[] {
  return Array.from({ length: PIXELS }, (_, pixel) => pixel).filter((pixel) => {
    if (of.kind === "every") return Math.floor(pixel / of.every) === segment;
    if (of.kind === "offsets") return pixel >= of.offsets[segment]! && pixel < of.offsets[segment + 1]!;
    const column = Math.floor((pixel % WIDTH) / of.width);
    return Math.floor(Math.floor(pixel / WIDTH) / of.height) * of.columns + column === segment;
  });
}

it.each(HOW)("%s", (_, of) => {
  const wanted = Array.from({ length: of.count }, (_, segment) => pixelsOf(of, segment));
  for (const chunkPixels of [PIXELS, 640, 256]) {
    for (const [partSamples, rangeSegments] of [
      [1000, 1000],
      [48, 7],
    ] as const) {
      const found: number[][] = wanted.map(() => []);
      const parts = wanted.map(() => 0);
      for (let begin = 0; begin < PIXELS; begin += chunkPixels) {
        const chunk = { begin, end: Math.min(PIXELS, begin + chunkPixels) };
        const range = segmentsIn(of, chunk.begin, chunk.end);
        if (begin === 0) expect(range.first).toBe(0);
        if (chunk.end === PIXELS) expect(range.end).toBe(of.count);
        for (let first = range.first; first < range.end; first += rangeSegments) {
          const some = { first, end: Math.min(range.end, first + rangeSegments) };
          const cut = cutChunk(of, some, chunk, partSamples);
          for (const [row, pixels] of counted(cut, chunk, partSamples)) {
            found[first + row]!.push(...pixels);
            parts[first + row]!++;
          }
          // A row without a part would keep its old content.
          if (!cut.adds) {
            for (let row = 0; row < some.end - first; row++) expect(parts[first + row]).toBeGreaterThan(0);
          }
        }
      }
      expect(found.map((pixels) => pixels.toSorted((a, b) => a - b))).toEqual(wanted);
    }
  }
});

it("even segments have their full length and begin at a whole vector", () => {
  const cut = (each: number, chunk: Pixels, partSamples = 1000) => {
    const { first, end } = segmentsIn(every(each), chunk.begin, chunk.end);
    return cutChunk(every(each), { first, end }, chunk, partSamples).whole!;
  };
  const all = { begin: 0, end: PIXELS };
  // The last segment has 49 pixels.
  expect(cut(64, all).parts).toBe(17);
  expect(evenParts(cut(64, all), PIXELS)).toBe(16);
  expect(evenParts(cut(16, all), PIXELS)).toBe(Math.floor(PIXELS / 16));
  expect(evenParts(cut(20, all), PIXELS)).toBe(0);
  expect(evenParts(cut(64, all, 32), PIXELS)).toBe(0);
  // The first whole segment begins 63 pixels, or 64, after the chunk's first.
  expect(evenParts(cut(64, { begin: 1, end: 700 }), 699)).toBe(0);
  expect(evenParts(cut(64, { begin: 64, end: 700 }), 636)).toBe(9);
  expect(evenParts(cut(5000, all), PIXELS)).toBe(0);
  const tiled = cutChunk(tiles(16, 16), { first: 0, end: tiles(16, 16).count }, all, 1000).whole!;
  expect(evenParts(tiled, PIXELS)).toBe(0);
});
