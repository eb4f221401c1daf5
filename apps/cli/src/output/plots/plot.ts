import { svgOf } from "@polybin/columns/plots";
import type { Spec } from "vega";
import type { Target } from "../files/targets.ts";
import { type Content, writeWhole } from "../files/write-whole.ts";

/** Pixels of the PNG per unit of the SVG. */
const PNG_SCALE = 2;
const SVG_DPI = 72;

/** Draws a plot into all requested files, or into none. */
export async function writePlots(specification: Spec, svg: Target | null, png: Target | null): Promise<void> {
  const drawn = `${await svgOf(specification)}\n`;
  const contents: Content[] = [];
  if (svg !== null) contents.push({ target: svg, data: drawn });
  if (png !== null) {
    const { default: sharp } = await import("sharp");
    const density = SVG_DPI * PNG_SCALE;
    const data = await sharp(Buffer.from(drawn), { density }).png({ compressionLevel: 9 }).toBuffer();
    contents.push({ target: png, data });
  }
  await writeWhole(contents);
}
