import { parseArgs } from "node:util";
import { SLUGS } from "@polybin/core/backend";
import { repeatedOption } from "../command/once.ts";
import { WrongUse } from "../command/wrong-use.ts";
import { DISTRIBUTIONS } from "../data/distributions.ts";
import { PEERS } from "../peers/process.ts";
import { CALLS, RESIDENCES, TYPES } from "./cell.ts";
import { IN_PROCESS } from "./in-process.ts";
import type { Ask } from "./plan.ts";
import { BACKENDS } from "./sides.ts";

const BUDGET = { quick: 120, full: 3600 };

export const USAGE: string = `Usage: polybin bench [options]

Measures every backend and peer that works here along the axes of the benchmarks. Compares each cell with exact counts
before it times the cell, and prints medians as tables. The result file grows during the run, so ^C loses nothing.

  --quick               measure smaller data and fewer cells, in about two minutes
  --budget SECONDS      begin no further cell after this time (default: ${BUDGET.quick} with --quick, else ${BUDGET.full})
  --backend A,B         backends, of ${BACKENDS.join(" ")} (default: all)
  --peers A,B|none      peers, of ${[...PEERS.map(({ name }) => name), ...IN_PROCESS].join(" ")} (default: all)
  --algorithm A,B       slugs as listed by \`polybin backends\` (default: all)
  --type A,B            sample types, of ${TYPES.join(" ")}
  --bins N,N            numbers of bins, 1 to 65536
  --n N,N               numbers of samples, also as 2^20
  --distribution A,B    distributions, of ${DISTRIBUTIONS.join(" ")}
  --residence A,B       data locations, of ${RESIDENCES.join(" ")}
  --call A,B            calls measured one by one, of ${CALLS.join(" ")}: median and 99th percentile of data in memory.
                        Any of the last six options measures all combinations instead of lines through the axes.
  --json FILE           result file; - prints it on stdout instead of the tables
                        (default: polybin-bench.json in the working directory. In a checkout, a run of everything
                        writes the machine's own file, benchmarks/results/MACHINE/axes.json or axes-quick.json. Such a
                        run has no options but --quick, --resume and a longer --budget, or --backend webgpu on
                        SwiftShader.)
  --resume              keep rows of the same commit and machine in the result file, and measure the rest
  --compare A.json,…    list cells that changed beyond noise since these runs; exit code 1 if one is slower or gone
  --with B.json,…       compare with these runs, and measure nothing
  --threshold PERCENT   treat smaller changes as noise (default: 10)
  --changes FILE        also write the comparison as JSON
  --suite NAME          run this suite instead; must come first (cpu, workers, weighted, or on a GPU with
                        --backend cuda|webgpu: headline …)
  --only CASES          with --suite cpu: measure these kinds of samples, and keep the rows of the others
  --stale [PLACE …]     list result files (default: the committed ones) older than their code instead, by hashes of
                        kernels and plans; exit code 1 if one is
  --help                print this help

Examples:
  # every backend and peer on this machine, in about two minutes
  polybin bench --quick
  # workers against NumPy on two sizes of 16-bit samples
  polybin bench --backend piscina --peers numpy --type u16 --n 2^20,2^24
  # what changed since an earlier run
  polybin bench --compare before.json --with after.json

Exit code: 0; 1 if counts are not exact, a cell is slower or gone, or a file is stale; 2 for wrong use.`;

/** The options of a run. */
export interface BenchOptions extends Omit<Ask, "mostBytes"> {
  readonly help: boolean;
  readonly budget: number;
  readonly backends: readonly string[];
  readonly peers: readonly string[];
  /** Whether combinations of values are measured instead of lines. */
  readonly isChosen: boolean;
  /** Whether the run measures all cells of its backends, with all peers and the full budget, and compares nothing. */
  readonly isFull: boolean;
  /** The result file; null for the default of this kind of run. */
  readonly file: string | null;
  /** Whether to print the result as JSON instead of tables, and keep no file. */
  readonly print: boolean;
  readonly resume: boolean;
  /** Result files to compare with. */
  readonly compare: readonly string[];
  readonly with: readonly string[];
  /** The smallest change, as a share, that is more than noise. */
  readonly threshold: number;
  readonly changes: string | null;
}

