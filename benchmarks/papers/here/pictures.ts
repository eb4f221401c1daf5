import { basename } from "node:path";
import type { Bench } from "../../src/gpu/bench.ts";
import { tiledSides } from "../../src/gpu/suites/figure6.ts";

/** Figure 7 of pictures that the user names: a grey one as it is, else the green plane. */
export async function pictures(bench: Bench, files: readonly string[]): Promise<void> {
  const { default: sharp } = await import("sharp");
  for (const file of files) {
    const { data, info } = await sharp(file)
      .removeAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const wanted = channels > 1 ? 1 : 0;
    const plane = Uint8Array.from({ length: width * height }, (_, i) => data[i * channels + wanted]!);
    await tiledSides(bench, basename(file), plane, { width, height });
  }
}
