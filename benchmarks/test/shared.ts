import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Backend } from "@polybin/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll } from "vitest";
import { type Bench, withBench } from "../src/runner/bench.ts";
import { Report } from "../src/runner/report.ts";
import type { Results, Row } from "../src/runner/row.ts";
import { TARGETS, type Target } from "../src/runner/target.ts";

/** A folder of its own, which is removed after all tests of the file, or after one. */
export function scratch(after: (clean: () => void) => void = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), "polybin-test-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const read = (file: string): Results => JSON.parse(readFileSync(file, "utf8"));

/** A report that prints nothing. */
export const reportIn = (folder: string, name = "report.json"): Report =>
  new Report(join(folder, name), null, { commit: "unknown", quiet: true });

/** A row of bytes on the CPU, with other fields. */
export const rowWith = (more: Partial<Row> = {}): Row => ({
  ...{ backend: "cpu", algorithm: "sequential", peer: null, type: "u8", bins: 256, n: 1024, gbps: 1 },
  ...{ distribution: "uniform", residence: "resident", ms: [1, 2], ceilingPercent: null, exact: true },
  ...more,
});

/** The fields that make a row one of another program. */
export function rowOfPeer(peer: string): {
  readonly backend: null;
  readonly algorithm: null;
  readonly peer: string;
} {
  return { backend: null, algorithm: null, peer };
}

/** Runs a suite on core's own simulations instead of a GPU, and returns its result file. */
export async function runOn(
  id: Target["id"],
  backend: () => Backend,
  bytes: number,
  suite: (bench: Bench) => Promise<unknown>,
): Promise<Results> {
  const file = join(scratch(), "results.json");
  const target: Target = {
    ...{
      ...TARGETS[id]!,
      sleeps: false,
      software: true,
      backend,
      timed: backend,
      memory: (size) => new Uint8Array(size),
    },
    readRows: async (size) => [{ variant: "any", blocks: 1, ms: [size / 1e6] }],
  };
  const reportFor = (device: string) => new Report(file, device, { quiet: true });
  await withBench(target, { rounds: 1, budget: 1e6, bytes }, reportFor, async (bench) => {
    await suite(bench);
    bench.report.save();
  });
  return read(file);
}

const schema = JSON.parse(readFileSync(new URL("../result.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });

/** Returns what is wrong with a result file by the schema. */
export function errorsOf(found: unknown, definition = ""): unknown[] {
  const check = ajv.getSchema(`${schema.$id}${definition}`) ?? ajv.compile(schema);
  check(JSON.parse(JSON.stringify(found)));
  return (check.errors ?? []).slice(0, 5);
}
