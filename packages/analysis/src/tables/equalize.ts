import { type Levels, levelCounts, newTable, roundEven, type Table } from "./levels.ts";

/**
 * Returns the table that equalizes a histogram, as OpenCV's `equalizeHist` defines it. With v0 the smallest value that
 * occurs and n the number of samples:
 *
 *   table[v] = round(number of samples in (v0, v] * ((levels - 1) / (n - number of samples at v0)))
 *
 * Halves go to the even neighbour. A picture of one value keeps it. For 8 bits, the arithmetic is OpenCV's single precision,
 * so the table is OpenCV's byte for byte. For 16 bits, which OpenCV does not support, it is the same formula in doubles.
 * @param histogram one bin per value: 256 or 65,536 bins.
 * @returns 256 bytes, or 65,536 16-bit numbers.
 * @throws ERR_INPUT for invalid counts, or if there are no samples. ERR_AXIS for other bins.
 */
export function equalize(histogram: Levels): Table {
  const counts = levelCounts(histogram);
  const levels = counts.length;
  const single = levels === 256 ? Math.fround : (value: number) => value;
  const first = counts.findIndex((count) => count > 0);
  const others = counts.reduce((sum, count) => sum + count, 0) - counts[first]!;
  const table = newTable(levels);
  if (others === 0) return table.fill(first);
  const scale = single((levels - 1) / single(others));
  let sum = 0;
  for (let value = first + 1; value < levels; value++) {
    sum += counts[value]!;
    table[value] = Math.min(roundEven(single(single(sum) * scale)), levels - 1);
  }
  return table;
}
