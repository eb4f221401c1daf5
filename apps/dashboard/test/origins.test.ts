// Every plot of times from every committed result file: one host, one day, equal threads, no crossed label, one colour a
// program. And the numbers of every view are those of the files, which are read here by other code.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ALL_PROGRAMS } from "../src/data/programs.ts";
import { openPage, shown, siteInBrowser } from "./browser.ts";
import { type Drawn, script, type TableRow } from "./plot-checks.ts";

const at = siteInBrowser();
const SIZE = { viewport: { width: 1280, height: 900 } };

/** Views of one file, and the column of their table that is traced. */
const VIEWS = {
  "explore/throughput": ["GB/s", "gbps"],
  "explore/distributions": ["GB/s", "gbps"],
  "explore/ceiling": ["% of ceiling", "percent"],
  "explore/peers": ["polybin's GB/s", "gbps"],
  "explore/calls": ["µs", "us"],
  "explore/k-sweep": ["GB/s", "gbps"],
  "explore/weighted": ["10⁹ values/s", "values"],
} as const;
type Kind = (typeof VIEWS)[keyof typeof VIEWS][1];

/** Numbers of each view that are traced to their file. */
const TRACED = 20;

interface RawRow {
  readonly type: string;
  readonly n: number;
  readonly gbps: number;
  readonly ms: number[];
  readonly callMs?: number[];
  readonly ceilingPercent: number | null;
  readonly valuesPerSecond?: number;
}
const files = new Map<string, RawRow[]>();
function rowOf(file: string, row: number): RawRow {
  let rows = files.get(file);
  if (rows === undefined) {
    const path = new URL(`../../../benchmarks/results/${file}.json`, import.meta.url);
    rows = (JSON.parse(readFileSync(path, "utf8")) as { rows: RawRow[] }).rows;
    files.set(file, rows);
  }
  return rows[row]!;
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}

/** A number of a row on the basis of whole calls, from its raw runs. `callMs` has their time if `ms` is the kernels'. */
function expected(
  { n, gbps, ms, callMs, ceilingPercent, valuesPerSecond = Number.NaN }: RawRow,
  kind: Kind,
): number {
  const share = callMs === undefined ? 1 : middle(ms) / middle(callMs);
  if (kind === "us") return n / (gbps * share) / 1000;
  if (kind === "values") return (valuesPerSecond * share) / 1e9;
  if (kind === "percent") return (ceilingPercent ?? Number.NaN) * share;
  return gbps * share;
}

/** Compares numbers of a table with the files. @returns how many were compared */
function trace(rows: readonly TableRow[], column: string, kind: Kind): number {
  const compared = rows.filter(({ columns, cells, file, row }) => {
    const value = expected(rowOf(file, row), kind);
    const text = cells[columns.indexOf(column)];
    if (text === undefined || Number.isNaN(value)) return false;
    // Numbers have three digits.
    expect(Math.abs(Number(text.replaceAll(",", "")) / value - 1), `${text} of ${file}, ${row}`).toBeLessThan(
      0.006,
    );
    return true;
  });
  return compared.length;
}

const SPOIL = `{
  const plot = document.querySelector("svg.plot");
  const label = plot.querySelector("text");
  const box = label.getBoundingClientRect();
  const around = plot.getBoundingClientRect();
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const [y, x1] = [(box.top + box.bottom) / 2 - around.top, box.left - around.left - 5];
  for (const [name, value] of Object.entries({ x1, x2: x1 + 30, y1: y, y2: y })) line.setAttribute(name, value);
  plot.append(line);
  const source = document.querySelector(".source");
  source.after(source.cloneNode(true));
  document.querySelector(".legend path").setAttribute("stroke", "var(--program-other)");
}`;

const threadsIn = (name: string): string | undefined => /(\d+) threads?/.exec(name)?.[1];

test("every plot of every file has one host, one day, equal threads, free labels and its programs' colours", {
  timeout: 240_000,
}, async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, at.site.origin, SIZE);
  const { page, problems } = opened;
  await shown(page, "overview");
  const index = (await (await fetch(`${at.site.origin}data/index.json`)).json()) as {
    files: { folder: string; kind: string }[];
  };
  const machines = new Set(index.files.filter(({ kind }) => kind === "rows").map(({ folder }) => folder));
  let plots = 0;
  for (const [view, [column, kind]] of Object.entries(VIEWS)) {
    let traced = 0;
    for (const machine of machines) {
      for (const basis of view === "explore/calls" ? ["call"] : ["call", "kernel"]) {
        const call = `everyRun(${JSON.stringify(view)}, "machine=${machine}&basis=${basis}")`;
        const drawn = await page.evaluate<Drawn[]>(script(call));
        plots += drawn.length;
        for (const { run, faults, rows } of drawn) {
          expect(faults, `${view}, ${machine}, ${run}, ${basis}`).toEqual([]);
          if (view === "explore/peers") {
            for (const { cells } of rows) {
              const [theirs, ours] = [threadsIn(cells[0]!), threadsIn(cells[3]!)];
              if (theirs !== undefined && ours !== undefined) expect(theirs, cells.join(", ")).toBe(ours);
            }
          }
          if (basis === "call") traced += trace(rows.slice(0, TRACED - traced), column, kind);
        }
      }
    }
    expect(traced, view).toBe(TRACED);
  }
  expect(plots).toBeGreaterThan(100);
  // A crossed label, a second day and a wrong colour are found.
  await page.goto(`${at.site.origin}#explore/calls?machine=nvidia-h200`);
  await shown(page, "explore/calls");
  await page.evaluate(SPOIL);
  const faults = await page.evaluate<string[]>(script("faultsIn(document)"));
  for (const fault of [/a line crosses "/, /no single host and day/, /has the colour of other/])
    expect(
      faults.some((one) => fault.test(one)),
      String(fault),
    ).toBe(true);
  expect(problems).toEqual([]);
});

