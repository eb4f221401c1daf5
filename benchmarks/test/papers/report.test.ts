import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { evaluate } from "../../papers/evaluate.ts";
import { FIGURES } from "../../papers/figures.ts";
import { measuredOf, readFolder, type Source } from "../../papers/measured.ts";
import { type Report, writeReport } from "../../papers/report.ts";
import type { Row } from "../../src/result.ts";

const scratch = mkdtempSync(join(tmpdir(), "polybin-report-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const folder = (name: string) => new URL(`../../${name}`, import.meta.url).pathname;
const sources = ["results/nvidia-h200", "results/amd-epyc-2"].flatMap((name) => readFolder(folder(name)));
const read = (name: string) => readFileSync(join(scratch, name), "utf8");

it("writes the committed report, the same bytes every time", { timeout: 60_000 }, async () => {
  await writeReport(scratch, sources);
  const first = new Map(readdirSync(scratch).map((name) => [name, read(name)]));
  await writeReport(scratch, sources);
  for (const [name, text] of first) expect(read(name) === text, name).toBe(true);
  const committed = folder("papers/report-nvidia-h200");
  expect(readdirSync(committed).sort()).toEqual([...first.keys()].sort());
  for (const [name, text] of first) {
    expect(
      readFileSync(join(committed, name), "utf8") === text,
      `${name}: npm start -- papers writes it anew`,
    ).toBe(true);
  }
});

it("writes SVG that is well formed, and Markdown whose tables and links hold", async () => {
  const { default: sharp } = await import("sharp");
  const names = readdirSync(scratch);
  for (const name of names.filter((one) => one.endsWith(".svg"))) {
    expect(read(name)).toMatch(/^<svg /);
    const { width, height } = await sharp(Buffer.from(read(name))).metadata();
    expect(Math.min(width, height)).toBeGreaterThan(100);
  }
  const markdown = read("README.md");
  for (const [, picture] of markdown.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) expect(names).toContain(picture);
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
});

it("writes every figure's series for the dashboard", () => {
  const { papers, sources: from } = JSON.parse(read("report.json")) as Report;
  expect(papers.map(({ id }) => id)).toEqual(FIGURES.map(({ paper, id }) => `${paper}-${id}`));
  expect(from).toHaveLength(sources.length);
  for (const { paperSeries, ourSeries, panels, findings } of papers) {
    expect(findings.length).toBeGreaterThan(0);
    for (const { panel, points } of [...paperSeries, ...ourSeries]) {
      expect(panels.map(({ id }) => id)).toContain(panel);
      expect(points.every(({ y }) => Number.isFinite(y))).toBe(true);
    }
  }
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
    measuredOf([
      source("cuda-trish", [trish(31, 30), trish(32, 10)], "2"),
      source(
        "cuda-trish",
        [trish(31, 5), trish(63, 99, { exact: false }), trish(1, 1, { distribution: "zeros" })],
        "1",
      ),
    ]),
  );
  expect(panels[0]!.ours).toEqual([
    { series: "TRISH", x: 31, y: 30 },
    { series: "TRISH", x: 32, y: 10 },
  ]);
  expect(panels[0]!.missing).toHaveLength(61);
  expect(findings.find(({ claim }) => claim.startsWith("k = 31 beats"))).toMatchObject({
    paper: "1.15x",
    ours: "3x",
    verdict: "agrees",
  });
  expect(findings.find(({ claim }) => claim.startsWith("Unrolling pays"))).toMatchObject({
    ours: null,
    verdict: "not measured",
  });
});

it("shows the backend that was asked for, else a GPU's before workers'", () => {
  const files = ["webgpu-trish", "cuda-trish", "piscina-trish"].map((name) => source(name, [], "1"));
  expect(measuredOf(files).backend).toBe("cuda");
  expect(measuredOf(files, "webgpu").backend).toBe("webgpu");
  expect(measuredOf(files.slice(2)).backend).toBe("piscina");
});
