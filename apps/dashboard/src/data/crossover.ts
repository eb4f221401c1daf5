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

/** Who is the fastest at a size, or at the next that was measured, and on which machine. */
function whoAt(rows: readonly Row[], n: number): string {
  const row = rows.find((one) => one.n >= n) ?? rows.at(-1)!;
  return `${nameOf(row)} on ${row.file.folder}`;
}

/** The CPU of one machine and the GPU of one. */
interface Pair {
  readonly cpu: readonly Row[];
  readonly gpu: readonly Row[];
  /** Sizes measured on both, ascending. */
  readonly common: readonly number[];
  readonly isOneMachine: boolean;
}

/** Whom to compare: what was measured at the same sizes, on one machine if there is such a one, at as many as possible. */
function pairOf(cpuRows: readonly Row[], gpuRows: readonly Row[]): Pair {
  const byMachine = (rows: readonly Row[]) => [...Map.groupBy(rows, ({ file }) => file.folder)];
  const pairs = byMachine(gpuRows).flatMap(([gpuFolder, onGpu]) =>
    byMachine(cpuRows).map(([cpuFolder, onCpus]): Pair => {
      const [cpu, gpu] = [fastest(onCpus), fastest(onGpu)];
      const common = cpu.map(({ n }) => n).filter((n) => gpu.some((row) => row.n === n));
      return { cpu, gpu, common, isOneMachine: cpuFolder === gpuFolder };
    }),
  );
  const better = (a: Pair, b: Pair) =>
    Number(b.common.length > 0) - Number(a.common.length > 0) ||
    Number(b.isOneMachine) - Number(a.isOneMachine) ||
    b.common.length - a.common.length;
  return pairs.toSorted(better)[0]!;
}

/** Compares the fastest of a machine's CPU and of a GPU at every size where both are known. */
export function crossover(cpuRows: readonly Row[], gpuRows: readonly Row[]): Crossover {
  if (cpuRows.length === 0 || gpuRows.length === 0) {
    const absent = cpuRows.length === 0 ? "CPU" : "GPU";
    return {
      at: null,
      headline: "No crossover to show.",
      detail: `No ${absent} row of these samples, this distribution and this kind of data is among the selected results.`,
    };
  }
  const { cpu, gpu, common } = pairOf(cpuRows, gpuRows);
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
      headline: "No size was measured on both.",
      detail: `The CPU was measured from ${sizeOf(cpu[0]!.n)} to ${sizeOf(cpu.at(-1)!.n)}, the GPU from ${sizeOf(gpu[0]!.n)} to ${sizeOf(gpu.at(-1)!.n)}.`,
    };
  }
  const turn = compared.findIndex(({ c, g }) => g > c);
  // Between two sizes there is a line, but nothing that was measured.
  const told = common.at(-1) ?? last.n;
  const { g, c } = compared.find(({ n }) => n === told)!;
  const who = `${whoAt(gpu, told)} against ${whoAt(cpu, told)}`;
  const factor = `${figure(g / c)} times the CPU's throughput at ${sizeOf(told)} (${who})`;
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
