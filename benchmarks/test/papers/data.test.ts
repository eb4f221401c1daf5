import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PAPERS } from "../../papers/data.ts";
import { FIGURES } from "../../papers/figures.ts";
import type { PaperId } from "../../papers/model.ts";

const TEXTS = new URL("../../../../shared/papers/", import.meta.url);

const all = Object.entries(PAPERS).flatMap(([paper, { figures, text }]) =>
  Object.entries(figures).map(([figure, data]) => ({ paper: paper as PaperId, figure, data, text })),
);

it("has every figure and table that the papers give for their methods", () => {
  expect(FIGURES.map(({ paper, id }) => `${paper} ${id}`).sort()).toEqual(
    [
      ...["figure-4", "figure-6", "figure-7", "section-6.2", "table-1"].map((id) => `brown-snoeyink ${id}`),
      ...["comparison", "layouts", "cpu-scaling"].map((id) => `cuda-handbook ${id}`),
      ...[4, 5, 6, 7, 8, 9, 10, 11].map((number) => `xu figure-${number}`),
      ...[4, 5, 6, 7].map((number) => `xu table-${number}`),
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

it.skipIf(!existsSync(TEXTS)).each(all)(
  "the paper's text has the numbers of $paper, $figure",
  ({ data, text }) => {
    // Thousands have commas, and kilobytes a k.
    const printed = readFileSync(new URL(text, TEXTS), "utf8").replaceAll(/(?<=\d),(?=\d{3})/g, "");
    const inText = (value: number) =>
      [String(value), value.toFixed(1), `${value / 1024}k`, `${value}k`].some((form) =>
        new RegExp(`(?<![\\d.])${form.replace(".", "\\.")}(?![\\d])`).test(printed),
      );
    const values = [
      ...data.numbers.map(([, , , y]) => y),
      ...Object.values(data.claims).map(([value]) => value),
    ];
    expect(values.filter((value) => !inText(value))).toEqual([]);
  },
);
