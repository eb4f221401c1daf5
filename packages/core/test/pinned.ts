import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exportsOf, mutantsOf } from "./mutants.ts";

/** Numbers a second time, each with where it comes from. */
export type Pinned = Readonly<Record<string, readonly [value: number, reason: string]>>;

/** Which pinned numbers are others, or are missing. */
function violations(of: Readonly<Record<string, unknown>>, pinned: Pinned): string[] {
  return Object.keys(pinned).filter((name) => of[name] !== pinned[name]![0]);
}

/** The tests of a file that owns numbers: each is pinned, and none changes by one unnoticed. */
export function describePinned(title: string, file: URL, own: object, pinned: Pinned): void {
  describe(title, () => {
    const numbers = Object.entries(own).filter(([, value]) => typeof value === "number");
    const mutants = mutantsOf(readFileSync(file, "utf8"));

    it("are all pinned here", () => {
      expect(numbers.map(([name]) => name).sort()).toEqual(Object.keys(pinned).sort());
      expect(violations(Object.fromEntries(numbers), pinned)).toEqual([]);
    });

    it("are changed by the mutation", () => {
      // A number that is made of others' alone has no literal.
      expect(mutants.length).toBeGreaterThan(numbers.length);
      expect(new Set(mutants.map(({ source }) => source)).size).toBe(mutants.length);
    });

    it.each(mutants)("cannot change: $name", async ({ source }) => {
      expect(violations(await exportsOf(source, file), pinned)).not.toEqual([]);
    });
  });
}
