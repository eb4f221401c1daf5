import type { PlaceOf, Point } from "../model.ts";

/** A point of a series. `x` may be left out if the series has only one point. */
export interface At {
  readonly series: string;
  readonly x?: Point["x"];
}

export function value(points: readonly Point[], { series, x }: At): number | null {
  return points.find((point) => point.series === series && (x === undefined || point.x === x))?.y ?? null;
}

export function of(points: readonly Point[], series: string): Point[] {
  const found = points.filter((point) => point.series === series);
  return found.every(({ x }) => typeof x === "number")
    ? found.toSorted((a, b) => Number(a.x) - Number(b.x))
    : found;
}

/** Writes three significant digits, or a whole number from 1,000 on. */
export function digits(number: number): string {
  if (number === 0) return "0";
  if (Math.abs(number) >= 1000) return Math.round(number).toLocaleString("en-US");
  return String(Number(number.toPrecision(3)));
}

/** Says that a value needs every point of some series. */
export function every(...names: readonly string[]): { needs(place: PlaceOf): boolean } {
  return { needs: ({ series }) => names.includes(series) };
}

export function top(points: readonly Point[]): Point | undefined {
  return points.reduce<Point | undefined>(
    (most, point) => (most && most.y >= point.y ? most : point),
    undefined,
  );
}

export function mean(points: readonly Point[]): number {
  return points.reduce((sum, { y }) => sum + y, 0) / points.length;
}

export function near(a: number, b: number): boolean {
  return a === b || Math.abs(Math.log2(a / b)) <= 1;
}
