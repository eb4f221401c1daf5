import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { WrongUse } from "../command/wrong-use.ts";
import { hasResults, machineFile } from "../runner/machine.ts";
import type { Results } from "../runner/row.ts";
import { RESIDENCES } from "./cell.ts";
import type { BenchOptions } from "./options.ts";
import { BACKENDS } from "./sides.ts";

/** Where a run goes that is not all that a machine can measure. */
const HERE = "polybin-bench.json";

/**
 * Where results go that no option names: those of a full run to the machine's own, which is committed; all else to a file
 * where the user is. `gpu`: "SwiftShader" where nothing but it is at work, which may be its own machine's full run.
 */
export function defaultFile(
  { isFull, backends, quick }: Pick<BenchOptions, "isFull" | "backends" | "quick">,
  gpu: string | null,
): string {
  const everyBackend = BACKENDS.every((id) => backends.includes(id)) || gpu === "SwiftShader";
  if (!(isFull && everyBackend && hasResults())) return resolve(HERE);
  return machineFile(`axes${quick ? "-quick" : ""}`, gpu);
}

/** Makes the folder; a file that cannot be written, or that is used otherwise, is told before anything is measured. @throws WrongUse */
export function checkFile(file: string, others: readonly string[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "a"));
  } catch (error) {
    throw new WrongUse(`cannot write ${file}: ${(error as Error).message}`);
  }
  const isIt = (other: string) => existsSync(other) && realpathSync(other) === realpathSync(file);
  if (others.some(isIt))
    throw new WrongUse(`expected --json and --changes to name files of their own but received ${file} twice`);
}

/** A result file, checked as far as a comparison or a resumed run relies on it. @throws WrongUse */
export function readResults(path: string): Results {
  let found: Results;
  try {
    found = JSON.parse(readFileSync(path, "utf8")) as Results;
  } catch (error) {
    throw new WrongUse(`cannot read ${path}: ${(error as Error).message}`);
  }
  const problem = problemOf(found);
  if (problem === null) return found;
  throw new WrongUse(`expected a result file of schema 1 but received ${path}: ${problem}`);
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";
const isName: Check = (value) => value === null || isText(value);
const isPositive: Check = (value) => typeof value === "number" && value > 0 && value < Infinity;
const isTimes: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isPositive);
const isObject: Check = (value) => typeof value === "object" && value !== null;

const FILE: Readonly<Record<string, Check>> = {
  schema: (value) => value === 1,
  commit: isText,
  date: isText,
  machine: isObject,
  rows: Array.isArray,
  missing: (value) => Array.isArray(value) && value.every(isText),
};
const ROW: Readonly<Record<string, Check>> = {
  backend: isName,
  algorithm: isName,
  peer: isName,
  type: isText,
  bins: (value) => value === 0 || isPositive(value),
  n: isPositive,
  distribution: isText,
  residence: (value) => RESIDENCES.some((known) => known === value),
  ms: isTimes,
  callMs: (value) => value === undefined || isTimes(value),
  gbps: isPositive,
  exact: (value) => typeof value === "boolean",
};

function problemOf(found: unknown): string | null {
  const wrong = fieldOf(found, FILE);
  if (wrong !== null) return wrong;
  for (const [i, row] of (found as Results).rows.entries()) {
    const problem = fieldOf(row, ROW);
    if (problem !== null) return `row ${i}: ${problem}`;
  }
  return null;
}

function fieldOf(value: unknown, checks: Readonly<Record<string, Check>>): string | null {
  if (!isObject(value)) return `it is ${JSON.stringify(value)}`;
  const fields = value as Readonly<Record<string, unknown>>;
  const wrong = Object.keys(checks).find((name) => !checks[name]!(fields[name]));
  return wrong === undefined ? null : `${wrong} is ${JSON.stringify(fields[wrong])?.slice(0, 60)}`;
}
