import type { Spec } from "vega";
import { svgOf } from "../../plots/index.ts";
import { escaped, Html } from "../text/html.ts";

/** Attributes that the page does without: defaults, those that its style sets, and descriptions of parts. */
const ATTRIBUTES: readonly (readonly [RegExp, string])[] = [
  [/ (?:opacity|stroke-width)="1"/g, ""],
  [/ (?:pointer-events|role|aria-[a-z]+|font-family|font-size|stroke-miterlimit)="[^"]*"/g, ""],
  [/ class="mark-[a-z]+(?: role-([a-z-]+))?(?: root)?"/, ' class="$1"'],
  [/ class="(?:|mark|frame)"/, ""],
  [/ transform="translate\(0,0\)"/, ""],
];
/** Backgrounds and foregrounds that draw nothing. */
const NOTHING = /<path class="(?:foreground|background)" d="(?:|M0,0h0v0h0Z)"(?: display="none")?\/>/g;
/** Where gradients are defined and used. Vega's numbers go on from plot to plot. */
const GRADIENT = /( id="|url\(#)[a-z]+_(\d+)/g;

/** Draws plots one after another. Each has ids of its own on the page. */
export class Plotter {
  #drawn = 0;

  /** Draws a plot. @param label what a screen reader says instead of it */
  async draw(specification: Spec, label: string): Promise<Html> {
    return new Html(this.#compact(await svgOf(specification), label));
  }

  #compact(svg: string, label: string): string {
    const [, viewBox = "0 0 1 1"] = /viewBox="([^"]*)"/.exec(svg) ?? [];
    const drawn = ++this.#drawn;
    const ids = new Map<string, string>();
    const named = (number: string): string => {
      const id = ids.get(number) ?? `p${drawn}-${ids.size}`;
      ids.set(number, id);
      return id;
    };
    const inner = svg
      .slice(svg.indexOf(">") + 1)
      // Texts are left alone: they may look like attributes.
      .replace(/<[^>]*>/g, (tag) =>
        ATTRIBUTES.reduce((text, [redundant, instead]) => text.replace(redundant, instead), tag).replace(
          GRADIENT,
          (_, before: string, number: string) => before + named(number),
        ),
      )
      .replace(NOTHING, "");
    return `<svg class="plot" role="img" aria-label="${escaped(label)}" viewBox="${viewBox}">${inner}`;
  }
}
