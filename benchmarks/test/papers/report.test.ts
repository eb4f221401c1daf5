import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { evaluate } from "../../papers/evaluate.ts";
import { FIGURES } from "../../papers/figures.ts";
import { readFolder, type Source, type SumsRow } from "../../papers/measured.ts";
import { verdictsIn } from "../../papers/page/tally.ts";
import { reasonOf } from "../../papers/reasons.ts";
import { type Report, writeReport } from "../../papers/report.ts";
import { backendsOf, compare } from "../../papers/sides.ts";
import type { Row } from "../../src/runner/row.ts";

const scratch = mkdtempSync(join(tmpdir(), "polybin-report-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const folder = (name: string) => new URL(`../../${name}`, import.meta.url).pathname;
const sources = ["results/nvidia-h200", "results/nvidia-h100", "results/amd-epyc-2"].flatMap((name) =>
  readFolder(folder(name)),
);
const read = (name: string) => readFileSync(join(scratch, name), "utf8");

it("writes the committed report and page, the same bytes every time", { timeout: 60_000 }, async () => {
  const place = {
    folder: join(scratch, "papers/report-nvidia-h200"),
    page: join(scratch, "papers/README.md"),
  };
  const filesOf = (of: string) =>
    new Map(readdirSync(of).map((name) => [name, readFileSync(join(of, name), "utf8")]));
  await writeReport(sources, place);
  const [first, page] = [filesOf(place.folder), readFileSync(place.page, "utf8")];
  await writeReport(sources, place);
  expect(filesOf(place.folder)).toEqual(first);
  const committed = filesOf(folder("papers/report-nvidia-h200"));
  expect([...committed.keys()].sort()).toEqual([...first.keys()].sort());
  for (const [name, text] of first)
    expect(committed.get(name) === text, `${name}: npm start -- papers writes it anew`).toBe(true);
  expect(readFileSync(folder("papers/README.md"), "utf8") === page, "benchmarks/papers/README.md").toBe(true);
  expect(readFileSync(place.page, "utf8")).toBe(page);
});

it("writes SVG that is well formed, and Markdown whose tables and links hold", {
  timeout: 60_000,
}, async () => {
  const { default: sharp } = await import("sharp");
  await writeReport(sources, { folder: scratch, backend: "webgpu" });
  const names = readdirSync(scratch);
  for (const name of names.filter((one) => one.endsWith(".svg"))) {
    expect(read(name)).toMatch(/^<svg /);
    const { width, height } = await sharp(Buffer.from(read(name))).metadata();
    expect(Math.min(width, height)).toBeGreaterThan(100);
  }
  for (const [markdown, pictures] of [
    [read("README.md"), scratch],
    [readFileSync(folder("papers/README.md"), "utf8"), folder("papers")],
  ] as const) {
    const links = [...markdown.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, picture]) => picture!);
    expect(links.length).toBeGreaterThan(10);
    for (const picture of links) expect(existsSync(join(pictures, picture)), picture).toBe(true);
    for (const [, anchor] of markdown.matchAll(/\]\(#([^)]+)\)/g))
      expect(markdown).toContain(`<a id="${anchor}">`);
    for (const block of markdown.split("\n\n").filter((text) => text.startsWith("|"))) {
      const cells = block
        .trimEnd()
        .split("\n")
        .map((row) => row.split(/(?<!\\)\|/).length);
      expect(new Set(cells).size, block.slice(0, 200)).toBe(1);
    }
    expect(markdown).not.toMatch(/NaN|undefined|Infinity/);
  }
});

it("writes the page and every figure's series for the dashboard", () => {
  const {
    papers,
    page,
    sources: from,
  } = JSON.parse(readFileSync(folder("papers/report-nvidia-h200/report.json"), "utf8")) as Report;
  expect(papers.map(({ id }) => id)).toEqual(FIGURES.map(({ paper, id }) => `${paper}-${id}`));
  // Only files whose rows or notes the report shows.
  const files = from.map(({ file }) => file);
  expect(files).toEqual(
    expect.arrayContaining([
      "cuda-figure6",
      "cuda-table1",
      "webgpu-trish",
      expect.stringMatching(/papers-cpu$/),
    ]),
  );
  expect(files).not.toContain("webgpu-luma");
  for (const { panels, findings, sides } of papers) {
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) expect(finding.sides).toHaveLength(sides.length);
    for (const panel of panels) {
      const series = [...panel.paper, ...panel.sides.flatMap((side) => side.series)];
      expect(series.flatMap(({ points }) => points).every(({ y }) => Number.isFinite(y))).toBe(true);
    }
  }
  const ids = papers.map(({ id }) => id);
  for (const { table } of page.sections) {
    if (table === null) continue;
    for (const row of table.rows) {
      expect(row).toHaveLength(table.columns.length);
      for (const cell of row) if (typeof cell !== "string") expect(ids).toContain(cell.figure);
    }
  }
});

it("gives no statement another value because a cell is missing", () => {
  let tried = 0;
  for (const backend of backendsOf(sources)) {
    for (const figure of FIGURES) {
      for (const column of ["published", "ours"] as const) {
        const { panels } = evaluate(figure, backend, column);
        for (const rule of figure.rules) {
          const { paper, ours, missing } = panels.find(({ id }) => id === rule.panel)!;
          const { wanted } = figure.panels.find(({ id }) => id === rule.panel)!;
          const whole = rule.judge(paper, ours, missing);
          for (const lost of wanted) {
            const rest = ours.filter(({ series, x }) => series !== lost.series || x !== lost.x);
            const { ours: value } = rule.judge(paper, rest, [...missing, lost]);
            expect([null, whole.ours], `${rule.id} without ${lost.series} at ${lost.x}`).toContain(value);
            tried++;
          }
        }
      }
    }
  }
  expect(tried).toBeGreaterThan(1000);
});

/** The rows of all files, changed or left out. */
const withRows = (change: (row: SumsRow) => SumsRow | null): Source[] =>
  sources.map(({ name, results }) => ({
    name,
    results: {
      ...results,
      rows: results.rows.flatMap((row) => (row.weighted ? (change(row as SumsRow) ?? []) : row)),
    },
  }));

it.each([
  [
    "the best of a sweep",
    "table-5",
    "unroll-by-bins",
    (row: SumsRow) => (row.weighted.unroll === 32 && row.bins > 16 ? null : row),
  ],
  [
    "the best of a sweep",
    "table-6",
    "warps-by-bins-reduced",
    (row: SumsRow) => (row.weighted.warps === 8 ? null : row),
  ],
  [
    "a median",
    "figure-11",
    "skipping-helps-collision-more",
    (row: SumsRow) => (row.weighted.skip && row.bins === 512 ? null : row),
  ],
  [
    "the best of a hybrid's methods",
    "figure-11",
    "hybrid-gain",
    (row: SumsRow) =>
      row.algorithm === "weighted-hybrid"
        ? { ...row, weighted: { ...row.weighted, plans: ["weighted-of-tomorrow: 1 feature"] } }
        : row,
  ],
] as const)("gives no verdict on %s without its cells, %s, %s", (_, id, statement, change) => {
  const figure = FIGURES.find((one) => one.paper === "xu" && one.id === id)!;
  const verdictOf = (of: readonly Source[]) =>
    evaluate(figure, backendsOf(of)[0]).findings.find((one) => one.id === statement)!.verdict;
  expect(verdictOf(sources)).not.toBe("not measured");
  expect(verdictOf(withRows(change))).toBe("not measured");
});

/** A result file of some rows. */
function source(name: string, rows: readonly object[], date: string): Source {
  const machine = { cpu: "CPU", cores: 2, gpu: null, driver: null, node: "v0", os: "" };
  const whole = rows.map(
    (row) => ({ backend: "cuda", peer: null, exact: true, distribution: "uniform", ...row }) as Row,
  );
  return { name, results: { schema: 1, commit: "c", date, machine, spreads: [], missing: [], rows: whole } };
}

it("takes the newest of two measurements, nothing that is not exact, and names what is missing", () => {
  const figure = FIGURES.find(({ paper, id }) => paper === "brown-snoeyink" && id === "figure-4")!;
  const trish = (k: number, gbps: number, more: object = {}) => ({
    algorithm: "trish",
    variant: `k=${k}`,
    gbps,
    ...more,
  });
  const { panels, findings } = evaluate(
    figure,
    backendsOf([
      source("cuda-trish", [trish(31, 30), trish(32, 15)], "2"),
      source(
        "cuda-trish",
        [trish(31, 5), trish(63, 99, { exact: false }), trish(1, 1, { distribution: "zeros" })],
        "1",
      ),
    ])[0],
  );
  expect(panels[0]!.ours).toEqual([
    { series: "TRISH", x: 31, y: 30 },
    { series: "TRISH", x: 32, y: 15 },
  ]);
  expect(panels[0]!.missing).toHaveLength(61);
  expect(findings.find(({ claim }) => claim.startsWith("k = 31 is faster"))).toMatchObject({
    paper: "1.15x",
    ours: "2x",
    verdict: "agrees",
  });
  expect(findings.find(({ claim }) => claim.startsWith("Unrolling is worthwhile"))).toMatchObject({
    ours: null,
    verdict: "not measured",
  });
});

describe("the hybrid of Xu et al.", () => {
  const figureOf = (id: string) => FIGURES.find((one) => one.paper === "xu" && one.id === id)!;
  const sums = (algorithm: string, gbps: number, precision: string, more: object = {}, bins = 256) => ({
    ...{ algorithm: `weighted-${algorithm}`, bins, gbps, distribution: "80% zeros" },
    weighted: {
      ...{ precision, skip: false, zeroShare: 0.8, figures: ["Table 7", "Figure 11"] },
      ...{ plans: [`weighted-${algorithm === "hybrid" ? "collision" : algorithm}: a plan`], ...more },
    },
  });
  const rows = [
    sums("hybrid", 30, "reproducible"),
    sums("hybrid", 999, "fast"),
    sums("hybrid", 888, "reproducible", { skip: true }),
    sums("collision", 20, "reproducible"),
    sums("collision", 5, "fast"),
    sums("collision-reduced", 40, "reproducible"),
    sums("collision-reduced", 50, "fast"),
  ];
  const ofDate = (date: string) => (id: string, panel: number, all: readonly object[]) =>
    evaluate(figureOf(id), backendsOf([source("cuda-weighted-paper", all, date)])[0]).panels[panel]!.ours.map(
      ({ series, y }) => [series, y],
    );
  const old = ofDate("2026-11-21T23:59:00.000Z");
  const now = ofDate("2026-11-22T00:00:00.000Z");
  const others = [
    ["collision, integers (ours)", 20],
    ["collision-reduced, integers (ours)", 40],
  ];

  it("stands with integers and nothing skipped in files of borrowed choices", () => {
    expect(old("figure-11", 0, rows).sort()).toEqual(
      [
        ["hybrid", 30],
        ["collision", 5],
        ["collision-reduced", 50],
        ...others,
        ["best of its methods", 40],
      ].sort(),
    );
    expect(old("table-7", 0, rows).sort()).toEqual(
      [["hybrid", 30], ["collision", 5], ["collision-reduced", 50], ...others].sort(),
    );
  });

  it("stands with floats, with integers and with skipped zeros, each beside the best of its methods in like calls", () => {
    const skip = { skip: true };
    const skipping = [
      sums("hybrid", 700, "fast", skip),
      sums("collision", 600, "fast", skip),
      sums("collision-reduced", 500, "fast", skip),
    ];
    const whole = rows.filter(({ gbps }) => gbps !== 888);
    expect(now("figure-11", 0, [...whole, ...skipping]).sort()).toEqual(
      [
        ["hybrid", 999],
        ["collision", 5],
        ["collision-reduced", 50],
        ["best of its methods", 50],
        ["hybrid, zeros skipped", 700],
        ["collision, zeros skipped", 600],
        ["collision-reduced, zeros skipped", 500],
        ["best of its methods, zeros skipped", 600],
        ["hybrid, integers (ours)", 30],
        ...others,
        ["best of its methods, integers (ours)", 40],
      ].sort(),
    );
    expect(now("table-7", 0, rows)).toContainEqual(["hybrid", 999]);
  });

  it("stands beside the collision-free method where that one is the best", () => {
    const few = rows.map((row) => ({
      ...row,
      weighted: { ...row.weighted, plans: ["weighted-collision-free: a plan"] },
    }));
    const free = sums("collision-free", 2000, "fast");
    const found = now("figure-11", 0, [...few, free]);
    expect(found).toContainEqual(["hybrid", 999]);
    expect(found).toContainEqual(["best of its methods", 2000]);
    expect(found.map(([series]) => series)).not.toContain("collision-free");
  });

  it("is judged by the measured methods, and not by its own limit", () => {
    const free = (bins: number, gbps: number) => [
      sums("hybrid", 1, "fast", {}, bins),
      sums("collision-free", gbps, "fast", {}, bins),
      sums("collision", 10, "fast", {}, bins),
      sums("collision-reduced", 20, "fast", {}, bins),
    ];
    const all = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].flatMap((bins) =>
      free(bins, bins <= 32 ? 21 : 19),
    );
    const found = (of: readonly object[]) =>
      evaluate(figureOf("table-7"), backendsOf([source("cuda-weighted-paper", of, "2")])[0]).findings.find(
        ({ id }) => id === "collision-free-up-to",
      );
    expect(found(all)).toMatchObject({ ours: "32", verdict: "differs" });
    expect(found(all.slice(4))).toMatchObject({ ours: null, verdict: "not measured" });
  });
});

