import { axisY, type Markish, text } from "@observablehq/plot";

/** How a plot with a line a contestant shows their names, and the room that they take. */
export interface Names {
  readonly marks: readonly Markish[];
  readonly marginLeft: number;
  readonly lineHeight: number;
}

/** Beside their lines; on a phone above them, where all of a name fits. */
export function namesOf(names: readonly string[], narrow: boolean, room: number): Names {
  if (!narrow) {
    const em = 12;
    return {
      marks: [axisY({ label: null, tickSize: 0, lineWidth: room / em, textOverflow: "ellipsis" })],
      marginLeft: room + 12,
      lineHeight: 24,
    };
  }
  return {
    marks: [
      text(names, {
        y: (name: string) => name,
        text: (name: string) => name,
        frameAnchor: "left",
        textAnchor: "start",
        dy: -14,
        fill: "currentColor",
        stroke: "var(--page)",
        strokeWidth: 3,
        lineWidth: 28,
        textOverflow: "ellipsis",
      }),
    ],
    marginLeft: 8,
    lineHeight: 40,
  };
}
