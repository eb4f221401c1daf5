const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** Returns the smallest f64 above a number, and Infinity for Infinity. */
export function nextUp(x: number): number {
  if (x === 0) return Number.MIN_VALUE;
  if (x === Infinity) return x;
  double[0] = x;
  bits[0]! += x > 0 ? 1n : -1n;
  return double[0]!;
}
