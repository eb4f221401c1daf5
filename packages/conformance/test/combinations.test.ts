import { cpu } from "@polybin/core";
import { describe, expect, it } from "vitest";
import { requestFor } from "../src/case.ts";
import { ALWAYS } from "../src/combinations/always.ts";
import { combinationsFor } from "../src/combinations/index.ts";
import { type Combination, PART_NAMES, PARTS, type Part, SIMPLEST } from "../src/combinations/parts.ts";
import { refusalOf } from "../src/combinations/refusals.ts";

const all: readonly Combination[] = combinationsFor(requestFor(cpu())).map(({ of }) => of);
const has = (of: Combination, some: Partial<Combination>): boolean =>
  (Object.keys(some) as Part[]).every((part) => of[part] === some[part]);

describe("the combinations", () => {
  it("are the same in every run, and have names of their own", () => {
    const found = combinationsFor({ ...requestFor(cpu()) });
    expect(found.map(({ of }) => of)).toEqual(all);
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
  });

  it("have every value of every part where it is counted", () => {
    for (const part of PART_NAMES) {
      for (const value of PARTS[part]) {
        const counted = all.filter((of) => of[part] === value && !refusalOf(of));
        // Each way that some devices refuse is one of their own.
        if (["countSync", "encode"].includes(value)) continue;
        expect(counted.length, `${part}: ${value}`).toBeGreaterThan(2);
      }
    }
  });

  it("have every pair of an input, a selection, rows, weights and a call", () => {
    const parts = ["input", "mask", "rows", "storage", "way"] as const;
    for (const [i, one] of parts.entries()) {
      for (const other of parts.slice(i + 1)) {
        for (const value of PARTS[one]) {
          for (const next of PARTS[other]) {
            const pair = { [one]: value, [other]: next };
            const of = { ...SIMPLEST, ...pair };
            if (refusalOf(of) !== null) continue;
            expect(
              all.some((found) => has(found, pair)),
              JSON.stringify(pair),
            ).toBe(true);
          }
        }
      }
    }
  });

  it("have all that every backend must count", () => {
    for (const some of ALWAYS)
      expect(
        all.some((of) => has(of, some)),
        JSON.stringify(some),
      ).toBe(true);
  });
});
