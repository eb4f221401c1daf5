import { writeFile } from "node:fs/promises";
import type { Result } from "../result.ts";
import { specification } from "./plot-spec.ts";
import type { Targets } from "./targets.ts";

/** Pixels of the PNG for one unit of the SVG. */
const PNG_SCALE = 2;
const SVG_DPI = 72;

/** Draws the result into the files that were asked for. */
export async function writePlots(result: Result, { svg, png }: Targets): Promise<void> {
  const drawn = await toSvg(result);
  if (svg !== undefined) await writeFile(svg, drawn);
  if (png !== undefined) {
    const { default: sharp } = await import("sharp");
    const density = SVG_DPI * PNG_SCALE;
    await writeFile(
      png,
      await sharp(Buffer.from(drawn), { density }).png({ compressionLevel: 9 }).toBuffer(),
    );
  }
}

/** The plot as an SVG document. Vega draws it without a browser. */
async function toSvg(result: Result): Promise<string> {
  const vega = await import("vega");
  const view = new vega.View(vega.parse(specification(result)), { renderer: "none" });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}
