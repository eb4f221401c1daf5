import { describe, expect, it } from "vitest";
import { FIGURES } from "../../papers/figures.ts";
import { readFolder, type Source } from "../../papers/measured.ts";
import type { Point } from "../../papers/model.ts";
import { isSpeed, relative, unitsOf } from "../../papers/overlay.ts";
import { pageOf } from "../../papers/page/index.ts";
import type { Cell, Page } from "../../papers/page/page.ts";
import { digits } from "../../papers/readings/index.ts";
import { backendsOf, compare, shownSides } from "../../papers/sides.ts";
import type { Row } from "../../src/runner/row.ts";

const folder = (name: string) => new URL(`../../${name}`, import.meta.url).pathname;
const sources = ["results/nvidia-h200", "results/amd-epyc-2"].flatMap((name) => readFolder(folder(name)));

function pageFor(of: readonly Source[]): Page {
  const backends = backendsOf(of);
  return pageOf(
    FIGURES.map((figure) => compare(figure, backends)),
    backends,
  );
}

/** Returns the rows of a section as objects by column. */
function rowsOf(page: Page, id: string): Record<string, string>[] {
  const { table } = page.sections.find((section) => section.id === id)!;
  const text = (cell: Cell) => (typeof cell === "string" ? cell : cell.text);
  return table!.rows.map((row) => Object.fromEntries(row.map((cell, i) => [table!.columns[i]!, text(cell)])));
}

/** Changes the rows of some files. */
function changed(file: string, change: (row: Row) => number): Source[] {
  return sources.map((source) =>
    source.name === file
      ? {
          ...source,
          results: {
            ...source.results,
            rows: source.results.rows.map((row) => ({ ...row, gbps: change(row) })),
          },
        }
      : source,
  );
}

describe("the page", () => {
  const page = pageFor(sources);

  it("puts a paper's number next to ours of the same cell, with shares of each memory's peak", () => {
    const trish = rowsOf(page, "methods")[0]!;
    const { gbps } = sources
      .find(({ name }) => name === "cuda-figure6")!
      .results.rows.find(
        ({ algorithm, variant, n, distribution }) =>
          algorithm === "trish" && variant === "k=31" && n === 2 ** 26 && distribution === "uniform",
      )!;
    expect(trish).toMatchObject({ "peak then": "21%" });
    expect(trish.CUDA).toBe(digits(gbps));
    expect(trish["peak, CUDA"]).toBe(`${Math.round((gbps / 4800) * 100)}%`);
  });

  it("divides then and now of the same kernel only, and says what is not measured", () => {
    const unpublished = sources.filter(({ name }) => name !== "cuda-published");
    const none = rowsOf(pageFor(unpublished), "methods")[0]!;
    expect(none).toMatchObject({ "published now": "not measured", hardware: "–", rewrite: "–" });
    const row = (launch: string, gbps: number) =>
      ({
        ...{
          backend: null,
          algorithm: null,
          peer: "TRISH",
          exact: true,
          n: 2 ** 26,
          distribution: "uniform",
        },
        ...{
          gbps,
          ms: [1],
          published: { paper: "brown-snoeyink", method: "TRISH", figures: ["Figure 6"], launch },
        },
      }) as unknown as Row;
    const { results } = sources.find(({ name }) => name === "cuda-figure6")!;
    const published = {
      name: "cuda-published",
      results: { ...results, rows: [row("paper", 405.3), row("today", 1000)] },
    };
    const shown = rowsOf(pageFor([...unpublished, published]), "methods")[0]!;
    expect(shown).toMatchObject({ "published now": "405", "with today's blocks": "1,000", hardware: "10x" });
  });

  it("follows the rows: slower methods move statements and recommendations", () => {
    const slow = pageFor(
      changed("cuda-algorithms", ({ algorithm, gbps }) => (algorithm === "per-lane" ? 1 : gbps)),
    );
    const cuda = (of: Page) =>
      rowsOf(of, "today").find(({ backend }) => backend === "CUDA")!["fastest method"];
    expect(cuda(page)).toBe("`per-lane`");
    expect(cuda(slow)).not.toBe("`per-lane`");
    const claim = "TRISH over Podlozhnyuk";
    const withTrish = (gbps: number) =>
      pageFor(changed("cuda-figure6", ({ algorithm }) => (algorithm === "trish" ? gbps : 100)));
    const of = (one: Page) =>
      rowsOf(one, "statements").find((row) => row["the papers' statement"] === claim)!;
    expect(of(withTrish(148))).toMatchObject({ CUDA: "1.48x, agrees" });
    expect(of(withTrish(50))).toMatchObject({ CUDA: "0.5x, reversed" });
  });

  it("counts every statement once in every column, measured or not", () => {
    const counts = rowsOf(page, "tally").map(({ kernels, statements, ...verdicts }) => {
      const { "missing cells": _, ...of } = verdicts;
      return [kernels, Number(statements), Object.values(of).reduce((sum, n) => sum + Number(n), 0)];
    });
    const gpu = FIGURES.filter(({ needs }) => needs === "gpu").flatMap(({ rules }) => rules).length;
    const all = FIGURES.flatMap(({ rules }) => rules).length;
    expect(counts).toEqual([
      ["the papers', as published", all, all],
      ...["CUDA", "WebGPU", "workers"].map((name) => [`polybin's, ${name}`, gpu, gpu]),
      ["polybin's, CPU", all - gpu, all - gpu],
    ]);
  });

  it("is written from nothing but workers' files, and says what it does not know", () => {
    const workers = pageFor(sources.filter(({ results }) => results.machine.gpu === null));
    expect(workers.sections.find(({ id }) => id === "hardware")!.text).toEqual([]);
    // The machine's memory is not known, so the speed has no share of it.
    expect(rowsOf(workers, "methods")[0]).toMatchObject({
      workers: expect.stringMatching(/^\d/),
      "peak, workers": "–",
    });
    expect(rowsOf(workers, "large").find(({ algorithm }) => algorithm === "`global`")).toMatchObject({
      "workers, GB/s": "–",
    });
  });

  it("has a row for every backend with rows, and none for others", () => {
    expect(new Set(rowsOf(page, "today").map(({ backend }) => backend))).toEqual(
      new Set(["CUDA", "WebGPU", "workers"]),
    );
    const others = sources.filter(({ name }) => !name.startsWith("webgpu-"));
    // Files of tasks have rows of several backends.
    const withoutWebgpu = pageFor(
      others.map(({ results, ...source }) => ({
        ...source,
        results: { ...results, rows: results.rows.filter(({ backend }) => backend !== "webgpu") },
      })),
    );
    expect(Object.keys(rowsOf(withoutWebgpu, "methods")[0]!)).not.toContain("WebGPU");
  });
});

