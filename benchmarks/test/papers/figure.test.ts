import { readdirSync, readFileSync } from "node:fs";
import { limits } from "@polybin/core/backend";
import { expect, it } from "vitest";
import { type FigureEntry, figureOf } from "../../papers/figure.ts";
import { FIGURES } from "../../papers/figures.ts";
import type { Panel, Point } from "../../papers/model.ts";
import { pointsBy, type Select } from "../../papers/select.ts";
import { backendsOf } from "../../papers/sides.ts";
import { DISTRIBUTIONS } from "../../src/data/distributions.ts";
import type { Row } from "../../src/runner/row.ts";
import { ROW_SUMS, WITHOUT_ATOMICS } from "../../src/suites/own-programs.ts";
import { PUBLISHED } from "../../src/suites/podlozhnyuk.ts";

const FOLDER = new URL("../../papers/figures/", import.meta.url);
const dataFiles = () => readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER), "utf8"));

const machine = { cpu: "CPU", cores: 2, gpu: "GPU", driver: null, node: "v0", os: "" };
const row = (variant: string | undefined, gbps: number, more: object = {}) =>
  ({
    backend: "cuda",
    exact: true,
    algorithm: "trish",
    variant,
    gbps,
    n: 64,
    distribution: "uniform",
    ...more,
  }) as Row;
const rows = [
  row("k=31 pairs", 40),
  row("k=1 pairs", 20),
  row(undefined, 10),
  row("k=31 pairs", 5, { n: 16 }),
];
const notes = {
  cells: {
    cells: [
      { words: 3, a: { b: 8 } },
      { words: 4, a: null },
    ],
  },
};
const measured = backendsOf([
  {
    name: "cuda-trish",
    results: { schema: 1, commit: "c", date: "1", machine, spreads: [], missing: [], rows, notes },
  },
])[0];
const pointsOf = (select: Partial<Select>) =>
  pointsBy(measured, { rows: ["trish"], series: "s", x: "{n}", ...select });

it("selects rows by fields, and fills names and places from fields, patterns and names", () => {
  expect(pointsOf({ where: { n: 64, variant: ["k=1 pairs", null] } }).map(({ y }) => y)).toEqual([20, 10]);
  expect(pointsOf({ atLeast: { side: 8 }, x: "{side}" }).map(({ x }) => x)).toEqual([8, 8, 8]);
  const match = { variant: "^k=(?<k>\\d+) (?<addends>\\w+)$" };
  expect(
    pointsOf({
      match,
      where: { n: 64 },
      names: { addends: { pairs: "of two" } },
      x: "{k}",
      series: "{addends}",
    }),
  ).toEqual([
    { series: "of two", x: 31, y: 40 },
    { series: "of two", x: 1, y: 20 },
  ]);
  expect(pointsOf({ match, x: "k = {k}" })[0]!.x).toBe("k = 31");
  expect(pointsOf({ names: { algorithm: { other: "another" } } })).toEqual([]);
});

it("takes other files only if the first have no rows, and leaves out cells without a field", () => {
  expect(pointsOf({ rows: ["none"], instead: ["trish"] })).toHaveLength(4);
  expect(pointsOf({ rows: ["none"] })).toEqual([]);
  const note = pointsOf({ note: ["trish", "cells"], x: "{words}", y: "{a.b}", over: 4 });
  expect(note).toEqual([{ series: "s", x: 3, y: 2 }]);
});

/** A figure of one panel and one statement. */
const entry = (statement: object, ours: object = { call: ["points", 7] }) =>
  ({
    ...{ id: "figure-6", title: "", source: "", lost: null, needs: "gpu", command: "", notes: [] },
    panels: [
      {
        id: "uniform",
        title: "",
        mark: "line",
        x: {},
        y: {},
        wanted: [{ series: ["a", "b"], x: [1, 2] }],
        ours,
      },
    ],
    statements: [
      {
        id: "i",
        panel: "uniform",
        claim: "c",
        where: "1",
        read: ["level", { series: "a" }, ""],
        ...statement,
      },
    ],
  }) as unknown as FigureEntry;
const functions = {
  points: (_: unknown, y: number): Point[] => [{ series: "a", x: 1, y }],
  unknown: () => null,
  why: (_: unknown, name: string) => `It is ${name}.`,
};
const figure = (...of: Parameters<typeof entry>) =>
  figureOf({ paper: "brown-snoeyink", functions }, entry(...of));

