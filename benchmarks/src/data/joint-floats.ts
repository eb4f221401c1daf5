import { xorshift } from "./random.ts";

/** Joint distributions of two columns. */
export const JOINT_DISTRIBUTIONS = [
  "uniform",
  "equal",
  "constant",
  "gauss",
  "correlated",
  "outside",
  "two",
  "sorted",
  "smooth",
] as const;
export type JointDistribution = (typeof JOINT_DISTRIBUTIONS)[number];

type Pair = readonly [number, number];

/** Fills two columns with pairs, most of them in [0, 1). The pairs are the same every time. */
export function jointFloats(x: Float32Array, y: Float32Array, distribution: JointDistribution): void {
  const next = pairs(distribution, x.length);
  for (let i = 0; i < x.length; i++) [x[i], y[i]] = next(i) as [number, number];
}

function pairs(distribution: JointDistribution, n: number): (i: number) => Pair {
  const next = xorshift(0x9e3779b9);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  switch (distribution) {
    case "uniform":
      return () => [next(), next()];
    case "equal":
      return () => {
        const value = next();
        return [value, value];
      };
    case "constant":
      return () => [0.5, 0.5];
    case "gauss":
      return () => [0.5 + 0.1 * normal(), 0.5 + 0.1 * normal()];
    case "correlated":
      return () => {
        const value = 0.15 * normal();
        return [0.5 + value, 0.5 + value + 0.02 * normal()];
      };
    case "outside":
      return () => [next() * 2 - 0.5, next() * 2 - 0.5];
    case "two":
      return (i) => (i % 2 === 0 ? [0.25, 0.25] : [0.75, 0.75]);
    case "sorted":
      return (i) => [i / n, i / n];
    case "smooth":
      return (i) => [0.5 + 0.4 * Math.sin(i / 1000), 0.5 + 0.4 * Math.cos(i / 1300)];
  }
}
