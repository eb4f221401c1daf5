import { globSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { PolybinError } from "@polybin/core";
import type { Plane } from "../../src/suites/pictures.ts";

/** Endings of pictures in a folder. Other files in it are ignored. */
const PICTURES = "*.{png,jpg,jpeg,webp,gif,tif,tiff,avif}";

/** Decodes a picture, or all pictures of a folder. @throws ERR_INPUT if there are none */
export async function decodeAll(path: string): Promise<Plane[]> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [await decode(path)];
  const files = globSync(PICTURES, { cwd: path }).sort();
  if (files.length === 0)
    throw new PolybinError("ERR_INPUT", `expected a folder of pictures but received ${path}, which has none`);
  return Promise.all(files.map((file) => decode(join(path, file))));
}

/** Decodes a grey picture, or the green plane of a coloured one. @throws ERR_INPUT if a file is no picture */
async function decode(file: string): Promise<Plane> {
  const { default: sharp } = await import("sharp");
  try {
    const { data, info } = await sharp(file)
      .removeAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const wanted = channels > 1 ? 1 : 0;
    const bytes = Uint8Array.from({ length: width * height }, (_, i) => data[i * channels + wanted]!);
    return { name: basename(file, extname(file)), width, height, bytes };
  } catch (cause) {
    const [line] = (cause as Error).message.split("\n");
    throw new PolybinError("ERR_INPUT", `expected a picture but received ${file}: ${line}`);
  }
}
