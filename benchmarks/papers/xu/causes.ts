import type { Measured } from "../measured.ts";
import { digits } from "../readings/index.ts";

/** Floats are added by compare-and-exchange, which equal values slow down. The device has integer additions. */
export function floatAtomics(measured: Measured): string | null {
  const rows = measured
    .sums("Figure 9")
    .filter(({ algorithm, weighted }) => algorithm === "weighted-collision" && !weighted.skip);
  const of = (precision: string) =>
    [undefined, 0].map(
      (sigma) =>
        rows.find(({ weighted }) => weighted.sigma === sigma && weighted.precision === precision)?.gbps,
    );
  const [[uniform, equal], [integers, equalIntegers]] = [of("fast"), of("reproducible")] as const;
  if (!uniform || !equal || !integers || !equalIntegers || uniform / equal < 2 * (integers / equalIntegers)) {
    return null;
  }
  return `Equal values only slow the additions of floats down. From uniform to equal values the collision method goes from ${digits(uniform)} to ${digits(equal)} GB/s with floats, and from ${digits(integers)} to ${digits(equalIntegers)} GB/s with integers.`;
}

/** The number of blocks decides when a device is full. */
export function blocksOf(figure: "Figure 5" | "Figure 6"): (measured: Measured) => string | null {
  return (measured) => {
    const rows = measured.sums(figure).toSorted((a, b) => a.n - b.n);
    const most = Math.max(...rows.map(({ gbps }) => gbps));
    const full = rows.find(({ gbps }) => gbps >= 0.95 * most);
    const launch = /(\d+) x (\d+) threads/.exec(full?.weighted.plans[0] ?? "");
    const first = rows[0];
    if (full === undefined || launch === null || first === undefined) return null;
    const what = (row: typeof full) =>
      figure === "Figure 5"
        ? `${digits(row.weighted.documents)} documents`
        : `${digits(row.weighted.features)} features`;
    if (figure === "Figure 6") {
      const bytes = /(\d+) bytes (?:a|per) block/.exec(full.weighted.plans[0]!)?.[1];
      return `${what(full)} already launch ${digits(Number(launch[1]))} blocks of ${launch[2]} threads, with ${digits(Number(bytes))} bytes of shared memory each.`;
    }
    const micro = (row: typeof full) => digits(Math.min(...row.ms) * 1000);
    return `A launch takes ${micro(first)} µs for ${what(first)} and ${micro(full)} µs for ${what(full)}, so its fixed part only becomes small there.`;
  };
}