it("reads the cells, the paper's numbers, and the first cause that is known", () => {
  const { panels, rules } = figure({
    stated: { claim: "over Nugteren" },
    causes: ["unknown", ["why", "so"]],
  });
  const [panel] = panels;
  expect(panel!.wanted.map(({ series, x }) => `${series}${x}`)).toEqual(["a1", "a2", "b1", "b2"]);
  expect(panel!.paper.slice(0, 3).map(({ y }) => y)).toEqual([40.53, 27.43, 11.25]);
  expect(rules[0]!.judge([], panel!.ours(measured))).toEqual({ paper: "3.6", ours: "7", verdict: "agrees" });
  expect(rules[0]!.cause!(measured, "ours")).toBe("It is so.");
  expect(rules[0]!.cause!(measured, "published")).toBeNull();
  const guess = figure({ causes: [{ guess: ["why", "so"] }] }).rules[0]!;
  expect(guess.cause!(measured, "ours")).toBe("This is a guess. It is so.");
});

it("computes with the numbers of the paper's text", () => {
  const paperOf = (stated: object) => figure({ stated }).rules[0]!.judge([], []).paper;
  expect(paperOf({ claim: "gain of atomics, %", over: 100, plus: 1 })).toBe("1.5");
  const worst = { claim: "worst case of the tag, least" };
  expect(paperOf({ ...worst, over: { claim: "worst case of the tag, most" }, times: 100 })).toBe("25");
  expect(paperOf({ claim: "crossover", paper: "xu", figure: "figure-9" })).toBe("10");
});

it.each([
  ["reading", () => figure({ read: ["levle"] }), /but received "levle"/],
  ["cause", () => figure({ causes: ["wyh"] }), /points, unknown, why .* but received "wyh"/],
  ["function", () => figure({}, { call: ["toString"] }), /but received "toString"/],
  ["claim", () => figure({ stated: { claim: "none" } }), /no claim "none" for brown-snoeyink, figure-6/],
])("refuses an unknown %s when the data are read", (_, read, message) => {
  expect(read).toThrow(message);
});

it("names what the library and the suites have: every distribution, every k, and notes by their names", () => {
  const panelOf = (paper: string, id: string, panel: string) => {
    const found = FIGURES.find((one) => one.paper === paper && one.id === id)!;
    return found.panels.find((one) => one.id === panel)!;
  };
  const placesOf = ({ wanted }: Panel) => [...new Set(wanted.map(({ x }) => x))];
  expect(placesOf(panelOf("cuda-handbook", "comparison", "distributions"))).toEqual([...DISTRIBUTIONS]);
  const ks = Array.from({ length: limits.TRISH_WORDS }, (_, i) => i + 1);
  expect(placesOf(panelOf("brown-snoeyink", "figure-4", "throughput"))).toEqual(ks);
  const { rules } = FIGURES.find(({ id }) => id === "figure-4")!;
  const full = ks.filter((k) => limits.rowSumEfficiency(k) === 1).join(", ");
  expect(rules.map(({ how }) => how)).toContainEqual(expect.stringContaining(`over ${full} is`));
  const variants = [1, limits.TRISH_K, limits.TRISH_WORDS].map((k) => `k = ${k}`);
  expect(placesOf(panelOf("brown-snoeyink", "section-5.3", "row sums"))).toEqual(variants);
  const notes = dataFiles().flatMap((text) =>
    [...text.matchAll(/"note": \["[\w-]+", "([^"]+)"/g)].map(([, name]) => name),
  );
  expect(new Set(notes)).toEqual(
    new Set([ROW_SUMS, WITHOUT_ATOMICS, PUBLISHED, "Podlozhnyuk", "Hardavellas"]),
  );
});

it("has no field in a data file that nothing reads", () => {
  const fields = {
    figure: "id title source lost needs command panels statements notes",
    panel: "id title mark x y paper wanted ours published command on ofDevice",
    statement: "id panel claim where read stated words causes publishedCauses because",
    ours: "call rows instead cpu sums fastest note counters published profiled where atLeast match names series x y over",
  };
  const unknown = (kind: keyof typeof fields, of: object) =>
    Object.keys(of).filter((name) => !fields[kind].split(" ").includes(name));
  for (const text of dataFiles()) {
    const figures = JSON.parse(text) as FigureEntry[];
    const panels = figures.flatMap((one) => one.panels);
    expect([
      ...figures.flatMap((one) => unknown("figure", one)),
      ...panels.flatMap((one) => unknown("panel", one)),
      ...panels.flatMap(({ ours, published = [] }) =>
        [ours, published].flat().flatMap((one) => unknown("ours", one)),
      ),
      ...figures.flatMap((one) => one.statements.flatMap((statement) => unknown("statement", statement))),
    ]).toEqual([]);
  }
});
