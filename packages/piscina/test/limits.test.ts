import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import { mutantsOf } from "../../core/test/mutants.ts";
import * as limits from "../src/platform/limits.ts";

/** Every constant that kernels are built with, with where it comes from. */
const PINNED: Readonly<Record<string, readonly [value: number, reason: string]>> = {
  WORKER_GROUP: [2, "workers that share a table of per-warp"],
  WORKER_CHUNK_BYTES: [2 ** 17, "128 KiB, a share of a second-level cache"],
  WORKER_CELLS: [2 ** 12, "16 KiB, half of a first-level cache"],
  WORKER_TABLE_BYTES: [2 ** 20, "four tables of 65,536 counters of four bytes"],
  WORKER_SUM_BITS: [40, "2^16 weights below 2^20 and a sign, and room"],
  WORKER_SIDE_BY_SIDE: [4, "chains that fill the ports of a core"],
};

const violations = (of: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(PINNED)
    .filter(([name, [value]]) => of[name] !== value)
    .map(([name]) => name);

describe("the pool's constants", () => {
  const mutants = mutantsOf(readFileSync(new URL("../src/platform/limits.ts", import.meta.url), "utf8"));

  it("are all pinned here", () => {
    const numbers = Object.entries(limits).filter(([, value]) => typeof value === "number");
    expect(numbers.map(([name]) => name).sort()).toEqual(Object.keys(PINNED).sort());
    expect(violations(limits)).toEqual([]);
  });

  it.each(mutants)("cannot change: $name", async ({ source }) => {
    // The number of tables is core's, and stands here a second time.
    const code = stripTypeScriptTypes(source).replace(
      /^import [^;]*;/m,
      "const limits = { WORKER_WIDE_LANES: 4, HALF_VALUES: 65536 };",
    );
    const changed = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
    expect(violations(changed)).not.toEqual([]);
  });
});
