import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openTable } from "@polybin/columns";
import { afterAll, describe, expect, it } from "vitest";
import { compare, histogram, joint, profile } from "../dist/node.js";
import * as page from "../dist/page.js";

const folder = mkdtempSync(join(tmpdir(), "polybin-tables-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = 3000;
const fare = Float64Array.from({ length: ROWS }, (_, i) => ((i * 7919) % 1000) / 8);
const tip = Int32Array.from({ length: ROWS }, (_, i) => (i * 31) % 17);
const vendor = Array.from(tip, (_, i) => ["A", "B"][i % 2]!);
const text = `fare,tip,vendor\n${Array.from(fare, (value, i) => `${value},${tip[i]},${vendor[i]}`).join("\n")}\n`;
const path = join(folder, "trips.csv");
writeFileSync(path, text);
const options = { bins: 10 } as const;

describe("tables", () => {
  it("are paths, URLs, Files, bytes with a name of a column, and open tables", async () => {
    const expected = [...(await histogram(fare, options)).counts];
    await using table = await openTable(path);
    const file = new File([text], "trips.csv");
    for (const source of [path, pathToFileURL(path), file, table] as const) {
      const found = await histogram(source, { column: "fare", ...options });
      expect([...found.counts]).toEqual(expected);
      expect([...(await histogram(source, { column: "fare", ...options })).counts]).toEqual(expected);
    }
    const bytes = new TextEncoder().encode(text);
    for (const source of [bytes, new Blob([text])]) {
      const found = await histogram(source, { column: "fare", format: "csv", ...options });
      expect([...found.counts]).toEqual(expected);
    }
  });

  it("are counted by the engine of arrays, with groups and weights", async () => {
    const by = { codes: Uint32Array.from(vendor, (name) => (name === "A" ? 0 : 1)), groups: 2 };
    const grouped = await histogram(path, { column: "fare", by: "vendor", weights: "tip", ...options });
    const inMemory = await histogram(fare, { by, weights: Float64Array.from(tip), ...options });
    expect(grouped.keys).toEqual(["A", "B"]);
    expect([...grouped.joint.sums]).toEqual([...inMemory.joint.sums]);
    expect([...grouped.of("B").counts]).toEqual([...inMemory.at(1).counts!]);
    const both = await joint(path, { columns: ["fare", "tip"], axes: [options, options] });
    expect([...both.counts]).toEqual([...(await joint([fare, tip], { axes: [options, options] })).counts]);
    expect(both.backend).toBe((await histogram(fare)).backend);
  });

  it("are profiled, one or several open ones together", async () => {
    const { rows, columns } = await profile(path, { columns: ["fare"] });
    expect([rows, columns[0]?.max]).toEqual([ROWS, Math.max(...fare)]);
    await using table = await openTable(path);
    await using other = await openTable(path);
    expect((await profile([table, other])).rows).toBe(2 * ROWS);
  });

  it("are compared, paths and open ones", async () => {
    await using table = await openTable(path);
    const found = await compare(path, [table, table], { columns: ["fare"] });
    expect([found.a.rows, found.b.rows, found.columns.length]).toEqual([ROWS, 2 * ROWS, 1]);
    expect(found.columns[0]!.distance).toMatchObject({ value: 0, over: "values" });
    await expect(compare(path, "absent.csv")).rejects.toThrow("absent.csv");
    await expect(compare(path, path, { column: "fare" } as never)).rejects.toThrow("column");
  });

  it("and arrays are counted in any order", async () => {
    const calls = [
      () => histogram(path, { column: "tip", bins: 3 }),
      () => histogram(tip, { bins: 3 }),
      () => histogram(path, { column: "typo" }).catch(() => histogram(tip, { bins: 3 })),
    ];
    const found = await Promise.all([...calls, ...calls.toReversed()].map((call) => call()));
    expect(new Set(found.map(({ counts }) => counts.join())).size).toBe(1);
  });
});

describe("what is no table", () => {
  it("is counted as before: Blobs, and Files with a type", async () => {
    const bytes = Uint8Array.of(1, 2, 2);
    expect((await histogram(new Blob([bytes]))).counts[2]).toBe(2);
    expect((await histogram(new File([bytes], "x.csv"), { type: "u8" })).counts[2]).toBe(2);
    expect((await histogram([1, 2, 2], { bins: 2 })).counts[1]).toBe(2);
  });

  it.each([
    [join(import.meta.dirname, "../bin/polybin.js"), /expected a table but .*@polybin\/pictures/],
    [new File(["text"], "notes"), /^notes: expected a table but/],
    [join(folder, "none.csv"), /there is none$/],
  ])("is refused: %s", async (source, message) => {
    const calls: readonly ((source: string | File) => Promise<unknown>)[] = [histogram, joint, profile];
    for (const call of calls)
      await expect(call(source)).rejects.toMatchObject({
        code: "ERR_INPUT",
        message: expect.stringMatching(message),
      });
  });
});

describe("in a page", () => {
  it("tables are refused with what to do", async () => {
    const error = { code: "ERR_UNSUPPORTED", message: expect.stringContaining("openTableInPage") };
    await expect(page.histogram("trips.csv")).rejects.toMatchObject(error);
    await expect(page.joint(new File([text], "trips.csv"))).rejects.toMatchObject(error);
    await expect(page.profile("trips.csv")).rejects.toMatchObject(error);
    await expect(page.compare("trips.csv", "trips.csv")).rejects.toMatchObject(error);
    expect((await page.histogram(new File([Uint8Array.of(3)], "x"), { type: "u8" })).counts[3]).toBe(1);
  });
});
