import { axisX, axisY, gridX, gridY, type Markish } from "@observablehq/plot";

/** Draws an axis with these ticks, all of them labelled. Left alone, the library labels only some of a logarithmic axis. */
export function axisOf(
  side: "x" | "y",
  ticks: readonly number[],
  label: string,
  format: (value: number) => string,
): Markish[] {
  const options = { label, text: (value: number) => format(value) };
  const all = [...ticks];
  return side === "x" ? [gridX(all), axisX(all, options)] : [gridY(all), axisY(all, options)];
}

/** Returns ticks of a logarithmic axis in base 10: at most as many as have room, at round numbers. */
export function decimalTicks(low: number, high: number, most: number): number[] {
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const found = between(low, high, steps);
    if (found.length <= most) return found.length >= 2 ? found : between(low, high, [1, 2, 5]);
  }
  return thinned(between(low, high, [1]), most);
}

function between(low: number, high: number, steps: readonly number[]): number[] {
  const first = Math.floor(Math.log10(low));
  const count = Math.ceil(Math.log10(high)) - first + 1;
  return Array.from({ length: count }, (_, i) => steps.map((step) => Number(`${step}e${first + i}`)))
    .flat()
    .filter((tick) => tick >= low && tick <= high);
}

/** Returns ticks of a linear axis at round numbers, about as many as asked for. */
export function linearTicks(low: number, high: number, most: number): number[] {
  const rough = (high - low) / Math.max(1, most) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((of) => of * power).find((of) => of >= rough)!;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Returns powers of two between two numbers, at most as many as have room. */
export function binaryTicks(low: number, high: number, most: number): number[] {
  const first = Math.ceil(Math.log2(low));
  const count = Math.floor(Math.log2(high)) - first + 1;
  return thinned(
    Array.from({ length: Math.max(count, 0) }, (_, i) => 2 ** (first + i)),
    most,
  );
}

function thinned(ticks: readonly number[], most: number): number[] {
  const every = Math.ceil(ticks.length / Math.max(most, 1));
  return ticks.filter((_, i) => i % every === 0);
}
