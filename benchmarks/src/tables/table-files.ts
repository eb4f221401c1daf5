import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Results } from "../runner/row.ts";
import { figure, markdown } from "./markdown.ts";

/** A measured program of `scripts/tables.mjs`: medians of its runs. */
interface TableRun {
  readonly what: string;
  readonly bytes: number;
  readonly program: string;
  readonly runs: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly megabytes: number;
}

const MEGABYTE = 1e6;

/** Lists what each program took for each task, for every machine that measured it. */
export function tableFilesTable(results: string, up: string): string[] {
  const files = globSync("*/tables.json", { cwd: results }).toSorted();
  if (files.length === 0) return ["Not measured yet: `tables.json` will hold it."];
  return files.flatMap((file, i) => {
    const found = JSON.parse(readFileSync(join(results, file), "utf8")) as Results;
    const { commit, date, machine } = found;
    const runs = (found.notes as { readonly tables: readonly TableRun[] }).tables;
    const where = `[${file}](${up}benchmarks/results/${file})`;
    return [
      ...(i === 0 ? [] : [""]),
      ...markdown([
        ["task", "file", "program", "runs", "seconds", "processor seconds", "peak MB"],
        ...runs.map(line),
      ]),
      "",
      `Source: ${where}, ${machine.cores} cores of ${machine.cpu}, ${date.slice(0, 10)}, commit ${commit.slice(0, 12)}.`,
    ];
  });
}

function line(
  { what, bytes, program, runs: count, ms, cpuMs, megabytes }: TableRun,
  at: number,
  runs: readonly TableRun[],
): string[] {
  const isFirst = runs[at - 1]?.what !== what;
  const numbers = [ms / 1000, cpuMs / 1000, megabytes].map(figure);
  return [
    ...(isFirst ? [what, `${figure(bytes / MEGABYTE)} MB`] : ["", ""]),
    program,
    String(count),
    ...numbers,
  ];
}