/** Draws a view for each choice of a select, and returns the lines that cross texts. */
async function crossings(page: Page, view: string, field: string, key: string): Promise<string[]> {
  await page.goto(`${at.site.origin}#${view}`);
  await shown(page, view);
  const label = page
    .locator("label.field")
    .filter({ has: page.locator("span", { hasText: new RegExp(`^${field}$`) }) });
  const options = label.locator("option");
  const choices = await options.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  expect(choices.length, view).toBeGreaterThan(1);
  const found: string[] = [];
  for (const choice of choices) {
    await page.goto(`${at.site.origin}#${view}?${key}=${choice}`);
    await expect.poll(() => label.locator("select").inputValue()).toBe(choice);
    const faults = await page.evaluate<string[]>(script("faultsIn(document)"));
    found.push(
      ...faults.filter((fault) => /a line crosses/.test(fault)).map((fault) => `${choice}: ${fault}`),
    );
  }
  return found;
}

test("no line crosses a label of any profile or of any figure of the papers", {
  timeout: 240_000,
}, async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, at.site.origin, SIZE);
  const { page, problems } = opened;
  expect(await crossings(page, "explore/roofline", "Run", "file")).toEqual([]);
  expect(await crossings(page, "papers", "Show", "figure")).toEqual([]);
  expect(problems).toEqual([]);
});

/** The cells of a table's columns as numbers, without their units. */
const numbersOf = (page: Page, selector: string): Promise<number[]> =>
  page
    .locator(selector)
    .evaluateAll((cells) => cells.map((cell) => Number.parseFloat(cell.textContent!.replaceAll(",", ""))));

const near = (shownValue: number, value: number, what: string): void =>
  expect(Math.abs(shownValue / value - 1), `${what}: ${shownValue} for ${value}`).toBeLessThan(0.006);

const json = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(`../../../benchmarks/${path}`, import.meta.url), "utf8")) as T;

test("20 numbers of a profile, of a cell's runs, of the list of files and of the papers are those of their files", async (ctx) => {
  if (typeof at.chromium === "string") return ctx.skip(at.chromium);
  await using opened = await openPage(at.chromium, at.site.origin, SIZE);
  const { page, problems } = opened;

  await page.goto(`${at.site.origin}#explore/roofline?file=nvidia-h200/cuda-table1`);
  await shown(page, "explore/roofline");
  const { notes } = json<{ notes: Record<string, unknown> }>("results/nvidia-h200/cuda-table1.json");
  const terms = Object.values(notes).flatMap((list) => (Array.isArray(list) ? list : [])) as {
    terms?: Record<string, { value: number }>;
  }[];
  const perByte = terms.flatMap(({ terms: found }) => found?.["Ins/Byte"]?.value ?? []);
  const instructions = await numbersOf(page, "figure.chart table tbody td:nth-child(3)");
  expect(instructions.length).toBeGreaterThanOrEqual(TRACED);
  for (const one of instructions)
    expect(
      perByte.some((value) => Math.abs(one / value - 1) < 0.006),
      `${one} instructions per byte`,
    ).toBe(true);

  const file = "nvidia-h200/cuda-headline";
  const runs = json<{ rows: { ms: number[] }[] }>(`results/${file}.json`).rows;
  const at20 = runs.findIndex(({ ms }) => ms.length >= TRACED);
  await page.goto(`${at.site.origin}#explore/cell?file=${file}&row=${at20}`);
  await shown(page, "explore/cell");
  await page.locator("dd", { hasText: `${file}.json, row ${at20}` }).waitFor();
  const micros = await numbersOf(page, "figure.chart:first-of-type table tbody td:nth-child(2)");
  for (const [i, ms] of runs[at20]!.ms.entries()) near(micros[i]!, ms * 1000, `run ${i + 1}`);

  await page.goto(`${at.site.origin}#explore/files`);
  await shown(page, "explore/files");
  const listed = await page
    .locator("table")
    .first()
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [row.querySelector("th")!.textContent!, row.lastElementChild!.textContent!] as const),
    );
  const filled = listed.filter(([, cells]) => cells !== "0").slice(0, TRACED);
  expect(filled).toHaveLength(TRACED);
  for (const [path, cells] of filled)
    expect(Number(cells.replaceAll(",", "")), path).toBe(
      json<{ rows: unknown[] }>(`results/${path}.json`).rows.length,
    );

  await page.goto(`${at.site.origin}#papers`);
  await shown(page, "papers");
  const report = json<{ page: { sections: { picture?: { marks: { x: number }[] } }[] } }>(
    "papers/report-nvidia-h200/report.json",
  );
  const marks = report.page.sections.flatMap(({ picture }) => picture?.marks ?? []);
  const plotted = await numbersOf(page, "figure.chart table tbody td:nth-child(3)");
  expect(plotted.length).toBeGreaterThanOrEqual(TRACED);
  for (const [i, { x }] of marks.entries()) near(plotted[i]!, x, `number ${i} of the papers`);
  expect(problems).toEqual([]);
});

test("no two programs have one colour, in light or in dark", () => {
  const css = readFileSync(new URL("../src/style.css", import.meta.url), "utf8");
  const colours = [...css.matchAll(/--program-(\w+): light-dark\((#\w+), (#\w+)\)/g)];
  const ids = colours.map(([, id]) => id);
  expect(ids).toEqual(expect.arrayContaining(ALL_PROGRAMS.map(({ id }) => id)));
  for (const scheme of [2, 3])
    expect(new Set(colours.map((colour) => colour[scheme])).size).toBe(new Set(ids).size);
});
