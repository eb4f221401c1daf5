import { expect, it } from "vitest";
import { openTable } from "../../src/index.ts";
import { CORPUS } from "./corpus.ts";
import { trials } from "./trial.ts";

it("reads the whole files", async () => {
  for (const { name, bytes, options } of CORPUS) {
    await using table = await openTable(bytes, options);
    let rows = 0;
    for await (const batch of table.read()) rows += batch.rows;
    expect(rows, name).toBeGreaterThan(2);
  }
});

it("reads 2,000 damaged files or refuses them with a code", async () => {
  const verdicts = new Set<string>();
  for await (const { what, verdict } of trials(2000, 20_000)) {
    verdicts.add(verdict);
    expect(["read", "ERR_INPUT", "ERR_UNSUPPORTED", "ERR_LIMIT"], what).toContain(verdict);
  }
  expect(verdicts.size).toBe(4);
});
