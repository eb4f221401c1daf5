import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Results, Row } from "../runner/row.ts";
import { throughput } from "../runner/statistics.ts";
import { type Basis, CUB_ON_DEVICE, cellsOf, LOOP } from "./calls.ts";
import { cpuCalls } from "./cpu-calls.ts";
import { figure, markdown } from "./markdown.ts";

interface Comparison {
  readonly what: string;
  readonly basis: Basis;
  readonly n: number;
  readonly distribution?: string;
  readonly ours: string;
  readonly theirs: string;
}

interface Source {
  /** Below results/; the first that exists is taken. */
  readonly files: readonly string[];
  readonly rows: (rows: readonly Row[]) => readonly Row[];
  readonly comparisons: readonly Comparison[];
}

const [KIB, MIB, GIB] = [2 ** 10, 2 ** 20, 2 ** 30];
const KERNEL = "`@polybin/cuda`, per-lane";
const COUNT = "`@polybin/cuda`, count";
const TWO = "`@polybin/piscina`, count, calling thread or 2 workers";
const ONE = "`@polybin/piscina`, count, calling thread or 1 worker";

/** The README's comparisons: each with its counterpart, wins and losses. */
const SOURCES: readonly Source[] = [
  {
    files: ["nvidia-h200/cuda-calls.json"],
    rows: (rows) => rows,
    comparisons: [
      { what: "kernel alone, 1 GiB uniform", basis: "kernels", n: GIB, ours: KERNEL, theirs: "CUB" },
      {
        what: "kernel alone, 1 GiB of zeros",
        ...{ basis: "kernels", n: GIB, distribution: "zeros", ours: KERNEL, theirs: "CUB" },
      },
      { what: "call, 1 GiB uniform", basis: "calls", n: GIB, ours: COUNT, theirs: CUB_ON_DEVICE },
      { what: "call, 1 GiB uniform", basis: "calls", n: GIB, ours: COUNT, theirs: "PyTorch" },
      { what: "call, 1 MiB uniform", basis: "calls", n: MIB, ours: COUNT, theirs: CUB_ON_DEVICE },
      { what: "call, 1 KiB uniform", basis: "calls", n: KIB, ours: COUNT, theirs: CUB_ON_DEVICE },
    ],
  },
  {
    files: ["amd-epyc-2/calls.json", "amd-epyc-2/axes.json"],
    rows: cpuCalls,
    comparisons: [
      { what: "call, 256 MiB uniform", basis: "calls", n: 256 * MIB, ours: TWO, theirs: "C" },
      { what: "call, 256 MiB uniform", basis: "calls", n: 256 * MIB, ours: ONE, theirs: "C" },
      { what: "call, 1 MiB uniform", basis: "calls", n: MIB, ours: TWO, theirs: "C" },
      { what: "call, 1 MiB uniform", basis: "calls", n: MIB, ours: ONE, theirs: "NumPy" },
      { what: "call, 64 KiB uniform", basis: "calls", n: 64 * KIB, ours: ONE, theirs: LOOP },
    ],
  },
];

const timeOf = (us: number): string => (us < 1000 ? `${figure(us)} µs` : `${figure(us / 1000)} ms`);

/** The README's table: calls compared with calls, kernels with kernels, and each file named once. */
export function glanceTable(results: string, up: string): string[] {
  const lines: string[][] = [];
  const notes: string[] = [];
  for (const { files, rows: rowsOf, comparisons } of SOURCES) {
    const file = files.find((name) => existsSync(join(results, name)));
    if (file === undefined) continue;
    const { rows, commit, date, machine } = JSON.parse(readFileSync(join(results, file), "utf8")) as Results;
    const name = machine.gpu ?? `${machine.cores} cores of an ${machine.cpu}`;
    const known = rowsOf(rows);
    for (const { what, basis, n, distribution = "uniform", ours, theirs } of comparisons) {
      const cells = cellsOf({ rows: known, basis, n, distribution });
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
  const heads = ["on", "bytes in 256 bins", "polybin", "compared with", "polybin is"];
  return [...markdown([heads, ...lines]), "", `Medians from ${notes.join(" and ")}.`];
}
