/** A factor within this distance of 1 is a draw. */
export const DRAW = 0.05;

/** Classifies a factor: -1 below 1, 0 a draw, 1 above. */
export function side(factor: number): number {
  return Math.abs(Math.log(factor)) <= Math.log(1 + DRAW) ? 0 : Math.sign(Math.log(factor));
}