it("states a cause only for a verdict that does not agree, and only if the measurements show it", () => {
  const of = FIGURES.find((one) => one.paper === "brown-snoeyink" && one.id === "figure-6")!;
  const cells = (atomicOnZeros: number) =>
    (
      [
        ["atomic", "uniform", 100],
        ["atomic", "zeros", atomicOnZeros],
        ["atomic", "no conflicts", 100],
        ["tag", "uniform", 50],
        ["tag", "zeros", 5],
      ] as const
    ).map(([variant, distribution, gbps]) => ({
      ...{ algorithm: "per-warp", variant, distribution, gbps, n: 2 ** 26, ms: [1] },
    }));
  const found = (atomicOnZeros: number) =>
    evaluate(of, backendsOf([source("cuda-figure6", cells(atomicOnZeros), "1")])[0]).findings.find(
      ({ claim }) => claim.startsWith("Podlozhnyuk's method depends"),
    )!;
  expect(found(98)).toMatchObject({ verdict: "reversed" });
  expect(found(98).cause).toContain("from 50 to 5 GB/s with the software tag");
  expect(found(1)).toMatchObject({ verdict: "agrees", cause: null });
  // The device would combine nothing, so the sentence would be false.
  expect(found(49)).toMatchObject({ verdict: "agrees", cause: null });
});

