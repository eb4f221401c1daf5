import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Results } from "../runner/row.ts";
import { throughput } from "../runner/statistics.ts";
import { type Basis, CUB_ON_DEVICE, cellsOf, LOOP } from "./calls.ts";
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
const native = (threads: number) =>
  `\`@polybin/native\`, count, ${threads} thread${threads === 1 ? "" : "s"}`;

const first = { isFirst: true } as const;

/** Comparisons on a CPU with this number of threads. */
const onCpu = (threads: number): Comparison[] => [
  { what: "4 MiB of bytes", basis: "calls", n: 4 * MIB, ours: native(threads), theirs: "OpenCV" },
  { what: "64 MiB of bytes", basis: "calls", n: 64 * MIB, ours: native(threads), theirs: "OpenCV", ...first },
  {
    what: "64 MiB of bytes",
    ...{ basis: "calls", n: 64 * MIB, ours: native(threads), theirs: "C with threads", ...first },
  },
  {
    what: "2^20 of f32",
    ...{ basis: "calls", n: MIB, type: "f32", ours: native(1), theirs: "NumPy", ...first },
  },
  { what: "2^20 of f32", basis: "calls", n: MIB, type: "f32", ours: native(1), theirs: "fast-histogram" },
  { what: "2^19 of f64", basis: "calls", n: MIB / 2, type: "f64", ours: native(1), theirs: "NumPy" },
  { what: "64 MiB of bytes", basis: "calls", n: 64 * MIB, ours: native(1), theirs: "C", ...first },
  { what: "4 KiB of bytes", basis: "calls", n: 4 * KIB, ours: native(1), theirs: LOOP },
  { what: "64 bytes", basis: "calls", n: 64, ours: native(1), theirs: LOOP, ...first },
];

/** Each comparison has its counterpart, wins and losses. The README shows CPUs of the first file that exists. */
const SOURCES: readonly Source[] = [
  { file: "amd-epyc-2/cpu.json", comparisons: onCpu(2) },
  { file: "nvidia-h200/cpu.json", comparisons: onCpu(16) },
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

/** The files of a table: all of them, or one of a CPU and one of a GPU. */
function sourcesIn(results: string, of: "all" | "first"): readonly Source[] {
  const found = SOURCES.filter(({ file }) => existsSync(join(results, file)));
  if (of === "all") return found;
  const isCpu = ({ file }: Source) => file.endsWith("/cpu.json");
  const cpu = found.find(isCpu);
  return found
    .filter((source) => source === cpu || !isCpu(source))
    .map(({ file, comparisons }) => ({ file, comparisons: comparisons.filter(({ isFirst }) => isFirst) }));
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
