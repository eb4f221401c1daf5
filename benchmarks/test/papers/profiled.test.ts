import { expect, it } from "vitest";
import { evaluate } from "../../papers/evaluate.ts";
import { FIGURES } from "../../papers/figures.ts";
import type { Column, PaperId } from "../../papers/model.ts";
import { backendsOf } from "../../papers/sides.ts";
import type { Row } from "../../src/runner/row.ts";
import { PUBLISHED, type Published } from "../../src/suites/podlozhnyuk.ts";
import { termsOf } from "../../src/suites/table1-terms.ts";

/** Evaluates a figure from the notes and rows of one file. */
function findings(
  [paper, id]: readonly [PaperId, string],
  file: string,
  notes: object,
  { rows = [], column }: { readonly rows?: readonly object[]; readonly column: Column },
) {
  const figure = FIGURES.find((one) => one.paper === paper && one.id === id)!;
  const machine = { cpu: "CPU", cores: 2, gpu: "GPU", driver: null, node: "v0", os: "" };
  const whole = rows.map((row) => ({ backend: "cuda", peer: null, exact: true, ...row }) as Row);
  const results = {
    schema: 1,
    commit: "c",
    date: "2",
    machine,
    spreads: [],
    missing: [],
    rows: whole,
    notes,
  } as const;
  return evaluate(
    figure,
    backendsOf([{ name: `cuda-${file}`, results: { ...results, notes: { ...notes } } }])[0],
    column,
  ).findings;
}

const verdictOf = (all: ReturnType<typeof findings>, claim: string) =>
  all.find((one) => one.claim.includes(claim));

/** A published kernel with this number of extra trips to shared memory per access. */
function published(kernel: Published["kernel"], variant: string, ms: number, more: object = {}): Published {
  return {
    kernel,
    variant,
    distribution: "uniform",
    n: 2 ** 26,
    exact: true,
    ms,
    mergeMs: 0.1,
    ...more,
  } as Published;
}
const trips = (extra: number) =>
  termsOf(
    {
      kernel: "k",
      metrics: {
        "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": 100 * (1 + extra),
        "smsp__inst_executed_op_shared_ld.sum": 60,
        "smsp__inst_executed_op_shared_st.sum": 40,
      },
    },
    2 ** 26,
  );

it("tests Podlozhnyuk's swizzle by bank conflicts and times, and names the cause that the banks are now 32", () => {
  const lines = [
    published("histogram64", "no swizzle", 3, { terms: trips(2.5) }),
    published("histogram64", "swizzle", 2, { terms: trips(0.8) }),
    published("histogram64", "swizzle, equal starts", 2.5, { terms: trips(1) }),
    published("histogram64", "swizzle for 32 banks", 1.5, { terms: trips(0) }),
  ];
  const all = findings(
    ["podlozhnyuk", "histogram-64"],
    "podlozhnyuk",
    { [PUBLISHED]: lines },
    { column: "published" },
  );
  expect(all.map(({ verdict }) => verdict)).toEqual(["agrees", "differs", "agrees", "agrees", "differs"]);
  const banks = verdictOf(all, "eliminates bank conflicts")!;
  expect(banks.ours).toBe("0.8");
  expect(banks.cause).toContain("leaves 0.8 conflicts per access, and the same idea for 32 banks 0");
  // 0.1 of 2 ms is 5%, which is not below 5%.
  expect(all.at(-1)).toMatchObject({ ours: "5%" });
});

it("tests the tag by its rounds, and its worst case by the range that Brown & Snoeyink give", () => {
  const line = (distribution: string, ms: number, rounds?: number) =>
    published("histogram256", rounds === undefined ? "tag" : "tag, rounds counted", ms, {
      distribution,
      ...(rounds === undefined ? {} : { rounds }),
    });
  const notes = (worst: number) => ({
    [PUBLISHED]: [
      ...[line("uniform", 2), line("zeros", worst), line("ramp", 3)],
      ...[line("uniform", 9, 2.1), line("zeros", 9, 32), line("ramp", 9, 1)],
    ],
  });
  // A ramp meets in banks, so the best case is a row of its own.
  const apart = {
    ...{ gbps: 2 ** 26 / 1.1 / 1e6, distribution: "no conflicts" },
    published: {
      ...{ paper: "podlozhnyuk", figures: ["oclHistogram256"], launch: "paper" },
      parameters: { collisions: "tag" },
    },
  };
  const verdicts = (worst: number, rows: readonly object[] = [apart]) =>
    findings(["podlozhnyuk", "histogram-256"], "podlozhnyuk", notes(worst), {
      rows,
      column: "published",
    }).map(({ verdict }) => verdict);
  expect(verdicts(14).slice(0, 3)).toEqual(["agrees", "agrees", "agrees"]);
  expect(verdicts(5)[2]).toBe("differs");
  expect(verdicts(14, [])[2]).toBe("not measured");
  expect(verdicts(14).slice(3, 4)).toEqual(["not measured"]);
});

it("shows Hardavellas' arrangements side by side, from their own run if it exists", () => {
  const row = (algorithm: string, distribution: string, gbps: number) => ({
    algorithm,
    distribution,
    gbps,
    n: 1,
  });
  const rows = ["per-thread", "per-block", "bank-owned"].flatMap((algorithm) =>
    ["uniform", "zeros"].map((data) =>
      row(algorithm, data, algorithm === "per-block" && data === "zeros" ? 10 : 100),
    ),
  );
  const counted = ["per-thread", "per-block", "bank-owned"].map((algorithm, i) => ({
    ...{ algorithm, distribution: "uniform", n: 1, kernel: "k", others: [] },
    terms: {
      "Ins/Byte": { value: [10, 4, 100][i]! },
      "Occupancy, at most %": { value: [20, 100, 50][i]! },
      // The second fills a multiprocessor only in part.
      Blocks: { value: [132 * 13, 132, 132 * 32][i]! },
      "Threads a block": { value: [32, 1024, 32][i]! },
    },
  }));
  const all = findings(
    ["hardavellas", "arrangements"],
    "hardavellas",
    { Hardavellas: counted },
    { rows, column: "ours" },
  );
  expect(all.map(({ verdict, ours }) => [verdict, ours])).toEqual([
    ["agrees", "1"],
    ["agrees", "0.1x"],
    ["agrees", "1"],
    ["agrees", "0.406x"],
    ["agrees", "25x"],
  ]);
});
