import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { WrongUse } from "../command/wrong-use.ts";
import { hasResults, machineFile } from "../runner/machine.ts";
import type { Results } from "../runner/row.ts";
import { RESIDENCES } from "./cell.ts";
import type { BenchOptions } from "./options.ts";
import { BACKENDS } from "./sides.ts";

/** The result file of a run that does not measure everything. */
const HERE = "polybin-bench.json";

/**
 * Returns the default result file. A full run writes the machine's own file, which is committed. Other runs write a file
 * in the working directory.
 * @param gpu the GPU's name. "SwiftShader" alone may make a full run as a machine of its own.
 */
export function defaultFile(
  { isFull, backends, quick }: Pick<BenchOptions, "isFull" | "backends" | "quick">,
  gpu: string | null,
): string {
  const everyBackend = BACKENDS.every((id) => backends.includes(id)) || gpu === "SwiftShader";
  if (!(isFull && everyBackend && hasResults())) return resolve(HERE);
  return machineFile(`axes${quick ? "-quick" : ""}`, gpu);
}

/**
 * Makes the folder, and checks before anything is measured that the file can be written and has no other use.
 * @throws WrongUse
 */
export function checkFile(file: string, others: readonly string[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "a"));
  } catch (error) {
    throw new WrongUse(`cannot write ${file}: ${(error as Error).message}`);
  }
  const isIt = (other: string) => existsSync(other) && realpathSync(other) === realpathSync(file);
  if (others.some(isIt))
    throw new WrongUse(
      `expected different files for --json, --changes and --compare but received ${file} twice`,
    );
}

/** Reads a result file and checks the fields that comparisons and resumed runs use. @throws WrongUse */
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
