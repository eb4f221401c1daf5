/** The 256 values that stretch those between two levels over the whole range. */
export function stretchTable([low, high]) {
  const wide = Math.max(high - low, 1);
  return Uint8ClampedArray.from({ length: 256 }, (_, value) => (255 * (value - low)) / wide);
}
