import { axisY, type Markish, text } from "@observablehq/plot";

/** How a plot with one line per contestant shows their names, and the room that they take. */
export interface Names {
  readonly marks: readonly Markish[];
  readonly marginLeft: number;
  readonly lineHeight: number;
}

const EM = 12;
/** Average width of a letter in pixels, rounded up. */
const LETTER = 7;
/** Width in pixels for names on a phone. */
const PHONE = 336;

/**
 * Places names left of their lines, or above them on a phone. Long names wrap, because names may differ at their ends.
 * @param most width in pixels that names left of their lines may take
 * @param shown what is written above a line on a phone
 */
export function namesOf(
  of: readonly { readonly name: string; readonly tip: string }[],
  narrow: boolean,
  most: number,
  shown: (name: string) => string = (name) => name,
): Names {
  const names = of.map(({ name }) => name);
  const tips = new Map(of.map(({ name, tip }) => [name, tip]));
  const title = (name: string) => tips.get(name)!;
  const parts = names.flatMap((name) => shown(name).split("\n"));
  const longest = LETTER * Math.max(1, ...parts.map((part) => part.length));
  const room = Math.min(longest, narrow ? PHONE : most);
  const lines = Math.max(1, ...names.map((name) => shown(name).split("\n").length));
  const more = Math.ceil(longest / room) - 1;
  if (!narrow) {
    return {
      marks: [axisY(names, { label: null, tickSize: 0, lineWidth: room / EM, title })],
      marginLeft: room + 12,
      lineHeight: 24 + more * EM,
    };
  }
  return {
    marks: [
      text(names, {
        y: (name: string) => name,
        text: shown,
        title,
        frameAnchor: "left",
        textAnchor: "start",
        lineAnchor: "bottom",
        dy: -10,
        fill: "currentColor",
        stroke: "var(--page)",
        strokeWidth: 3,
        lineWidth: PHONE / EM,
      }),
    ],
    marginLeft: 8,
    lineHeight: 42 + (more + lines - 1) * EM,
  };
}
