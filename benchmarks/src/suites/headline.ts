import { DISTRIBUTIONS } from "../data/distributions.ts";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";

const SIZES = [1, 2, 4].map((gibibytes) => gibibytes * 2 ** 30);

/** Measures per-lane on bytes of all distributions at 1, 2 and 4 GiB, and every way to only read them. */
export async function headline(bench: Bench): Promise<void> {
  for (const bytes of SIZES) await bench.ceiling(bytes, true);
  bench.host(Math.max(...SIZES));
  for (const distribution of DISTRIBUTIONS) {
    const tile = Tile.of({ type: "u8", top: 256, channels: 1 }, distribution);
    for (const bytes of SIZES) {
      await using data = await bench.load(tile, bytes);
      await bench.measure(data, { algorithm: "per-lane" });
    }
  }
}