it("shows the cause of every statement that does not agree on the committed results, or that it is not measured", () => {
  const measured = backendsOf(sources)[0];
  for (const figure of FIGURES) {
    for (const { claim, verdict, cause } of evaluate(figure, measured).findings) {
      if (verdict !== "differs" && verdict !== "reversed") continue;
      expect(cause, `${figure.paper}, ${figure.id}: ${claim}`).toEqual(expect.any(String));
    }
  }
});

it("gives no verdict without its cells: a file that lacks some, or a column that lacks all", () => {
  const of = sources.find(({ name }) => name === "cuda-figure6")!;
  const without = of.results.rows.filter(
    ({ algorithm, n }) => !(algorithm === "per-thread" && n === 2 ** 26),
  );
  const lacking = backendsOf([{ ...of, results: { ...of.results, rows: without } }])[0];
  const figure = FIGURES.find((one) => one.paper === "brown-snoeyink" && one.id === "figure-6")!;
  const { findings, panels } = evaluate(figure, lacking);
  const verdictOf = (id: string) => findings.find((one) => one.id === id)!;
  expect(verdictOf("trish-over-nugteren")).toMatchObject({
    ours: null,
    verdict: "not measured",
    cause: null,
  });
  expect(verdictOf("order-uniform").verdict).toBe("not measured");
  expect(verdictOf("trish-over-podlozhnyuk").verdict).not.toBe("not measured");
  expect(panels[0]!.missing).toContainEqual({ series: "Nugteren", x: 2 ** 26 });
  // No file of old results has the papers' kernels.
  const old = backendsOf(sources.filter(({ name }) => !/published|podlozhnyuk/.test(name)))[0];
  const columns = FIGURES.map((one) => ({ one, published: evaluate(one, old, "published") }));
  for (const { one, published } of columns) {
    const isOfDevice = one.panels.some(({ ofDevice }) => ofDevice);
    if (!isOfDevice)
      expect(new Set(published.findings.map(({ verdict }) => verdict))).toEqual(new Set(["not measured"]));
  }
});

