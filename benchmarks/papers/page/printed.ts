import { TODAY } from "../figure.ts";
import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits, value } from "../readings/index.ts";
import { type Compared, LABELS, type SideId } from "../sides.ts";
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

/** Lists what the papers print, their kernels today, and ours, at the papers' own sizes. */
export function printed(figures: readonly Compared[], backends: readonly Measured[]): Section {
  const main = backends[0]!;
  const peakNow = peakOf(main);
  const rows = PRINTED.map((one): Cell[] => {
    const { of, then, now, today } = cellsOf(figures, one);
    const published = now.get("published");
    const own = now.get(main.backend) ?? (one.onGpu === false ? now.get("cpu") : undefined);
    const share = (speed: number | undefined) =>
      one.onGpu === false || speed === undefined || peakNow === null ? NONE : percent(speed / peakNow);
    return [
      { text: one.method, figure: of },
      one.data,
      digits(then),
      published === undefined ? "not measured" : digits(published),
      numberOf(today),
      ...backends.map(({ backend }, i) =>
        numberOf(now.get(backend) ?? (i === 0 ? now.get("cpu") : undefined)),
      ),
      factorOf(published, then),
      factorOf(own, published),
      one.onGpu === false ? NONE : percent(then / PEAK_THEN),
      share(published),
      share(own),
    ];
  });
  const lines = [
    { label: "memory then", x: PEAK_THEN },
    ...(peakNow === null ? [] : [{ label: "memory now", x: peakNow }]),
  ];
  const label = LABELS[main.backend];
  return {
    id: "methods",
    title: "Three columns: published then, published now, polybin now",
    text: [
      `Each row is a number that a paper prints, in GB/s, for the same data and size. “${LABELS.published}” is the paper's kernel with its number of blocks per multiprocessor, and the next column the same kernel with as many blocks as fit. The other columns are polybin's kernels of the same method, rewritten for today's hardware. “Hardware” divides the same kernel now and then. “Rewrite” divides ${label} by ${LABELS.published}. “Peak” is the share of the memory's theoretical bandwidth. In a row about a CPU, the column of ${label} shows our CPU.`,
    ],
    picture: { ...pictureOf(figures, backends), lines },
    table: tableOf(
      [
        ...["method", "data", "then", LABELS.published, "with today's blocks"],
        ...backends.map(({ backend }) => LABELS[backend]),
        ...["hardware", "rewrite", "peak then", "peak, published now", `peak, ${label}`],
      ],
      rows,
      2,
    ),
  };
}

function factorOf(above: number | undefined, below: number | undefined): string {
  return above === undefined || below === undefined ? NONE : `${digits(above / below)}x`;
}

/** Draws the table's numbers. */
function pictureOf(figures: readonly Compared[], backends: readonly Measured[]): Omit<Picture, "lines"> {
  const THEN = "then";
  const sides = ["published", ...backends.map(({ backend }) => backend), "cpu"] as const;
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
  readonly now: ReadonlyMap<SideId, number>;
  /** The paper's kernel with as many blocks as fit today. */
  readonly today: number | undefined;
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
      return ours === null ? [] : [[id, ours] as const];
    }),
  );
  const today = value(panelOf(found.main)?.ours ?? [], { ...at, series: at.series + TODAY }) ?? undefined;
  return { of: figure, then, now, today };
}

const numberOf = (found: number | undefined): string => (found === undefined ? NONE : digits(found));