const THRESHOLD_PERCENT = 10;

/** Reads the arguments. @throws WrongUse */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parsed(args);
  const { quick = false } = values;
  const [file, print] = values.json === "-" ? [null, true] : [values.json ?? null, false];
  for (const name of ["with", "changes"] as const) {
    if (values[name] !== undefined && values.compare === undefined)
      throw new WrongUse(`expected --compare OLD.json together with --${name}`);
  }
  const leastBudget = BUDGET[quick ? "quick" : "full"];
  const budget = number(values.budget, "--budget", leastBudget);
  const { algorithm, type, bins, n, distribution, residence, call } = values;
  const isChosen = [type, bins, n, distribution, residence, call].some((of) => of !== undefined);
  const isEveryCell = !isChosen && algorithm === undefined;
  const isUncompared = values.peers === undefined && values.compare === undefined;
  const peerNames = [...PEERS.map(({ name }) => name), ...IN_PROCESS];
  return {
    help: values.help ?? false,
    quick,
    budget,
    backends: listOf(values.backend, BACKENDS, "--backend") ?? BACKENDS,
    peers: values.peers === "none" ? [] : (listOf(values.peers, peerNames, "--peers") ?? peerNames),
    algorithms: listOf(values.algorithm, SLUGS, "--algorithm"),
    types: listOf(values.type, TYPES, "--type"),
    bins: numbersOf(values.bins, "--bins", 65_536),
    n: numbersOf(values.n, "--n", 2 ** 32),
    distributions: listOf(values.distribution, DISTRIBUTIONS, "--distribution"),
    residences: listOf(values.residence, RESIDENCES, "--residence"),
    calls: listOf(call, CALLS, "--call"),
    isChosen,
    isFull: isEveryCell && isUncompared && budget >= leastBudget,
    file,
    print,
    resume: values.resume ?? false,
    compare: values.compare?.split(",") ?? [],
    with: values.with?.split(",") ?? [],
    threshold: number(values.threshold, "--threshold", THRESHOLD_PERCENT) / 100,
    changes: values.changes ?? null,
  };
}

function parsed(args: readonly string[]) {
  const found = known(args);
  const repeated = repeatedOption(found.tokens);
  if (repeated !== null) throw new WrongUse(`expected --${repeated} once but received it again`);
  return found;
}

function known(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      tokens: true,
      options: {
        ...{ help: { type: "boolean" }, quick: { type: "boolean" }, resume: { type: "boolean" } },
        ...(texts as Record<(typeof TEXTS)[number], { readonly type: "string" }>),
      },
    });
  } catch (error) {
    throw new WrongUse((error as Error).message.replaceAll(/\s*\n\s*/g, " "));
  }
}

const TEXTS = [
  ...([
    "budget",
    "backend",
    "peers",
    "algorithm",
    "type",
    "bins",
    "n",
    "distribution",
    "residence",
    "call",
  ] as const),
  ...(["json", "compare", "with", "threshold", "changes"] as const),
];
const texts = Object.fromEntries(TEXTS.map((name) => [name, { type: "string" }]));

function listOf<T extends string>(
  text: string | undefined,
  choices: readonly T[],
  name: string,
): T[] | undefined {
  return text?.split(",").map((part) => {
    const found = choices.find((choice) => choice === part);
    if (found !== undefined) return found;
    throw new WrongUse(
      `expected one of ${choices.join(", ")} for ${name} but received ${JSON.stringify(part)}`,
    );
  });
}

function numbersOf(text: string | undefined, name: string, most: number): number[] | undefined {
  return text?.split(",").map((part) => {
    const [, exponent] = /^2\^(\d{1,2})$/.exec(part) ?? [];
    const value = exponent === undefined ? Number(part || Number.NaN) : 2 ** Number(exponent);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new WrongUse(
      `expected whole numbers from 1 to ${most} for ${name} but received ${JSON.stringify(part)}`,
    );
  });
}

function number(text: string | undefined, name: string, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text || Number.NaN);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new WrongUse(`expected a number above 0 for ${name} but received ${JSON.stringify(text)}`);
}
