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

export const USAGE: string = `usage: polybin bench [options]

Measures every backend and peer that works here along the axes of the benchmarks, each cell compared with exact counts
before it is timed, and prints the medians as tables. The result file grows while it runs, so that ^C loses nothing.

  --quick               smaller data, fewer cells: about two minutes
  --budget SECONDS      begin no further cell after so long (default: ${BUDGET.quick} with --quick, else ${BUDGET.full})
  --backend A,B         of ${BACKENDS.join(" ")} (default: all)
  --peers A,B|none      of ${[...PEERS.map(({ name }) => name), ...IN_PROCESS].join(" ")} (default: all)
  --algorithm A,B       slugs as \`polybin backends\` lists them (default: all)
  --type A,B            of ${TYPES.join(" ")}
  --bins N,N            1 to 65536
  --n N,N               samples, also as 2^20
  --distribution A,B    of ${DISTRIBUTIONS.join(" ")}
  --residence A,B       of ${RESIDENCES.join(" ")}
  --call A,B            call by call, of ${CALLS.join(" ")}: medians and 99th percentiles of data in memory
                        with any of the last six all combinations are measured, else lines through them
  --json FILE           the result file (default: polybin-bench.json in the working directory; of a run of everything,
                        with no option but --quick, --resume and a longer --budget, in a checkout the machine's own:
                        benchmarks/results/MACHINE/axes.json or axes-quick.json; so --backend webgpu of SwiftShader);
                        - prints it on stdout instead of the tables
  --resume              keep what the result file has of the same commit and machine, measure the rest
  --compare A.json,…    say which cells changed beyond noise since these runs; exit code 1 if one is slower or gone
  --with B.json,…       compare with these runs; measure nothing
  --threshold PERCENT   smaller changes are noise (default: 10)
  --changes FILE        also write the comparison as JSON
  --suite NAME          before all else; instead: a suite of this name (workers, weighted; of a GPU
                        --backend cuda|webgpu: headline …)
  --stale [PLACE …]     instead: say which result files (default: the committed ones) are older than the code that
                        they vouch for, by hashes of kernels and plans; exit code 1 if one is
  --help                say this

Exit code: 0; 1 if a backend's counts are not exact, a cell is slower or gone, or a file stale; 2 for wrong use.`;

/** What was asked for. */
export interface BenchOptions extends Omit<Ask, "mostBytes"> {
  readonly help: boolean;
  readonly budget: number;
  readonly backends: readonly string[];
  readonly peers: readonly string[];
  /** Are combinations of an axis's values asked for, and not the lines? */
  readonly isChosen: boolean;
  /** Are all cells of the backends asked for, with all peers, as much time as such a run has, and nothing to be compared with? */
  readonly isFull: boolean;
  /** Where results go; null: to a file that the kind of run tells, unless they are printed. */
  readonly file: string | null;
  /** Is the result printed, instead of the tables and into no file that stays? */
  readonly print: boolean;
  readonly resume: boolean;
  /** Result files; none: nothing is compared. */
  readonly compare: readonly string[];
  readonly with: readonly string[];
  /** The least change, as a share, that is not called noise. */
  readonly threshold: number;
  readonly changes: string | null;
}

const THRESHOLD_PERCENT = 10;

/** Reads the arguments. @throws WrongUse */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parsed(args);
  const { quick = false } = values;
  const [file, print] = values.json === "-" ? [null, true] : [values.json ?? null, false];
  if (values.with !== undefined && values.compare === undefined) {
    throw new WrongUse("expected --compare OLD.json beside --with");
  }
  if (values.changes !== undefined && values.compare === undefined) {
    throw new WrongUse("expected --compare OLD.json beside --changes");
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
        help: { type: "boolean" },
        quick: { type: "boolean" },
        resume: { type: "boolean" },
        ...TEXTS,
      },
    });
  } catch (error) {
    throw new WrongUse((error as Error).message.replaceAll(/\s*\n\s*/g, " "));
  }
}

const text = { type: "string" } as const;
const TEXTS = {
  budget: text,
  backend: text,
  peers: text,
  algorithm: text,
  type: text,
  bins: text,
  n: text,
  distribution: text,
  residence: text,
  call: text,
  json: text,
  compare: text,
  with: text,
  threshold: text,
  changes: text,
} as const;

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
