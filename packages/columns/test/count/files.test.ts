import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Grouped, openEngine, variable } from "@polybin/core";
import { afterAll, describe, expect, it } from "vitest";
import { histogram, joint, openTable, profile } from "../../src/index.ts";
import { profile as profileTables } from "../../src/profile/index.ts";
import { COLUMNS, FILES, ROWS, writeFiles } from "./files.ts";
import { plain, type Result } from "./plain.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-count-"));
writeFiles(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const engine = await openEngine();
afterAll(() => engine.close());
const { x, n, w, g, flag } = COLUMNS;
const mask = Uint8Array.from(flag, (value) => (value === 0 ? 0 : 1));
const by = { codes: Uint32Array.from(g), groups: 3 };

type Call = readonly [options: object, inMemory: () => Promise<Result>];

/** Options of a table, and the same call on the columns in memory. */
const HISTOGRAMS: readonly Call[] = [
  [{ column: "x" }, () => engine.histogram(x)],
  [{ column: "x", bins: 10 }, () => engine.histogram(x, { bins: 10 })],
  [{ column: "n", bins: 10, range: [-20, 20] }, () => engine.histogram(n, { bins: 10, range: [-20, 20] })],
  [{ column: "n", bins: [0, 1, 50] }, () => engine.histogram(n, { bins: [0, 1, 50] })],
  [{ column: "x", axis: variable([0, 1, 50]) }, () => engine.histogram(x, { axis: variable([0, 1, 50]) })],
  [{ column: "x", bins: "fd" }, () => engine.histogram(x, { bins: "fd" })],
  [{ column: "n", bins: 9, nice: true }, () => engine.histogram(n, { bins: 9, nice: true })],
  [{ column: "n", bins: 7, range: "type" }, () => engine.histogram(n, { bins: 7, range: "type" })],
  [{ column: "x", bins: 10, mask: "flag" }, () => engine.histogram(x, { bins: 10, mask })],
  [{ column: "x", bins: 10, weights: "w" }, () => engine.histogram(x, { bins: 10, weights: w })],
  [
    { column: "x", bins: 10, weights: "n", mask: "flag", squares: true },
    () => engine.histogram(x, { bins: 10, weights: Float64Array.from(n), mask, squares: true }),
  ],
  [{ column: "x", bins: 10, by: "g" }, () => engine.histogram(x, { bins: 10, by })],
  [
    { column: "x", bins: 4, by: "g", weights: ["w", "n"], mask: "flag" },
    () => engine.histogram(x, { bins: 4, by, weights: [w, Float64Array.from(n)], mask }),
  ],
];

const axes = [{ bins: 4 }, { bins: 5, range: [-20, 20] as const }];
const JOINTS: readonly Call[] = [
  [{ columns: ["x", "n"] }, () => engine.joint([x, n])],
  [{ columns: ["x", "n"], axes }, () => engine.joint([x, n], { axes })],
  [
    { columns: ["n", "x"], axes: [...axes].reverse() },
    () => engine.joint([n, x], { axes: [...axes].reverse() }),
  ],
  [
    { columns: ["x", "n"], axes, mask: "flag", weights: "w" },
    () => engine.joint([x, n], { axes, mask, weights: w }),
  ],
  [{ columns: ["x", "n"], axes, by: "g" }, () => engine.joint([x, n], { axes, by })],
  [
    { columns: ["x", "n", "w"], axes: [...axes, { bins: 3 }] },
    () => engine.joint([x, n, w], { axes: [...axes, { bins: 3 }] }),
  ],
];

describe.each(FILES)("%s", (name) => {
  const path = join(folder, name);
  // Several parts of everything that is cut into parts.
  const opening = /\.(csv|tsv|jsonl|np.)$/.test(name) ? { partBytes: 2000 } : {};

  it.each(HISTOGRAMS)("histogram with %j counts as in memory", async (options, inMemory) => {
    const expected = plain(await inMemory());
    const again = await histogram(engine, path, { ...opening, ...options, keepBytes: 0 });
    expect(plain(again)).toEqual(expected);
    const found = await histogram(engine, path, { ...opening, ...options });
    expect(plain(found)).toEqual(expected);
    if (found instanceof Grouped) expect((found as { keys?: unknown }).keys).toEqual([0, 1, 2]);
  });

  it.each(JOINTS)("joint with %j counts as in memory", async (options, inMemory) => {
    const expected = plain(await inMemory());
    for (const keepBytes of [undefined, 5000, 0]) {
      const found = await joint(engine, path, { ...opening, ...options, keepBytes });
      expect(plain(found)).toEqual(expected);
    }
  });

  it("profile is that of the open table", async () => {
    const options = { columns: ["x", "n"], bins: 12, joint: [["x", "n"]] as [string, string][] };
    const { timings, ...found } = await profile(engine, path, { ...opening, ...options });
    await using table = await openTable(path, opening);
    const { timings: _, ...expected } = await profileTables(engine, [table], options);
    expect(timings.totalMs).toBeGreaterThan(0);
    expect(found).toEqual(expected);
    expect(found.rows).toBe(ROWS);
    expect(await profile(engine, [table], options)).toMatchObject(expected);
    expect(await profile(engine, table, { ...options, threads: 1 })).toMatchObject(expected);
  });

  it("an open table is counted again and again, and stays open", async () => {
    await using table = await openTable(path, opening);
    const once = await histogram(engine, table, { column: "x", bins: 10 });
    await joint(engine, table, { columns: ["x", "n"] });
    const [a, b] = await Promise.all([
      histogram(engine, table, { column: "n", bins: 10 }),
      histogram(engine, table, { column: "x", bins: 10 }),
    ]);
    expect(plain(b)).toEqual(plain(once));
    expect(plain(a)).toEqual(plain(await engine.histogram(n, { bins: 10 })));
  });

  it("two calls at once open it twice", async () => {
    const calls = [7, 8, 9].map((bins) => histogram(engine, path, { ...opening, column: "n", bins }));
    const inMemory = [7, 8, 9].map((bins) => engine.histogram(n, { bins }));
    expect((await Promise.all(calls)).map(plain)).toEqual((await Promise.all(inMemory)).map(plain));
  });

  it("bytes and a Blob are tables, too", async () => {
    const { readFile } = await import("node:fs/promises");
    const bytes = await readFile(path);
    const own = { ...opening, format: /parquet$/.test(name) ? "parquet" : undefined, name };
    const expected = plain(await engine.histogram(x, { bins: 3 }));
    expect(plain(await histogram(engine, bytes, { ...own, column: "x", bins: 3 }))).toEqual(expected);
    expect(plain(await histogram(engine, new Blob([bytes]), { ...own, column: "x", bins: 3 }))).toEqual(
      expected,
    );
  });
});
