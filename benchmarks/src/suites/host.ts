import { join } from "node:path";
import { parseArgs } from "node:util";
import { WrongUse } from "../command/wrong-use.ts";
import { withBench } from "../runner/bench.ts";
import { hasResults, machineFile } from "../runner/machine.ts";
import { print } from "../runner/print.ts";
import { Report } from "../runner/report.ts";
import { WORKERS } from "../runner/target.ts";
import { callsOnHost } from "./calls-host.ts";
import { CPU_CASES, cpuOnHost } from "./cpu/index.ts";
import type { HostOptions } from "./host-options.ts";
import { leakOnHost } from "./leak.ts";
import { papersCpu } from "./papers-cpu.ts";
import { onWorkers } from "./papers-workers.ts";
import { segmentsOnHost } from "./segments.ts";
import { gpuOf, TASKS, tasksOnHost } from "./tasks/index.ts";

type HostSuite = (report: Report, options: HostOptions) => Promise<void>;

/** Suites on the CPU for `--suite NAME` and `run bench NAME --backend piscina`. */
export const HOST_SUITES: Readonly<Record<string, HostSuite>> = {
  calls: callsOnHost,
  cpu: cpuOnHost,
  segments: segmentsOnHost,
  leak: leakOnHost,
  "papers-cpu": papersCpu,
  tasks: tasksOnHost,
};

/** The names of the parts of suites that `--only` selects. */
const PARTS: Readonly<Record<string, readonly string[]>> = { cpu: CPU_CASES, tasks: TASKS };

/** The suites of the papers' figures for `run bench NAME --backend piscina`, also on a machine with a GPU. */
export const PAPER_SUITES: Readonly<Record<string, HostSuite>> = Object.fromEntries(
  Object.keys(onWorkers(false)).map((name): [string, HostSuite] => [
    name,
    (report, { quick, seconds: budget }) => {
      const sizes = quick ? { bytes: 2 ** 24, rounds: 3 } : { bytes: 2 ** 26, rounds: 9 };
      return withBench(WORKERS, { ...sizes, budget }, () => report, onWorkers(quick)[name]!);
    },
  ]),
);

const USAGE = `usage: polybin bench --suite NAME [--quick] [--out DIR] [--budget SECONDS] [--only CASES]
--only: cases of a suite, separated by commas. The file keeps the rows of the others
${Object.entries(PARTS)
  .map(([suite, parts]) => `cases of ${suite}: ${parts.join(", ")}`)
  .join("\n")}`;
/** Seconds after which no further cell begins, unless a command says otherwise. A suite ends a few seconds later. */
const BUDGET = 540;
const BUDGET_OF: Readonly<Record<string, number>> = { cpu: 450 };

/** Runs suites by name, with the options of a command. */
export async function hostMain(names: readonly string[], args: readonly string[]): Promise<void> {
  const text = { type: "string" } as const;
  const options = { quick: { type: "boolean" }, out: text, budget: text, only: text } as const;
  const { values } = parseArgs({ args: [...args], options });
  const { quick = false, out = null } = values;
  const only = values.only?.split(",");
  const parts = PARTS[names.join()];
  const unknown = only?.find((one) => !parts?.includes(one));
  if (unknown !== undefined) {
    const suites = parts === undefined ? Object.keys(PARTS).join(" or ") : names.join();
    throw new WrongUse(`expected cases of the suite ${suites} for --only but received ${unknown}\n${USAGE}`);
  }
  for (const name of names) {
    const budget = Number(values.budget ?? BUDGET_OF[name] ?? BUDGET);
    if (!(budget > 0))
      throw new WrongUse(`expected seconds for --budget but received ${values.budget}\n${USAGE}`);
    console.log(await runOnHost(name, { quick, out, budget, only }));
  }
}

interface HostRun {
  readonly quick: boolean;
  /** Folder of the result file. Null: the machine's own folder, or the working directory for a quick run or outside a checkout. */
  readonly out: string | null;
  /** Seconds after which no further cell begins. */
  readonly budget: number;
  /** Names of cases. */
  readonly only: readonly string[] | undefined;
}

/** Runs one suite. @returns its result file */
async function runOnHost(name: string, { quick, out, budget, only }: HostRun): Promise<string> {
  // GPUs have suites of the other names.
  const plain = PARTS[name] === undefined ? `piscina-${name}.json` : `${name}.json`;
  const gpu = name === "tasks" ? await gpuOf() : null;
  const own = !quick && hasResults() ? machineFile(name, gpu) : plain;
  const file = out === null ? own : join(out, plain);
  const report = new Report(file, gpu, { keep: only && (({ type }) => !only.includes(type)) });
  const end = performance.now() + budget * 1000;
  const hasTime = (what: string) => {
    if (performance.now() < end) return true;
    report.miss(`${what}: the ${budget} s were used up`);
    return false;
  };
  await { ...HOST_SUITES, ...PAPER_SUITES }[name]!(report, { quick, seconds: budget, only, hasTime });
  report.save();
  if (!quick) print(report.results());
  return file;
}
