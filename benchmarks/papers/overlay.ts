import type { EvaluatedPanel } from "./evaluate.ts";
import type { Point } from "./model.ts";
import { digits, value } from "./readings/index.ts";
import { type Compared, LABELS, type SideId } from "./sides.ts";

/** One backend's numbers of a panel, and the value that becomes 1. */
export interface OverlaidSide {
  readonly id: SideId;
  readonly label: string;
  readonly points: readonly Point[];
  /** The paper's value that becomes 1 next to these points; null without the paper's numbers. */
  readonly paperUnit: number | null;
  /** Our value that becomes 1; null without points. */
  readonly unit: number | null;
  /** The cell whose values become 1 on both sides; null if each side is divided by its highest value. */
  readonly reference: Pick<Point, "series" | "x"> | null;
}

/** A panel with the numbers of the paper and of all our backends. */
export interface Overlaid {
  readonly panel: EvaluatedPanel;
  readonly sides: readonly OverlaidSide[];
}

/** Whether a panel has points that a plot can show. */
export function isDrawn({ mark, paper, ours }: EvaluatedPanel): boolean {
  return mark !== "none" && paper.length + ours.length > 0;
}

/** Lists the panels of a figure with the numbers of all backends. A formula's numbers are listed once. */
export function overlaidOf({ main, sides }: Compared): Overlaid[] {
  return main.panels.map((panel, i): Overlaid => {
    const measured = sides.filter(({ of }) => of.panels[i]!.ours.length > 0);
    const shown = panel.on === "formula" ? measured.slice(0, 1) : measured;
    return {
      panel,
      sides: shown.map(({ id, of }) => {
        const points = of.panels[i]!.ours;
        const label = panel.on === "formula" ? "computed" : LABELS[id];
        const units = isSpeed(panel) ? unitsOf(panel.paper, points) : ABSOLUTE;
        return { id, label, points, ...units };
      }),
    };
  });
}

type Units = Pick<OverlaidSide, "paperUnit" | "unit" | "reference">;

/** Leaves numbers as they are. */
const ABSOLUTE: Units = { paperUnit: 1, unit: 1, reference: null };

/** Whether a panel shows speeds. All other numbers, such as parameters and shares, have the same scale on both sides. */
export function isSpeed({ y }: Pick<EvaluatedPanel, "y">): boolean {
  return /\bGB\/s\b|\bper second\b/.test(y.label);
}

/**
 * Chooses the values that become 1. If both sides have numbers for the same cells, it is the cell with the paper's highest
 * number among them. Curves that differ then differ in relations and not in speed.
 */
export function unitsOf(paper: readonly Point[], ours: readonly Point[]): Units {
  const ofOurs = (point: Point) => value(ours, point) ?? 0;
  const both = highest(paper.filter((point) => ofOurs(point) > 0));
  if (both !== undefined) {
    const { series, x } = both;
    return { paperUnit: both.y, unit: ofOurs(both), reference: { series, x } };
  }
  return { paperUnit: highest(paper)?.y ?? null, unit: highest(ours)?.y ?? null, reference: null };
}

function highest(points: readonly Point[]): Point | undefined {
  return points
    .filter(({ y }) => y > 0)
    .reduce<Point | undefined>((a, b) => (a && a.y >= b.y ? a : b), undefined);
}

/** Divides points by the value that becomes 1. */
export function relative(points: readonly Point[], unit: number | null): Point[] {
  return unit === null ? [] : points.map(({ series, x, y }) => ({ series, x, y: y / unit }));
}

/** Says which value is 1, and what it is on both sides. */
export function captionOf(
  panel: EvaluatedPanel,
  { points, reference, unit, paperUnit }: OverlaidSide,
): readonly string[] {
  if (points.length === 0) return ["not measured"];
  if (!isSpeed(panel)) return [];
  const { y, paper } = panel;
  const ours = `${digits(unit!)} ${y.label}`;
  if (reference === null)
    return paper.length === 0
      ? ["1 is the highest value", ours]
      : ["1 is each side's highest value", `${ours}; paper ${digits(paperUnit!)}`];
  return [`1 is ${reference.series} at ${shortPlace(reference.x)}`, `${ours}; paper ${digits(paperUnit!)}`];
}

/** The size from which on axes write powers of two. */
const LARGE = 8192;

function shortPlace(x: Point["x"]): string {
  if (typeof x === "string") return x;
  return x >= LARGE && Number.isInteger(Math.log2(x)) ? `2^${Math.log2(x)}` : x.toLocaleString("en-US");
}