it("never decides what a column cannot show, says why, and does not count it as missing", () => {
  const backends = backendsOf(sources);
  const undecided = FIGURES.flatMap((figure) =>
    compare(figure, backends).sides.flatMap(({ id, of }) =>
      of.findings.flatMap((found, i) => {
        const reason = reasonOf(figure.rules[i]!.because, id);
        expect(found.because).toBe(reason);
        return reason === null ? [] : [{ id, found }];
      }),
    ),
  );
  expect(new Set(undecided.map(({ found: { verdict } }) => verdict))).toEqual(new Set(["not measured"]));
  // Only the grid of our own decides nothing about the papers' kernels.
  const published = undecided.flatMap(({ id, found }) => (id === "published" ? [found.id] : []));
  expect(published).toEqual(["reduced-ahead-share", "reduced-ahead-factor"]);
  const table = FIGURES.find((one) => one.paper === "brown-snoeyink" && one.id === "table-1")!;
  const { sides } = compare(table, backends);
  const counts = Object.fromEntries(sides.map(({ id, of }) => [id, verdictsIn(of).slice(3)]));
  expect(counts).toMatchObject({ published: [0, 0], cuda: [0, 0], webgpu: [0, 8] });
});

it("has an id for every statement, unique among the papers, that can be cited", () => {
  const ids = FIGURES.flatMap(({ rules }) => rules.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/);
  const page = readFileSync(folder("papers/README.md"), "utf8");
  for (const id of ids) expect(page).toContain(`<a id="${id}"></a>`);
});

