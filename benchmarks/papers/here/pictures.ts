import { basename } from "node:path";
import { PolybinError } from "@polybin/core";
import type { Bench } from "../../src/runner/bench.ts";
import { tiledSides } from "../../src/suites/figure6.ts";

/** One plane of a picture given by the user. */
export interface Plane {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** Decodes a grey picture, or the green plane of a coloured one. @throws ERR_INPUT if a file is no picture */
export async function decode(file: string): Promise<Plane> {
  const { default: sharp } = await import("sharp");
  try {
    const { data, info } = await sharp(file)
      .removeAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const wanted = channels > 1 ? 1 : 0;
    const bytes = Uint8Array.from({ length: width * height }, (_, i) => data[i * channels + wanted]!);
    return { name: basename(file), width, height, bytes };
  } catch (cause) {
    const [line] = (cause as Error).message.split("\n");
    throw new PolybinError("ERR_INPUT", `expected a picture but received ${file}: ${line}`);
  }
}

/** Measures Figure 7 on the user's pictures. */
export async function pictures(bench: Bench, planes: readonly Plane[]): Promise<void> {
  for (const { name, bytes, ...size } of planes) await tiledSides(bench, name, bytes, size);
}
