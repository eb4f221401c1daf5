import type { Row } from "./types.ts";
import { figure, isOurs, nameOf, onCpu, sizeOf } from "./words.ts";

/** From how many samples on a GPU is faster than the CPU, as far as was measured. */
export interface Crossover {
  /** Samples; null where it lies outside what was measured, or nothing can be compared. */
  readonly at: number | null;
  readonly headline: string;
  readonly detail: string;
}

/** Both sides of the crossover, of our own backends: whole calls on a GPU, too, where its rows tell them. */
export function sides(rows: readonly Row[]): {
  readonly cpu: Row[];
  readonly gpu: Row[];
  /** Are the GPU's times its kernels' alone? */
  readonly kernels: boolean;
} {
  const ours = rows.filter((row) => isOurs(row) && row.devices === undefined);
  const gpu = ours.filter((row) => !onCpu(row));
  const calls = gpu.flatMap((row) => (row.callGbps === undefined ? [] : [{ ...row, gbps: row.callGbps }]));
  const kernels = calls.length === 0 && gpu.some(({ residence }) => residence === "resident");
  return { cpu: ours.filter(onCpu), gpu: calls.length > 0 ? calls : gpu, kernels };
}

/** The fastest row at each size, by size. */
function fastest(rows: readonly Row[]): Row[] {
  const bySize = Map.groupBy(rows, ({ n }) => n);
  return [...bySize.values()]
    .map((group) => group.reduce((a, b) => (b.gbps > a.gbps ? b : a)))
    .sort((a, b) => a.n - b.n);
}

/** GB/s at a size, along a straight line between measured neighbours on logarithmic axes; null outside of them. */
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

/** Compares the fastest of either kind at every size where both are known. */
export function crossover(cpuRows: readonly Row[], gpuRows: readonly Row[]): Crossover {
  const cpu = fastest(cpuRows);
  const gpu = fastest(gpuRows);
  if (cpu.length === 0 || gpu.length === 0) {
    const absent = cpu.length === 0 ? "CPU" : "GPU";
    return {
      at: null,
      headline: "No crossover to show.",
      detail: `No ${absent} row of these samples, this distribution and this kind of data is among the selected results.`,
    };
  }
  const sizes = [...new Set([...cpu, ...gpu].map(({ n }) => n))].sort((a, b) => a - b);
  const compared = sizes.flatMap((n) => {
    const [c, g] = [at(cpu, n), at(gpu, n)];
    return c === null || g === null ? [] : [{ n, c, g }];
  });
  const who = `${nameOf(gpu.at(-1)!)} on ${gpu.at(-1)!.file.folder} against ${nameOf(cpu.at(-1)!)} on ${cpu.at(-1)!.file.folder}`;
  const [first] = compared;
  const last = compared.at(-1);
  if (first === undefined || last === undefined) {
    return {
      at: null,
      headline: "No size was measured on both.",
      detail: `The CPU was measured from ${sizeOf(cpu[0]!.n)} to ${sizeOf(cpu.at(-1)!.n)}, the GPU from ${sizeOf(gpu[0]!.n)} to ${sizeOf(gpu.at(-1)!.n)}.`,
    };
  }
  const turn = compared.findIndex(({ c, g }) => g > c);
  const factor = `${figure(last.g / last.c)} times the CPU's throughput at ${sizeOf(last.n)} (${who})`;
  if (turn < 0) {
    return {
      at: null,
      headline: "The CPU is faster at every size measured on both.",
      detail: `The GPU has ${factor}.`,
    };
  }
  if (turn === 0) {
    return {
      at: null,
      headline: `The GPU is faster at every size measured on both, from ${sizeOf(first.n)} on.`,
      detail: `It has ${factor}.`,
    };
  }
  const [a, b] = [compared[turn - 1]!, compared[turn]!];
  const before = Math.log(a.c / a.g);
  const n = a.n * (b.n / a.n) ** (before / (before + Math.log(b.g / b.c)));
  return {
    at: n,
    headline: `The GPU overtakes the CPU at about ${Math.round(n).toLocaleString("en")} samples.`,
    detail: `It has ${factor}.`,
  };
}
