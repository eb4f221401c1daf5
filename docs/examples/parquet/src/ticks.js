/** About `wanted` round numbers within a range: multiples of 1, 2 or 5 times a power of ten. */
export function ticks(lo, hi, wanted) {
  if (!(hi > lo)) return [lo];
  const power = 10 ** Math.floor(Math.log10((hi - lo) / wanted));
  const step = [1, 2, 5, 10].map((of) => of * power).find((one) => (hi - lo) / one <= wanted) ?? 10 * power;
  const first = Math.ceil(lo / step);
  const count = Math.floor(hi / step) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