describe("an overlay", () => {
  const at = (series: string, x: number, y: number): Point => ({ series, x, y });

  it("makes the same cell 1 on both sides: the paper's highest of those that both have", () => {
    const paper = [at("a", 1, 10), at("a", 2, 40), at("b", 2, 90)];
    const ours = [at("a", 1, 300), at("a", 2, 600), at("a", 4, 900)];
    const units = unitsOf(paper, ours);
    expect(units).toEqual({ paperUnit: 40, unit: 600, reference: { series: "a", x: 2 } });
    expect(relative(ours, units.unit).map(({ y }) => y)).toEqual([0.5, 1, 1.5]);
  });

  it("divides each side by its highest value if no cell is on both, and draws nothing without points", () => {
    expect(unitsOf([at("a", 1, 10)], [at("a", 2, 5), at("a", 3, 8)])).toEqual({
      paperUnit: 10,
      unit: 8,
      reference: null,
    });
    expect(unitsOf([], [])).toEqual({ paperUnit: null, unit: null, reference: null });
    expect(relative([at("a", 1, 1)], null)).toEqual([]);
  });

  it("leaves parameters and shares as they are", () => {
    const speeds = FIGURES.flatMap(({ panels }) => panels)
      .filter(isSpeed)
      .map(({ y }) => y.label);
    expect(new Set(speeds)).toContain("GB/s of values");
    expect(speeds.filter((label) => /N_|share|bytes$|relative/.test(label))).toEqual([]);
  });
});

it("has a column for every backend, with rows or without, and shows those with rows", () => {
  const backends = backendsOf(sources.filter(({ name }) => !name.startsWith("piscina-")));
  const sidesOf = (id: string) => {
    const compared = compare(FIGURES.find((one) => `${one.paper}-${one.id}` === id)!, backends);
    const names = (of: typeof compared.sides | ReturnType<typeof shownSides>) => of.map((side) => side.id);
    return { all: names(compared.sides), shown: names(shownSides(compared)) };
  };
  const cpu = ["published", "cpu"];
  expect(sidesOf("cuda-handbook-cpu-scaling")).toEqual({ all: cpu, shown: cpu });
  expect(sidesOf("brown-snoeyink-figure-4")).toEqual({
    all: ["published", "cuda", "webgpu", "piscina"],
    shown: ["published", "cuda", "webgpu"],
  });
});
