import type { Spec } from "vega";
import { escaped, Html } from "../text/html.ts";

/** What holds without being said, what the page's style sets, and what the label of the whole plot says for its parts. */
const REDUNDANT: readonly (readonly [RegExp, string])[] = [
  [/ (?:opacity|stroke-width)="1"/g, ""],
  [/ (?:pointer-events|role|aria-[a-z]+|font-family|font-size|stroke-miterlimit)="[^"]*"/g, ""],
  [/ class="mark-(?:group|rule|text|path|rect|area|symbol)(?: role-([a-z-]+))?(?: root)?"/g, ' class="$1"'],
  [/<path class="foreground" d=""(?: display="none")?\/>/g, ""],
  [/<path class="background" d="M0,0h0v0h0Z"\/>/g, ""],
  [/ class="(?:|mark|frame)"/g, ""],
  [/ transform="translate\(0,0\)"/g, ""],
];

/** Draws plots one after another. Each has ids of its own on the page. */
export class Plotter {
  #drawn = 0;

  /** Draws a plot. Vega does so without a browser. @param label what a screen reader says instead of it */
  async draw(specification: Spec, label: string): Promise<Html> {
    const vega = await import("vega");
    const view = new vega.View(vega.parse(specification), { renderer: "none" });
    try {
      const svg = await view.toSVG();
      return new Html(this.#compact(svg, label));
    } finally {
      view.finalize();
    }
  }

  #compact(svg: string, label: string): string {
    const [, viewBox = "0 0 1 1"] = /viewBox="([^"]*)"/.exec(svg) ?? [];
    const prefix = `p${++this.#drawn}-`;
    let inner = svg.slice(svg.indexOf(">") + 1).replaceAll(/(id="|url\(#)/g, `$1${prefix}`);
    for (const [redundant, instead] of REDUNDANT) inner = inner.replace(redundant, instead);
    return `<svg class="plot" role="img" aria-label="${escaped(label)}" viewBox="${viewBox}">${inner}`;
  }
}
