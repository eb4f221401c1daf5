import type { Measured } from "../measured.ts";
import { digits } from "../readings/index.ts";
import { countersOf, memoryOf } from "./counters.ts";
import { countedAsPlotted } from "./figure-7.ts";

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
  return `Equal values mainly slow additions of floats down, which the device does by compare-and-exchange. From uniform to equal values the collision method goes from ${digits(uniform)} to ${digits(equal)} GB/s with floats, and from ${digits(integers)} to ${digits(equalIntegers)} GB/s with integers.`;
}

/** The first cell of Figure 5 or 6 that reaches nearly the highest throughput, the smallest one, and the full one's launch. */
function fullOf(measured: Measured, figure: "Figure 5" | "Figure 6") {
  const rows = measured.sums(figure).toSorted((a, b) => a.n - b.n);
  const most = Math.max(...rows.map(({ gbps }) => gbps));
  const [first, full] = [rows[0], rows.find(({ gbps }) => gbps >= 0.95 * most)];
  const launch = /(\d+) x (\d+) threads/.exec(full?.weighted.plans[0] ?? "");
  return first === undefined || full === undefined || launch === null ? null : { first, full, launch };
}

/** The fixed part of a launch decides with few documents. */
export function fixedPart(measured: Measured): string | null {
  const found = fullOf(measured, "Figure 5");
  if (found === null) return null;
  const [[few, first], [many, full]] = [found.first, found.full].map(({ weighted: { documents }, ms }) => [
    `${digits(documents)} documents`,
    digits(Math.min(...ms) * 1000),
  ]) as [[string, string], [string, string]];
  return `A launch takes ${first} µs for ${few} and ${full} µs for ${many}, so its fixed part only becomes small there.`;
}

/** The number of blocks decides when a device is full. */
export function blocksThatFill(measured: Measured): string | null {
  const found = fullOf(measured, "Figure 6");
  if (found === null) return null;
  const { full, launch } = found;
  const bytes = /(\d+) bytes (?:a|per) block/.exec(full.weighted.plans[0]!)?.[1];
  return `${digits(full.weighted.features)} features already launch ${digits(Number(launch[1]))} blocks of ${launch[2]} threads, with ${digits(Number(bytes))} bytes of shared memory each.`;
}

/** The paper's occupancy of the collision-reduced method with 1,024 bins, in percent (6.2.2). */
const OCCUPANCY_THEN = 25;

/** More warps of the collision-reduced method fit on a multiprocessor than in the paper. */
export function lowOccupancy(measured: Measured): string | null {
  const found = countersOf(measured, "Figure 9").find(
    ({ cell, sigma }) => cell.algorithm === "weighted-collision-reduced" && sigma === null,
  );
  const share = found?.values.occupancyMost;
  if (share == null || share <= OCCUPANCY_THEN) return null;
  return `The paper's kernel has an occupancy of ${OCCUPANCY_THEN}%. Ours has up to ${digits(share)}% (ncu), because a multiprocessor now has more shared memory.`;
}

/** Registers and spills of the most unrolled kernel. */
export function noSpills(measured: Measured): string | null {
  const found = countersOf(measured, "Figure 4").find(({ cell }) => cell.unroll === 32)?.values;
  if (found?.registers == null || found.spills == null) return null;
  return found.spills === 0
    ? `With N_unroll = 32 the kernel takes ${digits(found.registers)} registers per thread and spills none (ncu).`
    : `With N_unroll = 32 the kernel takes ${digits(found.registers)} registers per thread and loads ${digits(found.spills)} spilled sectors (ncu), which does not outweigh the gain.`;
}

/** Names the limit of the collision-free method with two bins. */
export function notMemory(measured: Measured): string | null {
  const found = countedAsPlotted(measured).find(({ bins }) => bins === 2);
  const { memoryShare = null, instructions = null } = found?.values ?? {};
  const documents = found === undefined ? null : found.bytes * 2;
  const gbps = found === undefined ? null : memoryOf(found);
  if (memoryShare === null || instructions === null || documents === null || gbps === null) return null;
  if (memoryShare > 60) return null;
  return `With 2 bins memory does not limit the kernel: it moves ${digits(gbps)} GB/s, ${digits(memoryShare)}% of the peak, and executes ${digits((instructions * 32) / documents)} instructions per document (ncu).`;
}

/** Atomic additions of the collision-reduced method on equal and on uniform values. */
export function moreAtomics(measured: Measured): string | null {
  const [equal, uniform] = [0, null].map((deviation) => {
    const found = countersOf(measured, "Figure 9").find(
      ({ cell, sigma }) => cell.algorithm === "weighted-collision-reduced" && sigma === deviation,
    );
    return found?.values.instructions ?? null;
  });
  if (equal == null || uniform == null || uniform <= equal) return null;
  return `Different values fill more units of the buffers, which costs more than collisions: the kernel executes ${digits(uniform / 1e6)} million instructions on uniform values, and ${digits(equal / 1e6)} million on equal ones (ncu).`;
}
