import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import { mutantsOf } from "../../core/test/mutants.ts";
import * as limits from "../src/base/limits.ts";

/** Every constant, with where it comes from. Behaviour at some stands in limits-behaviour.test.ts. */
const PINNED: Readonly<Record<string, readonly [value: number, reason: string]>> = {
  PIECES: [3, "one is filled, one copied, one counted"],
  COPY_THREADS: [8, "one thread copies at a fifth of the bus"],
  COPY_BYTES: [2 ** 20, "1 MiB: a thread's start is little beside it"],
  ALIGN_PIXELS: [4 * 16, "16 bytes of any type, and a whole word of any packing"],
  PROGRESS_MS: [50, "twenty reports a second"],
  WORDS_AHEAD: [4, "Brown & Snoeyink, 5.2: groups of four"],
  BLOCK_THREADS_MAX: [2 ** 10, "CUDA C++ Programming Guide, technical specifications: threads a block"],
  GRID_ROWS_MAX: [2 ** 16 - 1, "the same: y- and z-dimension of a grid"],
  OWN_BYTES_MAX: [64, "sixteen words: per-lane has six"],
};

/** What is wrong with a version of limits.ts, as names. */
function violations(of: typeof limits): string[] {
  const found = new Map<string, unknown>(Object.entries(of));
  return Object.entries(PINNED)
    .filter(([name, [value]]) => found.get(name) !== value)
    .map(([name]) => name);
}

describe("the constants", () => {
  it("are all pinned here", () => {
    expect(Object.keys(limits).sort()).toEqual(Object.keys(PINNED).sort());
    expect(violations(limits)).toEqual([]);
  });

  const source = readFileSync(new URL("../src/base/limits.ts", import.meta.url), "utf8");
  const mutants = mutantsOf(source);

  it("are found by the mutation", () => {
    expect(mutants).toHaveLength(2 * Object.keys(PINNED).length);
    expect(new Set(mutants.map((mutant) => mutant.source)).size).toBe(mutants.length);
  });

  it.each(mutants)("cannot change: $name", async ({ source: mutant }) => {
    const code = stripTypeScriptTypes(mutant);
    const changed = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
    expect(violations(changed)).not.toEqual([]);
  });
});
