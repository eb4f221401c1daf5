import { limits } from "@polybin/core/backend";
import { type Picture, planeOf, rgbaOf, samplePicture, tiled } from "../data/picture.ts";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";

/** n = 8192 … 268,435,456. */
const LOG2N: readonly number[] = Array.from({ length: 16 }, (_, i) => 13 + i);
/** The paper's random, worst and linear data. The linear one is `ramp`. */
const DISTRIBUTIONS = ["uniform", "zeros", "ramp"] as const;
/** Sides of Figure 7's pictures. */
const SIDES = [256, 512, 1024, 2048, 4096];

/** The paper's three methods: TRISH with the paper's k and with another good one, POD and NUG. */
const CELLS: readonly Cell[] = [
  { algorithm: "trish", k: limits.TRISH_K },
  { algorithm: "trish", k: limits.TRISH_WORDS },
  { algorithm: "per-warp", collisions: "atomic" },
  { algorithm: "per-warp", collisions: "tag" },
  { algorithm: "per-thread" },
];

/** The paper's methods and ours. */
const METHODS: readonly Cell[] = [...CELLS, { algorithm: "per-lane" }];

/** Measures Brown & Snoeyink's Figures 6 and 7. */
export async function figure6(bench: Bench, log2n: readonly number[] = LOG2N): Promise<void> {
  for (const distribution of DISTRIBUTIONS) {
    const tile = Tile.of({ type: "u8", top: 256, channels: 1 }, distribution);
    for (const exponent of log2n) {
      await using data = await bench.load(tile, 2 ** exponent);
      for (const cell of METHODS) await bench.measure(data, cell);
    }
  }
  const picture = samplePicture();
  for (const [name, pixels] of [
    ["picture", planeOf(picture, 1)],
    ["picture, RGBA with an alpha of 0", rgbaOf(picture, 0)],
  ] as const) {
    await tiledSides(bench, name, pixels, picture);
  }
  bench.report.miss(
    "Figure 7, Lena, Raft and MRI: they may not be redistributed; a generated picture, the command's sample, replaces them",
  );
}

/** Measures a picture at the paper's five sizes. */
export async function tiledSides(
  bench: Bench,
  name: string,
  pixels: Uint8Array,
  picture: Pick<Picture, "width" | "height">,
): Promise<void> {
  for (const side of SIDES) {
    const bytes = tiled(pixels, picture, side);
    await using data = await bench.load(Tile.ofBytes(name, bytes), bytes.length);
    for (const cell of METHODS) await bench.measure(data, cell);
  }
}
