import type { Row } from "./types.ts";
import { figure, isOurs, nameOf, onCpu, sizeOf } from "./words.ts";

/** The number of samples from which on a GPU is faster than the CPU, within the measured range. */
export interface Crossover {
  /** Number of samples; null if it lies outside the measured range or nothing can be compared. */
  readonly at: number | null;
  /** Number of sizes that were measured on both. */
  readonly sizes: number;
  /** Names of the contestants that cross, the GPU's first. */
  readonly between: readonly string[];
  readonly headline: string;
  readonly detail: string;
}

/** Splits the rows of our own backends into both sides of the crossover: single calls on one device. */
export function sides(rows: readonly Row[]): { readonly cpu: Row[]; readonly gpu: Row[] } {
  const ours = rows.filter((row) => isOurs(row) && row.devices === undefined && row.inFlight === undefined);
  return { cpu: ours.filter(onCpu), gpu: ours.filter((row) => !onCpu(row)) };
}

/** The fastest row at each size, by size. */
function fastest(rows: readonly Row[]): Row[] {
  const bySize = Map.groupBy(rows, ({ n }) => n);
  return [...bySize.values()]
    .map((group) => group.reduce((a, b) => (b.gbps > a.gbps ? b : a)))
    .sort((a, b) => a.n - b.n);
}

/** Interpolates GB/s at a size between measured neighbours on logarithmic axes. Returns null outside of them. */
function at(rows: readonly Row[], n: number): number | null {
  const right = rows.findIndex((row) => row.n >= n);
  if (right < 0) return null;
  const b = rows[right]!;
  if (b.n === n) return b.gbps;
  const a = rows[right - 1];
  if (a === undefined) return null;
  const part = Math.log(n / a.n) / Math.log(b.n / a.n);
  return a.gbps * (b.gbps / a.gbps) ** part;
}

/** Names the fastest contestant at a size, or at the next measured one. */
function whoAt(rows: readonly Row[], n: number): string {
  return nameOf(rows.find((one) => one.n >= n) ?? rows.at(-1)!);
}

/** Compares a machine's fastest CPU row with its fastest GPU row, by whole calls, at every size where both are known. */
export function crossover(cpuRows: readonly Row[], gpuRows: readonly Row[]): Crossover {
  if (cpuRows.length === 0 || gpuRows.length === 0) {
    const absent = cpuRows.length === 0 ? "CPU" : "GPU";
    return {
      at: null,
      sizes: 0,
      between: [],
      headline: "No crossover to show.",
      detail: `This machine's ${absent} was not measured for these samples, this distribution and this data location.`,
    };
  }
  const [cpu, gpu] = [fastest(cpuRows), fastest(gpuRows)];
  const common = cpu.map(({ n }) => n).filter((n) => gpu.some((row) => row.n === n));
  const sizes = [...new Set([...cpu, ...gpu].map(({ n }) => n))].sort((a, b) => a - b);
  const compared = sizes.flatMap((n) => {
    const [c, g] = [at(cpu, n), at(gpu, n)];
    return c === null || g === null ? [] : [{ n, c, g }];
  });
  const [first] = compared;
  const last = compared.at(-1);
  if (first === undefined || last === undefined) {
    return {
      at: null,
      sizes: 0,
      between: [],
      headline: "No size was measured on both.",
      detail: `The CPU was measured from ${sizeOf(cpu[0]!.n)} to ${sizeOf(cpu.at(-1)!.n)} samples, and the GPU from ${sizeOf(gpu[0]!.n)} to ${sizeOf(gpu.at(-1)!.n)}.`,
    };
  }
  const turn = compared.findIndex(({ c, g }) => g > c);
  // The sentence quotes a measured size, since values between two sizes are interpolated.
  const told = common.at(-1) ?? last.n;
  const { g, c } = compared.find(({ n }) => n === told)!;
  const who = `${whoAt(gpu, told)} against ${whoAt(cpu, told)}`;
  const factor = `${figure(g / c)} times the CPU's throughput at ${sizeOf(told)} samples (${who})`;
  if (turn < 0) {
    return {
      at: null,
      sizes: common.length,
      between: [],
      headline: "The CPU is faster at every size that was measured on both.",
      detail: `The GPU reaches ${factor}.`,
    };
  }
  if (turn === 0) {
    return {
      at: null,
      sizes: common.length,
      between: [],
      headline: `The GPU is faster at every size that was measured on both, from ${sizeOf(first.n)} samples on.`,
      detail: `It reaches ${factor}.`,
    };
  }
  const [a, b] = [compared[turn - 1]!, compared[turn]!];
  const before = Math.log(a.c / a.g);
  const n = a.n * (b.n / a.n) ** (before / (before + Math.log(b.g / b.c)));
  const between = [whoAt(gpu, n), whoAt(cpu, n)];
  return {
    at: n,
    sizes: common.length,
    between,
    headline: `The GPU overtakes the CPU at about ${Number(n.toPrecision(2)).toLocaleString("en")} samples.`,
    detail: `There ${between.join(" overtakes ")}. The GPU reaches ${factor}.`,
  };
}
