import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits, value } from "../readings/index.ts";
import { type Compared, LABELS } from "../sides.ts";
import { PEAK_THEN, peakOf } from "./hardware.ts";
import { type Cell, type Mark, NONE, type Picture, percent, type Section, tableOf } from "./page.ts";
import cells from "./printed.json" with { type: "json" };

/** A number that a paper prints about a method, and the cell of the figure that has ours. */
interface Printed {
  readonly method: string;
  readonly slug: string;
  readonly data: string;
  /** `paper-figure`. */
  readonly figure: string;
  readonly panel: string;
  readonly at: Pick<Point, "series" | "x">;
  /** Whether the number is of the papers' GPU. The default is true. */
  readonly onGpu?: false;
}

/** The papers' numbers, one or two per method. The last one of each paper is its whole task. */
export const PRINTED = cells as readonly Printed[];

/** Lists the papers' numbers next to ours, at the papers' own sizes. */
export function printed(figures: readonly Compared[], backends: readonly Measured[]): Section {
  const main = backends[0]!;
  const peakNow = peakOf(main);
  const rows = PRINTED.map((one): Cell[] => {
    const { of, then, now } = cellsOf(figures, one);
    const first = now.get(main.backend) ?? (one.onGpu === false ? now.get("cpu") : undefined);
    const onGpu = one.onGpu !== false;
    return [
      { text: one.method, figure: of },
      `\`${one.slug}\``,
      one.data,
      digits(then),
      ...backends.map(({ backend }, i) =>
        numberOf(now.get(backend) ?? (i === 0 ? now.get("cpu") : undefined)),
      ),
      first === undefined ? NONE : `${digits(first / then)}x`,
      onGpu ? percent(then / PEAK_THEN) : NONE,
      onGpu && first !== undefined && peakNow !== null ? percent(first / peakNow) : NONE,
    ];
  });
  const lines = [
    { label: "memory then", x: PEAK_THEN },
    ...(peakNow === null ? [] : [{ label: "memory now", x: peakNow }]),
  ];
  return {
    id: "methods",
    title: "The papers' numbers and ours",
    text: [
      `Each row is a number that a paper prints, next to ours for the same data and size. “Peak” is the share of the memory's theoretical bandwidth that the samples' bytes take. The ratio and the share now are those of ${LABELS[main.backend]}. In a row about a CPU, that column shows our CPU. Hollow symbols in the picture are the papers'.`,
    ],
    picture: { ...pictureOf(figures, backends), lines },
    table: tableOf(
      [
        ...["method", "algorithm", "data", "then, GB/s"],
        ...backends.map(({ backend }) => `${LABELS[backend]} now, GB/s`),
        ...["now / then", "peak then", "peak now"],
      ],
      rows,
      3,
    ),
  };
}

/** Draws the table's numbers. */
function pictureOf(figures: readonly Compared[], backends: readonly Measured[]): Omit<Picture, "lines"> {
  const THEN = "then";
  const sides = [...backends.map(({ backend }) => backend), "cpu"] as const;
  const marks = PRINTED.flatMap((one): Mark[] => {
    const row = `${one.method}: ${one.data}`;
    const { then, now } = cellsOf(figures, one);
    const ours = sides.flatMap((side): Mark[] => {
      const x = now.get(side);
      return x === undefined ? [] : [{ row, who: LABELS[side], x }];
    });
    return [{ row, who: THEN, x: then }, ...ours];
  });
  const who = [THEN, ...sides.map((side) => LABELS[side])];
  return {
    unit: "GB/s",
    who: who.filter((name) => marks.some((mark) => mark.who === name)),
    rows: [...new Set(marks.map(({ row }) => row))],
    marks,
  };
}

/** A printed number, and ours by backend. */
interface Cells {
  readonly of: string;
  readonly then: number;
  readonly now: ReadonlyMap<string, number>;
}

/** Finds a printed number and ours. @throws an Error if a figure no longer has the cell */
export function cellsOf(figures: readonly Compared[], { figure, panel, at }: Printed): Cells {
  const found = figures.find(({ main }) => `${main.paper}-${main.id}` === figure);
  const panelOf = ({ panels }: Compared["main"]) => panels.find(({ id }) => id === panel);
  const then = found && value(panelOf(found.main)?.paper ?? [], at);
  if (found === undefined || then === null || then === undefined)
    throw new Error(`expected a number of the paper for ${at.series} at ${at.x} in ${figure}, ${panel}`);
  const now = new Map(
    found.sides.flatMap(({ id, of }) => {
      const ours = value(panelOf(of)?.ours ?? [], at);
      return ours === null ? [] : [[id as string, ours] as const];
    }),
  );
  return { of: figure, then, now };
}

const numberOf = (found: number | undefined): string => (found === undefined ? NONE : digits(found));
