import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RESULTS } from "../runner/machine.ts";
import type { Results, Row } from "../runner/row.ts";
import { byDistribution, bySize, type Chosen, CUB_ON_DEVICE, CUB_ON_HOST, ratios } from "./calls.ts";
import { cpuFiles, goalTable } from "./cpu.ts";
import { threadLines } from "./cpu-goals.ts";
import { glanceTable } from "./glance.ts";
import { machineTable } from "./machines.ts";
import { markdown } from "./markdown.ts";
import { segmentTable } from "./segments.ts";
import { tableFilesTable } from "./table-files.ts";

/** A table of a document, made from the first of its files that exists and has rows for it. */
export interface Figure {
  /** Paths below results/, the preferred one first. */
  readonly files: readonly string[];
  /** Makes the table's lines; none if the file has no rows for it. */
  table(rows: Results["rows"]): string[];
}

const GPU = "nvidia-h200";
const HOST = "amd-epyc-2";
const GIB = 2 ** 30;
const CUDA = "`@polybin/cuda`";
const COUNT = `${CUDA}, count`;
const SYNC = `${CUDA}, countSync`;
const KERNEL = `${CUDA}, per-lane`;
const CALLERS = [SYNC, COUNT, CUB_ON_DEVICE, CUB_ON_HOST, "CUB", "PyTorch", "CuPy"];
/** Programs on one thread and on all, in memory that all programs have. */
const onCpu = (rows: Results["rows"]) => {
  const all = Math.max(...rows.map(({ threads = 1 }) => threads));
  return rows.filter(
    ({ memory, threads = 1, backend, call }) =>
      memory === undefined && (threads === 1 || threads === all) && !(backend === "cpu" && call === "count"),
  );
};
const SIZES = [6, 10, 13, 16, 20, 22, 24, 26, 28, 30, 32].map((exponent) => 2 ** exponent);

/** The files of CPUs, the machines with most cores first. */
const CPUS = cpuFiles(RESULTS).map(({ file }) => file);
/** Programs that take part in all distributions. */
const isEverywhere = ({ peer, backend, call, variant }: Row) =>
  backend === "native" ||
  backend === "cpu" ||
  peer === "c" ||
  variant === "checks the range" ||
  (peer === "opencv" && call === "count");

const calls = (rows: Results["rows"], more: Partial<Chosen> = {}): Chosen => ({
  rows,
  basis: "calls",
  ...more,
});
const atSizes = (rows: readonly Results["rows"][number][]) => rows.filter(({ n }) => SIZES.includes(n));
/** Returns CUB's line for comparisons. Older files have only one. */
const peerOf = (rows: Results["rows"]) =>
  rows.some(({ peer, call }) => peer === "cub" && call !== undefined) ? CUB_ON_DEVICE : "CUB";

/** The figure with one line per machine. */
const EVERY_GPU = "CUDA: every GPU";
/** Figures of several files: what the README compares, every comparison, and the goals for calls on a CPU. */
const [GLANCE, COMPARED, GOALS, TABLES] = [
  "Speed at a glance",
  "Speed: every comparison",
  "CPU: goals",
  "Tables: files",
];

export const FIGURES: Readonly<Record<string, Figure>> = {
  "CUDA: kernels by distribution": {
    files: [`${GPU}/cuda-calls.json`, `${GPU}/cuda-cub.json`],
    table: (rows) => byDistribution({ rows, basis: "kernels", n: GIB }, "GB/s", [KERNEL, "CUB"]),
  },
  "CUDA: calls by distribution": {
    files: [`${GPU}/cuda-calls.json`, `${GPU}/cuda-axes.json`],
    table: (rows) => byDistribution(calls(rows, { n: GIB, who: CALLERS }), "GB/s", [COUNT, peerOf(rows)]),
  },
  "CUDA: calls by size": {
    files: [`${GPU}/cuda-calls.json`, `${GPU}/cuda-axes.json`],
    table: (rows) => bySize(calls(atSizes(rows), { who: CALLERS }), [COUNT, peerOf(rows)]),
  },
  "CUDA: many calls": {
    files: [`${GPU}/cuda-calls.json`],
    table: (rows) => {
      const together = rows.filter(({ inFlight, peer }) => inFlight !== undefined && peer === null);
      return bySize(calls(atSizes(together)));
    },
  },
  "CUDA: calls against CUB's": {
    files: [`${GPU}/cuda-calls.json`],
    table: (rows) => ratios(calls(rows), SYNC, CUB_ON_DEVICE),
  },
  "CUDA: calls from the host": {
    files: [`${GPU}/cuda-calls.json`],
    table: (rows) => bySize(calls(atSizes(rows), { residence: "upload" })),
  },
  "CUDA: segments": {
    files: [`${GPU}/cuda-segments.json`],
    table: segmentTable,
  },
  "CPU: segments": {
    files: [`${HOST}/segments.json`],
    table: segmentTable,
  },
  "WebGPU: calls by size": {
    files: [`${GPU}/webgpu-calls.json`, `${GPU}/webgpu-axes.json`],
    table: (rows) => bySize(calls(atSizes(rows).filter(({ backend }) => backend === "webgpu"))),
  },
  "CPU: calls by size": {
    files: CPUS,
    table: (rows) => bySize(calls(onCpu(rows))),
  },
  "CPU: more threads": {
    files: CPUS,
    table: (rows) => {
      const lines = threadLines(rows);
      return lines.length === 0 ? [] : markdown(lines);
    },
  },
  "CPU: calls by distribution": {
    files: CPUS,
    table: (rows) => byDistribution(calls(onCpu(rows).filter(isEverywhere), { n: 2 ** 24 }), "GB/s"),
  },
};

/** Makes the lines of a figure: its table and its source. @param up the path from the document to the repository's root */
export function linesOf(name: string, up: string, results: string = RESULTS): string[] {
  if (name === EVERY_GPU) return machineTable(results, up);
  if (name === GLANCE) return glanceTable(results, up, "first");
  if (name === COMPARED) return glanceTable(results, up, "all");
  if (name === GOALS) return goalTable(results, up);
  if (name === TABLES) return tableFilesTable(results, up);
  const figure = FIGURES[name];
  if (figure === undefined) throw new Error(`expected the name of a figure but received ${name}`);
  for (const file of figure.files) {
    const path = join(results, file);
    if (!existsSync(path)) continue;
    const { rows, commit, date, machine } = JSON.parse(readFileSync(path, "utf8")) as Results;
    const table = figure.table(rows);
    if (table.length === 0) continue;
    const where = `[${file}](${up}benchmarks/results/${file})`;
    return [
      ...table,
      "",
      `Source: ${where}, ${machine.gpu ?? machine.cpu}, ${date.slice(0, 10)}, commit ${commit.slice(0, 12)}.`,
    ];
  }
  return [`Not measured yet: \`${figure.files[0]}\` will hold it.`];
}

const BLOCK = /(<!-- figure: (.+?) -->\n)[\s\S]*?(<!-- \/figure -->)/g;

/** Rewrites the figures of a document from the result files. */
export function withFigures(text: string, up: string, results?: string): string {
  return text.replaceAll(BLOCK, (_all, start: string, name: string, end: string) =>
    [start.trimEnd(), "", ...linesOf(name, up, results), "", end].join("\n"),
  );
}
