import { existsSync, readFileSync } from "node:fs";
import { limits } from "@polybin/core/backend";
import { expect, it } from "vitest";
import { numbersOf, PAPERS } from "../../papers/data.ts";
import { FIGURES } from "../../papers/figures.ts";
import type { PaperId } from "../../papers/model.ts";

const TEXTS = new URL("../../../../shared/papers/", import.meta.url);

const all = Object.entries(PAPERS).flatMap(([paper, { figures, text }]) =>
  Object.entries(figures).map(([figure, data]) => ({ paper: paper as PaperId, figure, data, text })),
);

it("has every figure and table that the papers give for their methods", () => {
  expect(FIGURES.map(({ paper, id }) => `${paper} ${id}`).sort()).toEqual(
    [
      ...["figure-4", "figure-6", "figure-7", "peak", "section-5.3", "section-6.2", "table-1"].map(
        (id) => `brown-snoeyink ${id}`,
      ),
      ...["comparison", "layouts", "cpu-scaling"].map((id) => `cuda-handbook ${id}`),
      ...["histogram-64", "histogram-256"].map((id) => `podlozhnyuk ${id}`),
      "hardavellas arrangements",
      ...[4, 5, 6, 7, 8, 9, 10, 11].map((number) => `xu figure-${number}`),
      ...[1, 2, 3, 4, 5, 6, 7].map((number) => `xu table-${number}`),
      "xu section-6.2.2",
    ].sort(),
  );
  expect(FIGURES.map(({ paper, id }) => `${paper} ${id}`).sort()).toEqual(
    all.map(({ paper, figure }) => `${paper} ${figure}`).sort(),
  );
});

it.each(all)(
  "numbers of $paper, $figure are numbers, and say where they stand",
  ({ paper, figure, data }) => {
    const { panels } = FIGURES.find((one) => one.paper === paper && one.id === figure)!;
    for (const [panel, series, x, y, where] of data.numbers) {
      expect(panels.map(({ id }) => id)).toContain(panel);
      expect(series).not.toBe("");
      expect(typeof x === "string" ? x !== "" : Number.isFinite(x)).toBe(true);
      expect(Number.isFinite(y)).toBe(true);
      expect(where).not.toBe("");
    }
    for (const [value, where] of Object.values(data.claims)) {
      expect(Number.isFinite(value)).toBe(true);
      expect(where).not.toBe("");
    }
  },
);

it("tells of each figure its source, its command, its rules, and what the text lost where it gives no numbers", () => {
  for (const { source, command, rules, panels, lost } of FIGURES) {
    expect(source).not.toBe("");
    expect(command).toMatch(/^run |^npm start/);
    expect(rules.length).toBeGreaterThan(0);
    expect(panels.length).toBeGreaterThan(0);
    const ids = panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(rules.every(({ panel }) => ids.includes(panel))).toBe(true);
    if (panels.every(({ paper }) => paper.length === 0)) expect(lost).not.toBeNull();
  }
});

/** What the text says in a section, or in the lines above a table's caption, which stands below it. */
function passage(text: string, where: string): string {
  const lines = text.split("\n");
  const caption = /^Table \d+$/.test(where) ? lines.findIndex((line) => line.startsWith(`${where}:`)) : -1;
  if (caption >= 0) return lines.slice(Math.max(0, caption - TABLE_LINES), caption).join("\n");
  const start = lines.findIndex((line) => headingOf(line)?.startsWith(where));
  if (start < 0) throw new Error(`the paper has no section ${where}`);
  const length = lines.slice(start + 1).findIndex((line) => headingOf(line) !== null);
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join("\n");
}

/** Lines of the longest table with its footnotes. */
const TABLE_LINES = 15;

/** A heading without its marks; one of the texts has none but the numbers, and one has none at all. */
function headingOf(line: string): string | null {
  const plain = /^(?:1\. INTRODUCTION|Introduction|Overview|Implementation of|Bibliography)\b.*$/.exec(
    line,
  )?.[0];
  return plain?.replaceAll("`", "") ?? /^(?:#+ [#* ]*|(?=[1-9]\.\d))(.+)$/.exec(line)?.[1] ?? null;
}

/** Where a number stands from a place on; -1 where it does not. Thousands have commas, and kilobytes a k. */
function placeOf(text: string, value: number, from = 0): number {
  const forms = [String(value), value.toFixed(1), value.toFixed(2), `${value / 1024}k`, `${value}k`].map(
    (form) => form.replace(".", "\\."),
  );
  const found = new RegExp(`(?<![\\d.])(?:${forms.join("|")})(?!\\d)`).exec(text.slice(from));
  return found === null ? -1 : from + found.index;
}

/**
 * A series' numbers stand in their section in the order of the data file, each printed for itself. It does not see a
 * place (x) that is wrong, nor two series' numbers that are exchanged, nor a number that the section prints of
 * something else at the right moment.
 */
it.for(all)(
  "the paper's text has the numbers of $paper, $figure, where they are said to stand",
  (of, { skip }) => {
    if (!existsSync(TEXTS)) return skip("the papers' texts are not in ../shared/papers");
    const { paper, figure, data } = of;
    const text = readFileSync(new URL(of.text, TEXTS), "utf8").replaceAll(/(?<=\d),(?=\d{3})/g, "");
    const absent: string[] = [];
    // Efficiencies are the formula's, for which the text has one 1.0 for five k: a test of their own compares them.
    const numbers = data.numbers.filter(([panel]) => panel !== "efficiency");
    for (const series of Map.groupBy(
      numbers,
      ([panel, name, , , where]) => `${panel}, ${name}, ${where}`,
    ).values()) {
      let from = 0;
      for (const [panel, name, x, y, where] of series) {
        const place = placeOf(passage(text, where), y, from);
        if (place < 0) absent.push(`${panel}, ${name} at ${x}: ${y} in ${where}`);
        from = place + 1;
      }
    }
    for (const [name, [value, where]] of Object.entries(data.claims)) {
      if (placeOf(passage(text, where), value) < 0) absent.push(`${name}: ${value} in ${where}`);
    }
    expect(absent, `${paper}, ${figure}`).toEqual([]);
  },
);

it("has the efficiencies that the paper's formula gives", () => {
  const panel = numbersOf("brown-snoeyink", "figure-4", "efficiency");
  expect(panel.length).toBeGreaterThan(0);
  for (const { x, y } of panel) expect(limits.rowSumEfficiency(Number(x))).toBeCloseTo(y, 3);
});
