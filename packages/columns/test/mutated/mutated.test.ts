import { describe, expect, it } from "vitest";
import { openTable } from "../../src/index.ts";
import { TABLES, TEXTS_AND_ARRAYS } from "./corpus.ts";
import { trials } from "./trial.ts";

describe.each([
  ["text and arrays", TEXTS_AND_ARRAYS, 20_000],
  ["Parquet and Arrow", TABLES, 30_000],
] as const)("%s", (_, samples, seed) => {
  it("reads the whole files", async () => {
    expect(samples.length).toBeGreaterThan(10);
    for (const { name, bytes, options } of samples) {
      await using table = await openTable(bytes, options);
      let rows = 0;
      for await (const batch of table.read()) rows += batch.rows;
      expect(rows, name).toBeGreaterThan(2);
    }
  });

  it("reads 2,000 damaged files or refuses them with a code", async () => {
    const verdicts = new Set<string>();
    for await (const { what, verdict } of trials(samples, { from: seed, to: seed + 2000, step: 1 })) {
      verdicts.add(verdict);
      expect(["read", "ERR_INPUT", "ERR_UNSUPPORTED", "ERR_LIMIT"], what).toContain(verdict);
    }
    expect(verdicts.size).toBe(4);
  }, 60_000);
});
