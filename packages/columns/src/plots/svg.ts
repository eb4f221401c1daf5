import { PolybinError } from "@polybin/core";
import type { Spec } from "vega";

/**
 * Draws a plot as an SVG document. Vega needs no browser. It is loaded on first use, and must be installed.
 * @param specification Vega's `Spec`. The type is wider because most users of this package do not have Vega.
 * @throws ERR_UNAVAILABLE if Vega is not installed.
 */
export async function svgOf(specification: object): Promise<string> {
  const vega = await import("vega").catch((cause: unknown) => {
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      "expected the package vega, which draws the plots; install it with npm install vega",
      { cause },
    );
  });
  const view = new vega.View(vega.parse(specification as Spec), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
