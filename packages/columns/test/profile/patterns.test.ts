import { openEngine } from "@polybin/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteReader, ByteWriter } from "../../src/profile/bytes.ts";
import { profile } from "../../src/profile/index.ts";
import { PatternCounts, patternOf } from "../../src/profile/values/patterns.ts";
import { tableOf } from "./tables.ts";

const engine = await openEngine();
const counted = (texts: readonly string[]): PatternCounts => {
  const counts = new PatternCounts();
  for (const text of texts) counts.add(text, 1);
  return counts;
};
const again = (counts: PatternCounts): PatternCounts => {
  const to = new ByteWriter();
  counts.write(to);
  return PatternCounts.read(new ByteReader(to.result()));
};

test.each([
  ["XY-042", "AA-999"],
  ["", ""],
  ["a B\t9", "a A\t9"],
  ["Österreich", "Aaaaaaaaaa"],
  ["東京2", "aa9"],
  ["٣", "9"],
  ["🙂", "🙂"],
  ["x".repeat(64), "a".repeat(64)],
  ["x".repeat(65), `${"a".repeat(64)}…`],
])("the pattern of %j is %j", (text, pattern) => {
  expect(patternOf(text)).toBe(pattern);
});

describe("counts of patterns", () => {
  const texts = fc.array(
    fc.oneof(fc.string({ maxLength: 6 }), fc.string({ unit: "binary", maxLength: 70 })),
    {
      maxLength: 50,
    },
  );

  test("are those of a map", () => {
    fc.assert(
      fc.property(texts, (all) => {
        const map = new Map<string, number>();
        for (const text of all) map.set(patternOf(text), (map.get(patternOf(text)) ?? 0) + 1);
        expect(
          new Map(
            counted(all)
              .sorted()!
              .map(({ pattern, count }) => [pattern, count]),
          ),
        ).toEqual(map);
      }),
    );
  });

  test("merge in any order, through bytes", () => {
    fc.assert(
      fc.property(texts, fc.nat(50), (all, at) => {
        const [a, b] = [counted(all.slice(0, at)), counted(all.slice(at))];
        const merged = again(b);
        merged.merge(again(a));
        expect(merged.sorted()).toEqual(counted(all).sorted());
      }),
    );
  });

  test("end beyond 1,000 patterns, in any order", () => {
    const texts = Array.from({ length: 1001 }, (_, i) => ".".repeat(i % 40) + "x".repeat(Math.floor(i / 40)));
    expect(counted(texts.slice(1)).sorted()).toHaveLength(1000);
    expect(counted(texts).sorted()).toBeNull();
    const merged = again(counted(texts.slice(0, 500)));
    merged.merge(again(counted(texts.slice(500))));
    expect(merged.sorted()).toBeNull();
    merged.merge(counted(["a"]));
    expect(again(merged).sorted()).toBeNull();
  });

  test("false bytes are refused", () => {
    const to = new ByteWriter();
    counted(["a", "B"]).write(to);
    const bytes = to.result();
    for (let cut = 0; cut < bytes.length; cut++)
      expect(() => PatternCounts.read(new ByteReader(bytes.subarray(0, cut)))).toThrow("expected a partial");
  });
});

test("a profile has the most frequent patterns and all lengths", async () => {
  const values = ["AB-12", "CD-34", null, "x", "EF-56", "y".repeat(300)];
  const type = { kind: "string" } as const;
  for (const coded of [false, true]) {
    const { columns } = await profile(engine, [tableOf([{ name: "t", type, values, coded }], 4)], { top: 2 });
    const { patterns, lengths } = columns[0]!;
    expect(patterns).toEqual([
      { pattern: "AA-99", count: 3 },
      { pattern: "a", count: 1 },
    ]);
    expect(lengths).toMatchObject({ min: 1, max: 300 });
    expect([lengths!.counts.length, lengths!.counts[1], lengths!.counts[5], lengths!.counts[255]]).toEqual([
      256, 1, 3, 1,
    ]);
  }
});