it("does not take a formula for a measurement", () => {
  const of = FIGURES.find((one) => one.paper === "brown-snoeyink" && one.id === "figure-4")!;
  const { panels, findings } = evaluate(of, backendsOf([source("cuda-other", [], "1")])[0]);
  expect(panels.find(({ id }) => id === "efficiency")).toMatchObject({ machine: "" });
  expect(new Set(findings.map(({ verdict }) => verdict))).toEqual(new Set(["not measured"]));
});

it("names the CPU's machine beside the GPU's where a figure has both", () => {
  const of = FIGURES.find((one) => one.paper === "xu" && one.id === "table-7")!;
  const gpu = source("cuda-weighted-paper", [], "1");
  const onGpu = {
    ...gpu,
    results: { ...gpu.results, machine: { ...gpu.results.machine, cpu: "another", gpu: "GPU" } },
  };
  const { machine, panels } = evaluate(of, backendsOf([onGpu, source("papers-cpu", [], "1")])[0]);
  expect(machine).toBe("GPU, cuda; CPU: CPU, 2 cores");
  expect(panels.map((panel) => panel.machine)).toEqual(["GPU, cuda", "GPU, cuda", machine]);
});

it("shows the backend that was asked for, else a GPU's before workers'", () => {
  const files = ["webgpu-trish", "cuda-trish", "piscina-trish"].map((name) => source(name, [], "1"));
  expect(backendsOf(files)[0].backend).toBe("cuda");
  expect(backendsOf(files, "webgpu")[0].backend).toBe("webgpu");
  expect(backendsOf(files.slice(2))[0].backend).toBe("piscina");
});
