import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Backend, cpu, openEngine } from "@polybin/core";
import { expect, it } from "vitest";
import { evaluate } from "../papers/evaluate.ts";
import { FIGURES } from "../papers/figures.ts";
import { backendsOf } from "../papers/sides.ts";
import type { Bench } from "../src/runner/bench.ts";
import type { Results } from "../src/runner/row.ts";
import { ROW_SUMS, type RowSums, rowSums } from "../src/suites/own-programs.ts";
import { trishVariants, withBlocks, withLimits } from "../src/suites/trish-variants.ts";
import { runOn, scratch } from "./shared.ts";

const BYTES = 2 ** 16;
const UNITS = 2;
const [section53, section62] = ["section-5.3", "section-6.2"].map(
  (id) => FIGURES.find((one) => one.id === id)!,
);
const folder = scratch();

/** Core's simulations on a device that says it is a GPU with room for three blocks of TRISH per multiprocessor. */
function simulated(): Backend {
  const unit = { threads: 2048, blocks: 32, sharedBytes: 3 * (16_384 + 1024), reservedBytes: 1024 };
  const backend = withLimits(cpu(), (limits) => ({ ...limits, kind: "gpu", units: UNITS, unit }));
  return { ...backend, id: "cuda" };
}

const run = (suite: (bench: Bench) => Promise<void>) => runOn("cuda", simulated, BYTES, suite);
const measured = (results: Results) => backendsOf([{ name: "cuda-trish-variants", results }], "cuda")[0];

it("measures row sums of pairs and single bytes, and as many blocks as fit, for the figures", async () => {
  const results = await run(trishVariants);
  expect(results.missing).toEqual([expect.stringContaining(ROW_SUMS)]);
  const ours = results.rows.filter(({ algorithm }) => algorithm === "trish");
  expect(ours.every(({ exact, n }) => exact && n === BYTES)).toBe(true);
  const [pairs] = evaluate(section53!, measured(results)).panels;
  expect(pairs!.ours).toHaveLength(6);
  expect(pairs!.missing).toEqual([]);
  const [sums, blocks] = evaluate(section62!, measured(results)).panels;
  expect(sums!.ours).toEqual([]);
  expect(blocks!.ours.map(({ x }) => x)).toEqual([1, 2, 3]);
});

it.each([1, 2, 3, 4])(
  "plans %i blocks per multiprocessor, odd numbers too, and knows whether they fit",
  async (many) => {
    const backend = withBlocks(simulated(), many);
    await using engine = await openEngine({ backend });
    const plan = await engine.supports({ algorithm: "trish", samples: BYTES });
    expect(plan).toMatchObject({ blocks: UNITS * many, sharedBytes: 16_384 });
    expect(backend.fits(16_384)).toBe(many <= 3);
  },
);

/** A program that answers as peers/trish.cu does. */
function program(text: string): string {
  const file = join(folder, "program");
  writeFileSync(file, `#!/bin/sh\necho "$@" > ${file}.args\n${text}\n`, { mode: 0o755 });
  return file;
}

it("takes Count without row sums from the program, with core's blocks", async () => {
  const line = (k: number, sums: boolean, ms: number) =>
    `echo '${JSON.stringify({ k, rowSums: sums, ms: [ms] })}'`;
  const text = [line(1, true, 2), line(1, false, 1.5), line(31, true, 1), line(31, false, 0.5)].join("\n");
  const results = await run((bench) => rowSums(bench, () => program(text)));
  const args = readFileSync(join(folder, "program.args"), "utf8").trim();
  expect(args).toBe(`--bytes=${BYTES} --blocks=${UNITS * 2} --runs=1`);
  const note = results.notes![ROW_SUMS] as RowSums;
  expect(note).toMatchObject({ n: BYTES, blocks: UNITS * 2 });
  expect(note.cells[3]!.gbps).toBeCloseTo(BYTES / 0.5 / 1e6);
  const { panels, findings } = evaluate(section62!, measured(results));
  expect(panels[0]!.ours).toHaveLength(4);
  expect(findings.find(({ claim }) => claim.startsWith("Without row sums"))).toMatchObject({ ours: "2x" });
});

it("records why the program failed, and no throughput of wrong counts", async () => {
  const failing = () => program("echo 'wrong counts' >&2; exit 1");
  const { missing, notes } = await run((bench) => rowSums(bench, failing));
  expect(missing).toEqual([`${ROW_SUMS}: wrong counts`]);
  expect(notes).toBeUndefined();
});
