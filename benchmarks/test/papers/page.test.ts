import { describe, expect, it } from "vitest";
import { FIGURES } from "../../papers/figures.ts";
import { readFolder, type Source } from "../../papers/measured.ts";
import type { Point } from "../../papers/model.ts";
import { isSpeed, relative, unitsOf } from "../../papers/overlay.ts";
import { pageOf } from "../../papers/page/index.ts";
import type { Cell, Page } from "../../papers/page/page.ts";
import { digits } from "../../papers/readings/index.ts";
import { backendsOf, compare } from "../../papers/sides.ts";
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
    const trish = rowsOf(page, "methods").find(({ algorithm }) => algorithm === "`trish`")!;
    const { gbps } = sources
      .find(({ name }) => name === "cuda-figure6")!
      .results.rows.find(
        ({ algorithm, variant, n, distribution }) =>
          algorithm === "trish" && variant === "k=31" && n === 2 ** 26 && distribution === "uniform",
      )!;
    expect(trish).toMatchObject({ "then, GB/s": "40.5", "peak then": "21%" });
    expect(trish["CUDA now, GB/s"]).toBe(digits(gbps));
    expect(trish["now / then"]).toBe(`${digits(gbps / 40.53)}x`);
    expect(trish["peak now"]).toBe(`${Math.round((gbps / 4800) * 100)}%`);
  });

  it("follows the rows: slower methods move statements and recommendations", () => {
    const slow = pageFor(
      changed("cuda-algorithms", ({ algorithm, gbps }) => (algorithm === "per-lane" ? 1 : gbps)),
    );
    const cuda = (of: Page) =>
      rowsOf(of, "today").find(({ backend }) => backend === "CUDA")!["fastest method"];
    expect(cuda(page)).toBe("`per-lane`");
    expect(cuda(slow)).not.toBe("`per-lane`");
    const STATEMENT = "the paper's statement";
    const claim = "TRISH over Podlozhnyuk";
    const withTrish = (gbps: number) =>
      pageFor(changed("cuda-figure6", ({ algorithm }) => (algorithm === "trish" ? gbps : 100)));
    const of = (one: Page, section: string) => rowsOf(one, section).find((row) => row[STATEMENT] === claim);
    const held = of(withTrish(148), "holds")!;
    expect(Object.values(held).slice(1)).toEqual(["1.48x", expect.stringContaining("CUDA 1.48x")]);
    expect(of(withTrish(148), "changed")).toBeUndefined();
    expect(of(withTrish(50), "holds")).toBeUndefined();
    expect(of(withTrish(50), "changed")).toMatchObject({ verdict: "reversed" });
  });

  it("is written from nothing but workers' files, and says what it does not know", () => {
    const workers = pageFor(sources.filter(({ results }) => results.machine.gpu === null));
    expect(workers.sections.find(({ id }) => id === "hardware")!.text).toEqual([]);
    expect(rowsOf(workers, "methods")[0]).toMatchObject({ "workers now, GB/s": "–", "peak now": "–" });
    expect(rowsOf(workers, "large").find(({ algorithm }) => algorithm === "`global`")).toMatchObject({
      "workers, GB/s": "–",
    });
  });

  it("has a row for every backend with rows, and none for others", () => {
    expect(new Set(rowsOf(page, "today").map(({ backend }) => backend))).toEqual(
      new Set(["CUDA", "WebGPU", "workers"]),
    );
    const withoutWebgpu = pageFor(sources.filter(({ name }) => !name.startsWith("webgpu-")));
    expect(Object.keys(rowsOf(withoutWebgpu, "methods")[0]!)).not.toContain("WebGPU now, GB/s");
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

it("shows a figure of a CPU once, and a backend without rows as absent", () => {
  const backends = backendsOf(sources.filter(({ name }) => !name.startsWith("piscina-")));
  const sidesOf = (id: string) => {
    const { sides, absent } = compare(FIGURES.find((one) => `${one.paper}-${one.id}` === id)!, backends);
    return { sides: sides.map((side) => side.id), absent };
  };
  expect(sidesOf("cuda-handbook-cpu-scaling")).toEqual({ sides: ["cpu"], absent: [] });
  expect(sidesOf("brown-snoeyink-figure-4")).toEqual({ sides: ["cuda", "webgpu"], absent: ["piscina"] });
});
