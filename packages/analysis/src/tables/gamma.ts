import { checkedNumber, checkOptions, expected } from "../error.ts";
import { type Bits, newTable, type Table } from "./levels.ts";

/** Options of `gamma`. */
export interface GammaOptions {
  /** Bits of a sample, 8 or 16. Default: 8. */
  readonly bits?: Bits;
  /** A factor for the result. Default: 1. */
  readonly gain?: number;
}

/**
 * Returns the table of a power law, as scikit-image's `adjust_gamma` defines it. Results are truncated:
 *
 *   8 bits     table[v] = min(255 * gain * (v / 255) ** gamma, 255)
 *   16 bits    table[v] = min((v / 65535) ** gamma * 65535 * gain, 65535)
 *
 * scikit-image does not limit the result for 16 bits, so values above 65,535 wrap around there. A gamma above 1 makes a
 * picture darker.
 * @param exponent gamma, a finite number of at least 0.
 * @returns 256 bytes, or 65,536 16-bit numbers.
 * @throws ERR_INPUT for an invalid gamma, depth or gain.
 */
export function gamma(exponent: number, options: GammaOptions = {}): Table {
  checkedNumber(exponent, "gamma", 0);
  checkOptions(options, ["bits", "gain"]);
  const { bits = 8 } = options;
  if (bits !== 8 && bits !== 16) throw expected("ERR_INPUT", "bits", "8 or 16", bits);
  const gain = checkedNumber(options.gain ?? 1, "gain", 0);
  const most = 2 ** bits - 1;
  return newTable(most + 1).map((_, value) => {
    const scaled =
      bits === 8
        ? most * gain * power(value * (1 / most), exponent)
        : power(value / most, exponent) * most * gain;
    return Math.min(scaled, most);
  });
}

/** NumPy takes the square and the root for these exponents, which `Math.pow` rounds otherwise. */
function power(base: number, exponent: number): number {
  if (exponent === 2) return base * base;
  return exponent === 0.5 ? Math.sqrt(base) : base ** exponent;
}
