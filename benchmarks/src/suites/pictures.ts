import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Bench } from "../runner/bench.ts";
import { tiledSides } from "./sweeps.ts";

/** One plane of a picture. */
export interface Plane {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** Measures Figure 7 on pictures. */
export async function pictures(bench: Bench, planes: readonly Plane[]): Promise<void> {
  for (const { name, bytes, ...size } of planes) await tiledSides(bench, name, bytes, size);
}

/** Measures the planes in the folder that `--pictures` names. A GPU machine has no decoder, so scripts/planes.mjs makes them. */
export async function pictureSuite(bench: Bench): Promise<void> {
  const { pictures: folder } = bench.options;
  if (folder === undefined) {
    bench.report.miss("pictures: expected --pictures DIR, a folder of planes that scripts/planes.mjs wrote");
    return;
  }
  const files = globSync("*.pgm", { cwd: folder }).sort();
  if (files.length === 0) bench.report.miss(`pictures: expected .pgm files in ${folder} but found none`);
  const planes = files.map((file) => parsePgm(basename(file, ".pgm"), readFileSync(join(folder, file))));
  await pictures(bench, planes);
}

/** Parses a binary PGM of 8 bits without comments. @throws an Error if it is none */
export function parsePgm(name: string, file: Uint8Array): Plane {
  const head = /^P5\s(\d+)\s(\d+)\s255\s/.exec(Buffer.from(file.subarray(0, 64)).toString("latin1"));
  const [width, height] = [Number(head?.[1]), Number(head?.[2])];
  const bytes = file.subarray(head?.[0].length ?? 0);
  if (head === null || bytes.length !== width * height) {
    throw new Error(`expected a binary PGM of 8 bits but received ${name}`);
  }
  return { name, width, height, bytes };
}

/** Writes a plane as a binary PGM. */
export const pgmOf = (plane: Plane): Uint8Array => pnmOf("P5", plane);

/** Writes pixels of three interleaved bytes as a binary PPM. */
export const ppmOf = (pixels: Plane): Uint8Array => pnmOf("P6", pixels);

function pnmOf(kind: "P5" | "P6", { width, height, bytes }: Plane): Uint8Array {
  return Buffer.concat([Buffer.from(`${kind}\n${width} ${height}\n255\n`), bytes]);
}
