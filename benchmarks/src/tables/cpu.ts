import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Results } from "../runner/row.ts";
import { cpuGoals, foundText, type Goal, isReached, wantedText } from "./cpu-goals.ts";
import { markdown } from "./markdown.ts";

/** The result files of the suite `cpu`, the machines with most cores first. */
export function cpuFiles(results: string): { readonly file: string; readonly found: Results }[] {
  return globSync("*/cpu.json", { cwd: results })
    .map((file) => ({ file, found: JSON.parse(readFileSync(join(results, file), "utf8")) as Results }))
    .toSorted((a, b) => b.found.machine.cores - a.found.machine.cores || a.file.localeCompare(b.file));
}

/** Names a machine by its processor. */
function machineName({ machine: { cpu, cores } }: Results): string {
  return `${cores} cores of ${cpu}`;
}

/** Lists every goal with what each machine measured: the worst of all cells. */
export function goalTable(results: string, up: string): string[] {
  const files = cpuFiles(results);
  const goals = files.map(({ found }) => new Map(cpuGoals(found.rows).map((goal) => [goal.what, goal])));
  const every = new Map(goals.flatMap((of) => [...of]));
  const lines = [...every.values()].map((goal) => [
    `${goal.what}: ${wantedText(goal)}`,
    ...goals.map((of) => cellText(of.get(goal.what))),
  ]);
  const where = files.map(({ file, found }) => {
    const { date, commit } = found;
    return `[${file}](${up}benchmarks/results/${file}), ${date.slice(0, 10)}, commit ${commit.slice(0, 12)}`;
  });
  const heads = ["goal", ...files.map(({ found }) => machineName(found))];
  return [...markdown([heads, ...lines]), "", `Sources: ${where.join("; ")}.`];
}

function cellText(goal: Goal | undefined): string {
  if (goal === undefined || goal.worst === null) return "not measured";
  return isReached(goal) ? foundText(goal) : `**missed**: ${foundText(goal)}`;
}
