import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Results } from "../runner/row.ts";
import { throughput } from "../runner/statistics.ts";
import { type Basis, CUB_ON_DEVICE, cellsOf, LOOP } from "./calls.ts";
import { cpuFiles } from "./cpu.ts";
import { figure, markdown } from "./markdown.ts";

interface Comparison {
  readonly what: string;
  readonly basis: Basis;
  readonly n: number;
  /** Default: "u8". */
  readonly type?: string;
  readonly distribution?: string;
  readonly ours: string;
  readonly theirs: string;
  /** Whether the README shows it. */
  readonly isFirst?: true;
}

interface Source {
  /** Below results/. */
  readonly file: string;
  readonly comparisons: readonly Comparison[];
}

const [KIB, MIB, GIB] = [2 ** 10, 2 ** 20, 2 ** 30];
const KERNEL = "`@polybin/cuda`, per-lane";
const COUNT = "`@polybin/cuda`, count";
const native = (threads: number, call = "count") =>
  `\`@polybin/native\`, ${call}, ${threads} thread${threads === 1 ? "" : "s"}`;

const first = { isFirst: true } as const;

/** Comparisons on a CPU with this number of threads. Synchronous programs are compared with synchronous calls. */
function onCpu(threads: number): Comparison[] {
  const calls = { basis: "calls" } as const;
  const one = { ...calls, ours: native(1, "countSync") };
  const all = { ...calls, ours: native(threads) };
  return [
    { ...all, what: "4 MiB of bytes", n: 4 * MIB, theirs: "OpenCV", ...first },
    { ...one, what: "64 MiB of bytes", n: 64 * MIB, theirs: "C", ...first },
    { ...one, what: "64 MiB of bytes", n: 64 * MIB, theirs: "OpenCV, 1 thread", ...first },
    { ...all, what: "64 MiB of bytes", n: 64 * MIB, theirs: "C with threads" },
    { ...all, what: "64 MiB of bytes", n: 64 * MIB, theirs: "OpenCV" },
    { ...one, what: "2^20 of f32", n: MIB, type: "f32", theirs: "C" },
    { ...one, what: "2^20 of f32", n: MIB, type: "f32", theirs: "NumPy", ...first },
    { ...one, what: "2^20 of f32", n: MIB, type: "f32", theirs: "fast-histogram" },
    { ...one, what: "2^19 of f64", n: MIB / 2, type: "f64", theirs: "NumPy" },
    { ...one, what: "4 KiB of bytes", n: 4 * KIB, theirs: LOOP },
    { ...one, what: "64 bytes", n: 64, theirs: LOOP, ...first },
  ];
}

/** Comparisons on a GPU: each with its counterpart, wins and losses. */
const SOURCES: readonly Source[] = [
  {
    file: "nvidia-h200/cuda-calls.json",
    comparisons: [
      { what: "kernel alone, 1 GiB of bytes", basis: "kernels", n: GIB, ours: KERNEL, theirs: "CUB" },
      {
        what: "kernel alone, 1 GiB of zeros",
        ...{ basis: "kernels", n: GIB, distribution: "zeros", ours: KERNEL, theirs: "CUB" },
      },
      { what: "1 GiB of bytes", basis: "calls", n: GIB, ours: COUNT, theirs: CUB_ON_DEVICE, ...first },
      { what: "1 GiB of bytes", basis: "calls", n: GIB, ours: COUNT, theirs: "PyTorch" },
      { what: "1 MiB of bytes", basis: "calls", n: MIB, ours: COUNT, theirs: CUB_ON_DEVICE },
      { what: "1 KiB of bytes", basis: "calls", n: KIB, ours: COUNT, theirs: CUB_ON_DEVICE },
    ],
  },
];

const timeOf = (us: number): string => (us < 1000 ? `${figure(us)} µs` : `${figure(us / 1000)} ms`);

/** The sources of a table: all of them, or a GPU's and the smallest CPU's, which is most like the reader's. */
function sourcesIn(results: string, of: "all" | "first"): readonly Source[] {
  const cpus = cpuFiles(results).map(({ file, found }) => ({
    file,
    comparisons: onCpu(found.machine.cores),
  }));
  const gpus = SOURCES.filter(({ file }) => existsSync(join(results, file)));
  if (of === "all") return [...cpus, ...gpus];
  return [...cpus.slice(-1), ...gpus].map(({ file, comparisons }) => ({
    file,
    comparisons: comparisons.filter(({ isFirst }) => isFirst),
  }));
}

/** Compares calls with calls and kernels with kernels, and names each file once. `first` is the table of the README. */
export function glanceTable(results: string, up: string, of: "all" | "first"): string[] {
  const lines: string[][] = [];
  const notes: string[] = [];
  for (const { file, comparisons } of sourcesIn(results, of)) {
    const { rows, commit, date, machine } = JSON.parse(readFileSync(join(results, file), "utf8")) as Results;
    const name = machine.gpu ?? `${machine.cores} cores of ${machine.cpu}`;
    for (const { what, basis, n, type, distribution = "uniform", ours, theirs } of comparisons) {
      const cells = cellsOf({ rows, basis, n, distribution, ...(type && { type }) });
      const [own, other] = [ours, theirs].map((who) => cells.find((cell) => cell.who === who));
      if (own === undefined || other === undefined) continue;
      const show = (us: number) =>
        basis === "kernels" ? `${figure(throughput(n, [us / 1000]))} GB/s` : timeOf(us);
      const times = other.us / own.us;
      const verdict =
        times >= 1
          ? `${figure(times)} times as fast`
          : `**slower**: takes ${figure(1 / times)} times as long`;
      lines.push([name, what, `${ours}: ${show(own.us)}`, `${theirs}: ${show(other.us)}`, verdict]);
    }
    const where = `[${file}](${up}benchmarks/results/${file})`;
    notes.push(`${where} (${date.slice(0, 10)}, commit ${commit.slice(0, 12)})`);
  }
  const heads = ["on", "256 bins", "polybin", "compared with", "polybin is"];
  return [...markdown([heads, ...lines]), "", `Medians from ${notes.join(" and ")}.`];
}
