import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpu } from "@polybin/core";
import { WEIGHTED_SLUGS } from "@polybin/core/backend";
import { expect, it } from "vitest";
import { DISTRIBUTIONS } from "../src/data/distributions.ts";
import type { Bench } from "../src/runner/bench.ts";
import type { Results } from "../src/runner/row.ts";
import { WITHOUT_ATOMICS, weightedAtomics } from "../src/suites/own-programs.ts";
import { weighted } from "../src/suites/weighted.ts";
import {
  weightedFetch,
  weightedHybrid,
  weightedPaper,
  weightedParameters,
  weightedReduce,
  weightedShapes,
} from "../src/suites/weighted-paper.ts";
import { runOn, scratch } from "./shared.ts";

const folder = scratch();
const long = { timeout: 60_000 };
const run = (suite: (bench: Bench) => Promise<void>, bytes = 0): Promise<Results> =>
  runOn("webgpu", cpu, bytes, suite);
const sorted = (all: Iterable<unknown>) => [...all].sort();

it("measures weighted sums on every distribution, and every algorithm on some", long, async () => {
  const { rows, missing, spreads } = await run((bench) => weighted(bench, 2), 8192);
  expect(missing).toEqual([]);
  const headline = rows.filter(({ variant, algorithm }) => !variant && algorithm === "weighted-fixed-point");
  expect(headline.map(({ distribution }) => distribution)).toEqual(DISTRIBUTIONS);
  const table = { features: 2, documents: 4096, adds: "counts and sums", precision: "reproducible" };
  for (const row of headline) {
    expect(row).toMatchObject({
      type: "u8",
      bins: 256,
      n: 8192,
      exact: true,
      weighted: { ...table, skip: false },
    });
    expect(row.valuesPerSecond! / row.gbps).toBeCloseTo(1e9);
    expect(row.callMs).toHaveLength(row.ms.length);
    expect(row.callMs![0]).toBeGreaterThanOrEqual(row.ms[0]!);
  }
  expect(new Set(rows.flatMap(({ weighted: of }) => of?.adds ?? []))).toEqual(
    new Set(["counts and sums", "sums", "counts, sums and squares"]),
  );
  expect(rows.filter(({ exact }) => !exact).every(({ offBy }) => offBy! < 2 ** -9)).toBe(true);
  const isOurs = ({ algorithm, variant }: (typeof spreads)[number]) =>
    algorithm === "weighted-fixed-point" && !variant;
  expect(spreads.some(isOurs)).toBe(true);
});

it("goes through the paper's tables and figures", long, async () => {
  const { rows, missing, notes } = await run(async (bench) => {
    await weightedPaper(bench, [1, 256]);
    await weightedParameters(bench, [1, 256]);
  });
  expect(missing).toEqual([]);
  const figures = new Set(rows.flatMap((row) => row.weighted?.figures ?? []));
  const named = [
    "Figure 4",
    "Figure 7",
    "Figure 8",
    "Figure 9",
    "Figure 11",
    "Table 5",
    "Table 6",
    "Table 7",
  ];
  expect(sorted(figures)).toEqual(sorted(named));
  const algorithms = new Set(rows.map(({ algorithm }) => algorithm));
  expect(sorted(algorithms)).toEqual(sorted(WEIGHTED_SLUGS.filter((slug) => slug !== "weighted-sequential")));
  expect(notes).toMatchObject({
    "hybrid's choices, 2 bins": {},
    "Table 5: the best N_unroll, by bins": [2, 4, 8, 16, 32, 64, 128].map((bins) => ({ bins })),
    "Table 6: the best N_warp and N_buffer, by bins": [128, 256, 512, 1024].map((bins) => ({ bins })),
  });
  // Ten deviations, of integers and of floats.
  expect(notes!["Figure 9: collision-reduced over collision, by sigma"]).toHaveLength(20);
  expect(notes!["Table 7: the fastest method, by bins"]).toHaveLength(10);
  // Three methods by bins, and two by five shares of zeros.
  expect(notes!["Figure 11: what skipping zeros gains"]).toHaveLength(22);
});

it("compares fetches, reductions, and the hybrid with its methods", long, async () => {
  const { rows, missing, notes } = await run(async (bench) => {
    for (const suite of [weightedFetch, weightedReduce, weightedHybrid]) await suite(bench, [1, 32]);
  });
  expect(missing).toEqual([]);
  expect(new Set(rows.map(({ weighted: of }) => of!.fetch))).toEqual(new Set(["word", "value"]));
  const of = (note: string) => notes![note] as readonly { readonly factor: number }[];
  // Three methods by ten bins; one by four bins, two tables and two fetches; each in two precisions.
  const fetched = of("words over single values");
  expect(fetched).toHaveLength(2 * 3 * 10);
  expect(of("sub-histograms over atomics").length).toBeGreaterThanOrEqual(2 * 4 * 2 * 2);
  // Two precisions, with and without skipping, a table for seven bins and two others for three of them.
  const hybrid = of("hybrid over the best of its methods");
  expect(hybrid.length).toBeGreaterThanOrEqual(2 * 2 * (7 + 2 * 3));
  expect(notes!["Table 7: collision-free is the fastest method up to"]).toHaveLength(2 * 2 * 3);
  for (const { factor } of [...fetched, ...hybrid]) expect(factor).toBeGreaterThan(0);
});

it("goes through shapes of tables and kinds of features", long, async () => {
  const { rows, missing } = await run((bench) => weightedShapes(bench, [2, 128]));
  expect(missing).toEqual([]);
  const of = (figure: string) => rows.filter((row) => row.weighted!.figures!.includes(figure));
  expect(of("Figure 5").map(({ weighted }) => weighted!.documents)).toEqual(
    Array.from({ length: 11 }, (_, i) => 2 ** (10 - i)),
  );
  expect(of("Figure 6").map(({ weighted }) => weighted!.features)).toEqual([8, 4, 2, 1]);
  const kinds = new Set(of("Figure 10").map(({ distribution }) => distribution));
  expect([...kinds].slice(0, 3)).toEqual([1, 4, 16].map((run) => `0% zeros, runs of ${run}`));
  expect(of("Figure 10")).toHaveLength(2 * 15);
  // Three methods, with and without skipping, of four numbers of bins.
  expect(of("Figure 11")).toHaveLength(3 * 2 * 4);
});

it("runs the program without atomics with the numbers of core's plan, and says if it does not exist", async () => {
  const program = join(folder, "collision");
  const atomics = () => run((bench) => weightedAtomics(bench, [2, 64], () => program));
  expect((await atomics()).missing).toEqual([expect.stringMatching(/^collision method.* ENOENT$/)]);
  const line = '{"values":"equal","precision":"fast","atomics":false,"lost":0.5,"ms":[2]}';
  writeFileSync(program, `#!/bin/sh\necho "$*" > ${program}.args\necho '${line}'\n`, { mode: 0o755 });
  const { missing, notes } = await atomics();
  expect(missing).toEqual([]);
  // Features, documents, bins, threads of 8 warps, segments, documents per segment, two documents of a word, one round.
  expect(readFileSync(`${program}.args`, "utf8").trim()).toBe("2 64 1024 256 1 64 2 1");
  expect(notes![WITHOUT_ATOMICS]).toMatchObject({
    cells: [{ values: "equal", atomics: false, lost: 0.5, gbps: (2 * 64 * 2) / 2e6 }],
  });
});
