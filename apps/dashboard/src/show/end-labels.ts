import type { RenderFunction } from "@observablehq/plot";

/** The end of a line, in the units of the plot. */
export interface End {
  readonly label: string;
  readonly colour: string;
  /** Its tooltip. */
  readonly title?: string;
  readonly x: number | string;
  readonly y: number;
}

const SVG = "http://www.w3.org/2000/svg";
/** Height of a label in pixels. */
export const LINE = 14;
/** Distance of a label from the frame in pixels. */
const GAP = 10;

/** Returns the positions of labels that want to be at `wanted`, at least a line apart and inside of the frame. */
export function apart(wanted: readonly number[], top: number, bottom: number, line: number = LINE): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]!);
  const placed = new Array<number>(wanted.length);
  let free = top;
  for (const i of order) {
    placed[i] = Math.max(wanted[i]!, free);
    free = placed[i]! + line;
  }
  free = bottom;
  for (const i of order.toReversed()) {
    if (placed[i]! <= free) break;
    placed[i] = free;
    free -= line;
  }
  return placed;
}

/** A mark that writes the name of each line at its end, right of the frame. A dotted line leads to a label. */
export function endLabels(ends: readonly End[]): RenderFunction {
  return (_, scales, __, { width, height, marginTop, marginBottom, marginRight }) => {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("data-mark", "labels");
    const [x, y] = [scales.x!, scales.y!];
    const wanted = ends.map((end) => y(end.y) as number);
    const right = width - marginRight;
    const placed = apart(wanted, marginTop, height - marginBottom);
    ends.forEach(({ label, colour, title, x: at }, i) => {
      const lead = document.createElementNS(SVG, "path");
      lead.setAttribute("d", `M${(x(at) as number) + 4},${wanted[i]}L${right + GAP - 3},${placed[i]}`);
      lead.setAttribute("stroke", colour);
      // A plain line would look like data.
      lead.setAttribute("stroke-dasharray", "1 3");
      lead.setAttribute("fill", "none");
      const text = document.createElementNS(SVG, "text");
      text.textContent = label;
      text.setAttribute("x", String(right + GAP));
      text.setAttribute("y", String(placed[i]));
      text.setAttribute("dy", "0.32em");
      text.setAttribute("text-anchor", "start");
      text.setAttribute("fill", colour);
      if (title !== undefined) {
        const tip = document.createElementNS(SVG, "title");
        tip.textContent = title;
        text.append(tip);
      }
      group.append(lead, text);
    });
    return group;
  };
}

let pen: CanvasRenderingContext2D | undefined;

/** Returns the width in pixels of the longest text, as the plots write it. */
export function widest(texts: readonly string[]): number {
  pen ??= document.createElement("canvas").getContext("2d")!;
  pen.font = "12px system-ui, sans-serif";
  const widths = texts.map((text) => pen!.measureText(text).width);
  return Math.ceil(Math.max(0, ...widths));
}
