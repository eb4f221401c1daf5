import { afterEach, describe, expect, it, vi } from "vitest";
import { SLUGS } from "../src/algorithms/choice/slugs.ts";
import { references } from "../src/algorithms/generated/references.ts";
import { type AlgorithmParameters, algorithms, type Slug } from "../src/algorithms/generated/registry.ts";
import { BlockSums } from "../src/algorithms/lib/block-sums.ts";
import { PackedCounters, PairSums } from "../src/algorithms/lib/counters.ts";
import { swizzle } from "../src/algorithms/references/per-thread-64.ts";
import type { DeviceLimits } from "../src/base/device.ts";
import { SIMULATED } from "../src/cpu/cpu.ts";
import type { Launch } from "../src/plan/launch.ts";
import { checkedParameters, type GivenParameters } from "../src/plan/parameters.ts";
import { expectError, gpu, random, tally, workers } from "./helpers.ts";

function launchOf(
  slug: Slug,
  cells: number,
  samples: number,
  parameters: AlgorithmParameters = {},
  limits: DeviceLimits = SIMULATED,
): Launch {
  const algorithm = algorithms[slug];
  const inEffect = checkedParameters(algorithm, parameters as GivenParameters, []);
  const found = algorithm.launch({ parameters: inEffect, cells, samples }, limits);
  if (typeof found === "string") throw new Error(found);
  return { parameters: inEffect, ...found };
}

/** Codes that trouble one algorithm or another; some are no cells. */
function adversaries(n: number, cells: number): Record<string, Uint32Array> {
  const next = random(n * 1000 + cells);
  const make = (code: (i: number) => number) => Uint32Array.from({ length: n }, (_, i) => code(i));
  const all = {
    "the first cell only": make(() => 0),
    "the last cell only": make(() => cells - 1),
    "no cell": make(() => cells + 2),
    ramp: make((i) => i % cells),
    "ramp into the flow": make((i) => i % (cells + 3)),
    "neighbours in one word of counters": make((i) => Math.min(i % 4, cells - 1)),
    "the same bank": make((i) => (i * 32) % cells),
    "two cells": make((i) => (i & 1 ? cells - 1 : 0)),
    uniform: make(() => Math.floor(next() * (cells + 3))),
    "huge codes": make((i) => (i & 1 ? 2 ** 32 - 1 : 0)),
  };
  // Many of the short lists, and of those over one cell, are equal.
  const different = new Map(Object.entries(all).map((one) => [one[1].join(), one]));
  return Object.fromEntries(different.values());
}

const VARIANTS: readonly (readonly [Slug, AlgorithmParameters])[] = [
  ...SLUGS.map((slug) => [slug, {}] as const),
  ["per-warp", { collisions: "tag" }],
  ...(["row", "column", "interleaved"] as const).flatMap((layout) =>
    (["periodic", "avoid"] as const).map((merge) => ["privatized", { layout, merge }] as const),
  ),
  // Every other way of adding the blocks up than the default.
  ...SLUGS.flatMap((slug): (readonly [Slug, AlgorithmParameters])[] => {
    const rule = algorithms[slug].parameters.reduce;
    if (rule === undefined || !("of" in rule)) return [];
    const others = rule.of.filter((value) => value !== rule.default);
    return others.map((reduce) => [slug, { reduce } as AlgorithmParameters] as const);
  }),
  ["trish", { k: 1 }],
  ["trish", { k: 32 }],
  ["trish", { k: 63 }],
  ["trish", { rowSums: "singletons" }],
  ["privatized", { merge: "check-shared" }],
  ["privatized", { merge: "check-global", reduce: "tables" }],
];

const SIZES = [0, 1, 3, 5, 63, 64, 65, 252, 255, 256, 257, 4095];

describe.each(VARIANTS)("%s %j", (slug, parameters) => {
  const { maxBins } = algorithms[slug];
  const reference = references[slug];

  const held = [1, 37, 256].filter((cells) => maxBins === null || cells <= maxBins);

  it.each(held)("counts the same as a loop, over %i cells", (cells) => {
    for (const n of cells === 256 ? [...SIZES, 17_003] : SIZES) {
      const launch = launchOf(slug, cells, n, parameters);
      for (const [name, codes] of Object.entries(adversaries(n, cells))) {
        const found = reference(codes, launch, cells);
        const right = tally(codes, cells);
        if (!found.every((count, i) => count === right[i]) || found.length !== cells) {
          expect({ name, n, found: [...found] }).toEqual({ name, n, found: [...right] });
        }
      }
    }
  });
});

describe("passes", () => {
  it.each(["per-block", "per-warp", "per-thread", "bank-owned", "per-lane"] as const)("%s", (slug) => {
    const cells = 1001;
    const codes = adversaries(4099, cells);
    for (const sharedBytes of [5000, 6000]) {
      for (const parameters of slug === "per-warp" ? [{}, { collisions: "tag" } as const] : [{}]) {
        const launch = launchOf(slug, cells, 4099, parameters, gpu({ sharedBytes, units: 2 }));
        if (slug !== "per-block" && slug !== "per-warp" && slug !== "per-lane") {
          expect(launch.cellsPerPass).toBeLessThan(cells);
        }
        for (const list of [codes.uniform!, codes.ramp!, codes["huge codes"]!]) {
          expect(references[slug](list, launch, cells)).toEqual(tally(list, cells));
        }
      }
    }
    for (const cellsPerPass of [1000, 500, 7]) {
      const planned = launchOf(slug, cells, 4099);
      const blocks = Math.ceil(cellsPerPass / 8);
      const { partials } = planned;
      const launch = {
        ...planned,
        cellsPerPass,
        ...(partials && { partials: { ...partials, blocks } }),
      };
      const list = codes.uniform!;
      expect(references[slug](list, launch, cells)).toEqual(tally(list, cells));
    }
  });
});

describe("workers", () => {
  it.each(["global", "per-warp", "per-thread", "trish", "per-lane", "per-segment"] as const)("%s", (slug) => {
    const codes = adversaries(4099, 200).uniform!;
    const launch = launchOf(slug, 200, 4099, {}, workers());
    expect(references[slug](codes, launch, 200)).toEqual(tally(codes, 200));
  });

  it("per-lane in turn: 16-bit counters are added up before one can overflow, and not later", () => {
    const launch = launchOf("per-lane", 3, 1000, {}, workers());
    expect(launch).toMatchObject({ replicas: 16, counterBits: 16, own: { grouping: 1 }, threads: 1 });
    expect(launch.wordsPerThread).toBe((65_535 * 16) / 4);
    const codes = new Uint32Array(16 * 65_536 + 7).fill(2);
    expect([...references["per-lane"](codes, launch, 3)]).toEqual([0, 0, codes.length]);
    const wrong = { ...launch, wordsPerThread: launch.wordsPerThread! + 4 };
    expectError(() => references["per-lane"](codes, wrong, 3), "ERR_LIMIT", "16-bit counter");
    for (const cells of [1, 37, 256, 257, 1025]) {
      const found = launchOf("per-lane", cells, 9, {}, workers());
      for (const list of Object.values(adversaries(4099, cells))) {
        expect(references["per-lane"](list, found, cells)).toEqual(tally(list, cells));
      }
    }
  });

  it("per-lane over pairs of neighbours", () => {
    for (const cells of [1, 2, 37, 256]) {
      for (const n of [0, 1, 2, 3, 4, 5, 4099]) {
        const launch = launchOf("per-lane", cells, 2 ** 30, {}, workers());
        expect(launch.own?.grouping).toBe(2);
        for (const codes of Object.values(adversaries(n, cells))) {
          expect(references["per-lane"](codes, launch, cells)).toEqual(tally(codes, cells));
        }
      }
    }
  });
});

describe("trish", () => {
  const reference = references.trish;
  /** Twice what a block's byte counters hold for two blocks, and an odd tail. */
  const codes = new Uint32Array(2 * 2 * 64 * 252 + 13).fill(255);

  it.each(Array.from({ length: 63 }, (_, i) => i + 1))("never overflows with k = %i and one value", (k) => {
    expect(reference(codes, launchOf("trish", 256, codes.length, { k }), 256)[255]).toBe(codes.length);
  });

  it.each(["pairs", "singletons"] as const)("sums %s: every counter at its maximum", (rowSums) => {
    const launch = launchOf("trish", 256, codes.length, { k: 63, rowSums });
    for (const code of [4, 5, 6, 7]) {
      expect(
        reference(
          codes.map(() => code),
          launch,
          256,
        )[code],
      ).toBe(codes.length);
    }
    const pairs = vi.spyOn(PairSums.prototype, "add");
    reference(codes.subarray(0, 4), launch, 256);
    expect(pairs).toHaveBeenCalledTimes(rowSums === "pairs" ? launch.blocks * 64 * 64 : 0);
    pairs.mockRestore();
  });

  it("would overflow with k = 64, and throws", () => {
    const launch = { ...launchOf("trish", 256, codes.length), parameters: { k: 64 }, blocks: 1 };
    expectError(() => reference(codes, launch, 256), "ERR_LIMIT", "8-bit counter", "the plan is wrong");
    // A word less for each thread, and 255 of them are reached but not passed.
    const fits = codes.slice(0, 63 * 64 * 4);
    expect(reference(fits, launch, 256)[255]).toBe(fits.length);
  });

  it("sums a row starting at the thread's own column, so that a warp's threads use different banks", () => {
    const columns = columnsRead(({ row }) => {
      // Thread c counts the first bin of the row c + 1 times in its k words.
      const list = new Uint32Array(63 * 64 * 4).fill(999);
      for (let thread = 0; thread < 64; thread++) {
        for (let i = 0; i <= thread; i++) list[((i >> 2) * 64 + thread) * 4 + (i & 3)] = row * 4;
      }
      reference(list, { ...launchOf("trish", 256, list.length, { k: 63 }), blocks: 1 }, 256);
    });
    columns.forEach((read, row) => {
      expect(read).toEqual(Array.from({ length: 64 }, (_, i) => (row + i) % 64));
    });
    expectNoConflicts(columns, 32);
  });
});

describe("privatized", () => {
  const reference = references.privatized;
  const full = new Uint32Array(64 * 252).fill(7);

  it.each(["row", "column", "interleaved"] as const)("%s: 63 words between merges, and not 64", (layout) => {
    const codes = new Uint32Array(3 * 64 * 252 + 5).fill(7);
    const launch = { ...launchOf("privatized", 256, codes.length, { layout }), blocks: 1 };
    expect(reference(codes, launch, 256)[7]).toBe(codes.length);
    const wrong = { ...launch, wordsPerThread: 64 };
    expectError(() => reference(codes, wrong, 256), "ERR_LIMIT", "8-bit counter");
  });

  it.each(["row", "column", "interleaved"] as const)(
    "%s: enough blocks to avoid merging, not one fewer",
    (layout) => {
      const codes = new Uint32Array(2 * full.length + 64 * 4).fill(7);
      const launch = launchOf("privatized", 256, codes.length, { layout, merge: "avoid" });
      expect(launch.blocks).toBe(3);
      expect(reference(codes, launch, 256)[7]).toBe(codes.length);
      expectError(() => reference(codes, { ...launch, blocks: 2 }, 256), "ERR_LIMIT", "8-bit counter");
      expect(reference(full, { ...launch, blocks: 1 }, 256)[7]).toBe(full.length);
    },
  );

  it.each(["row", "column", "interleaved"] as const)(
    "%s: a check spills 128 before the counter's neighbour is reached, and nothing if it never fills",
    (layout) => {
      // Each thread counts each of four neighbouring bins 128 times, and the first one once more.
      const codes = new Uint32Array(64 * 4 * 128 + 64 * 4).map((_, i) => (i < 64 * 4 * 128 ? i % 4 : 0));
      for (const merge of ["check-shared", "check-global"] as const) {
        const launch = { ...launchOf("privatized", 256, codes.length, { layout, merge }), blocks: 1 };
        const subtract = vi.spyOn(PackedCounters.prototype, "subtract");
        expect([...reference(codes, launch, 4)]).toEqual([64 * 132, 64 * 128, 64 * 128, 64 * 128]);
        expect(subtract.mock.results.filter(({ value }) => value === true)).toHaveLength(64 * 4);
        subtract.mockClear();
        reference(codes.subarray(0, 64 * 4 * 127), launch, 4);
        expect(subtract.mock.results.filter(({ value }) => value === true)).toHaveLength(0);
        subtract.mockRestore();
      }
    },
  );

  it("merges each row starting at the thread's own column", () => {
    const columns = columnsRead(({ row }) => {
      const list = new Uint32Array(63 * 64 * 4).fill(999);
      for (let thread = 0; thread < 64; thread++) {
        for (let i = 0; i <= thread; i++) list[((i >> 2) * 64 + thread) * 4 + (i & 3)] = row * 4;
      }
      const launch = launchOf("privatized", 256, list.length, { merge: "avoid" });
      reference(list, { ...launch, blocks: 1 }, 256);
    });
    expectNoConflicts(columns, 32);
  });
});

describe("per-thread-64", () => {
  const reference = references["per-thread-64"];

  it("launches enough blocks that no byte overflows, and not one more", () => {
    const codes = new Uint32Array(2 * 128 * 252).fill(63);
    const launch = launchOf("per-thread-64", 64, codes.length);
    expect(launch).toMatchObject({ blocks: 2, threads: 128, own: { banks: 32 } });
    expect(reference(codes, launch, 64)[63]).toBe(codes.length);
    expectError(() => reference(codes, { ...launch, blocks: 1 }, 64), "ERR_LIMIT", "8-bit counter");
    const more = launchOf("per-thread-64", 64, codes.length + 1);
    expect(more.blocks).toBe(3);
  });

  it("swaps bits of a thread's number, one to one: [5:4] and [3:0] for 16 banks, [6:5] and [4:0] for 32", () => {
    for (const banks of [16, 32]) {
      for (const first of [0, 4 * banks, 8 * banks]) {
        const group = Array.from({ length: 4 * banks }, (_, i) => first + i);
        const columns = group.map((thread) => swizzle(thread, banks));
        expect(columns.toSorted((a, b) => a - b)).toEqual(group);
      }
    }
    expect([0, 1, 15, 16, 17, 63].map((thread) => swizzle(thread, 16))).toEqual([0, 4, 60, 1, 5, 63]);
    expect([0, 1, 31, 32, 33, 127].map((thread) => swizzle(thread, 32))).toEqual([0, 4, 124, 1, 5, 127]);
  });

  it.each([
    { banks: 16, threads: 192 },
    { banks: 32, threads: 128 },
  ])("gives $banks neighbours $banks banks, whatever the data", ({ banks, threads }) => {
    const bank = (column: number, data: number) => Math.floor((column + data * threads) / 4) % banks;
    for (let first = 0; first < threads; first += banks) {
      const neighbours = Array.from({ length: banks }, (_, i) => first + i);
      const next = random(first);
      const used = neighbours.map((thread) => bank(swizzle(thread, banks), Math.floor(next() * 64)));
      expect(new Set(used).size).toBe(banks);
      neighbours.forEach((thread) => {
        expect(bank(swizzle(thread, banks), 5)).toBe(thread % banks);
      });
      // Without the swap a quarter of the banks, as the paper says of 16.
      expect(new Set(neighbours.map((thread) => bank(thread, 0))).size).toBe(banks / 4);
    }
  });

  it("sums rows so that a warp's threads use different banks", () => {
    const reads: number[] = [];
    const get = PackedCounters.prototype.get;
    vi.spyOn(PackedCounters.prototype, "get").mockImplementation(function (this: PackedCounters, word, slot) {
      reads.push(word);
      return get.call(this, word, slot);
    });
    const launch = launchOf("per-thread-64", 64, 0);
    reference(new Uint32Array(0), launch, 64);
    expect(reads).toHaveLength(64 * 128);
    for (let warp = 0; warp < 64; warp += 32) {
      for (let step = 0; step < 128; step++) {
        const banks = Array.from({ length: 32 }, (_, i) => reads[(warp + i) * 128 + step]! % 32);
        expect(new Set(banks).size).toBe(32);
      }
    }
  });
});

describe("per-thread", () => {
  const reference = references["per-thread"];

  it("flushes before a 16-bit counter can exceed 65,535, and no word later", () => {
    const codes = new Uint32Array(32 * 4 * 16_384 + 3).fill(1);
    const launch = { ...launchOf("per-thread", 2, codes.length), blocks: 1 };
    expect(launch.wordsPerThread).toBe(16_383);
    expect([...reference(codes, launch, 2)]).toEqual([0, codes.length]);
    const wrong = { ...launch, wordsPerThread: 16_384 };
    expectError(() => reference(codes, wrong, 2), "ERR_LIMIT", "16-bit counter");
  });
});

describe("per-lane", () => {
  it("counts in the lane's own bank, whatever the bin", () => {
    const words: number[] = [];
    const increment = PackedCounters.prototype.increment;
    vi.spyOn(PackedCounters.prototype, "increment").mockImplementation(function (
      this: PackedCounters,
      word,
      slot,
    ) {
      words.push(word);
      increment.call(this, word, slot);
    });
    // Each word of four codes names the thread that reads it.
    const threads = 64;
    const codes = Uint32Array.from({ length: 4 * threads * 3 }, (_, i) => Math.floor(i / 4) % threads);
    const launch = { ...launchOf("per-lane", threads, codes.length), threads, blocks: 1 };
    expect(launch.replicas).toBe(32);
    references["per-lane"](codes, launch, threads);
    expect(words).toHaveLength(codes.length);
    for (const word of words) expect(word % 32).toBe(Math.floor(word / 32) % 32);
  });
});

describe("bank-owned", () => {
  it("lets no thread touch another's bank", () => {
    const words: number[] = [];
    const increment = PackedCounters.prototype.increment;
    vi.spyOn(PackedCounters.prototype, "increment").mockImplementation(function (
      this: PackedCounters,
      word,
      slot,
    ) {
      words.push(word);
      increment.call(this, word, slot);
    });
    const codes = adversaries(4096, 256).uniform!;
    const launch = { ...launchOf("bank-owned", 256, 4096), blocks: 1 };
    const found = references["bank-owned"](codes, launch, 256);
    // One tile: threads go one after the other, each through all of it.
    const banks = words.map((word) => word % 32);
    expect(banks).toEqual(banks.toSorted((a, b) => a - b));
    expect(found).toEqual(tally(codes, 256));
  });
});

describe("every algorithm", () => {
  it.each(SLUGS)("%s has a title and a source", (slug) => {
    const { title, source, slug: own } = algorithms[slug];
    expect(own).toBe(slug);
    expect(title.length).toBeGreaterThan(10);
    expect(source.length).toBeGreaterThan(5);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The columns in which each thread reads its row, when column c of the row holds c + 1. */
function columnsRead(count: (of: { row: number }) => void): number[][] {
  const read: number[] = [];
  const add = PairSums.prototype.add;
  vi.spyOn(PairSums.prototype, "add").mockImplementation(function (this: PairSums, word) {
    read.push(word - 1);
    add.call(this, word);
  });
  return Array.from({ length: 64 }, (_, row) => {
    read.length = 0;
    count({ row });
    return read.slice(row * 64, row * 64 + 64);
  });
}

/** At each step the threads of a warp read different banks. */
function expectNoConflicts(columns: readonly number[][], warp: number): void {
  for (let first = 0; first < columns.length; first += warp) {
    for (let step = 0; step < 64; step++) {
      const banks = columns.slice(first, first + warp).map((read) => read[step]! % warp);
      expect(new Set(banks).size).toBe(warp);
    }
  }
}

describe("partial tables", () => {
  const partials = { tables: 11, threads: 32, blocks: 2 };

  it("are added up, each cell by one thread", () => {
    const sums = new BlockSums(13, { partials });
    for (let block = 0; block < 11; block++) {
      for (let cell = 0; cell < 13; cell++) sums.add(block, cell, 100 * block + cell);
      // Sums of a block may come in parts, and a cell past the pass's is none.
      sums.add(block, 12, 1000);
      sums.add(block, 13, 7);
    }
    const want = Array.from({ length: 13 }, (_, cell) => 5500 + 11 * cell + (cell === 12 ? 11_000 : 0));
    expect([...sums.counts()]).toEqual(want);
  });

  it("hold words of 32 bits, and their merge has a thread for each cell", () => {
    for (const launch of [{ partials }, {}]) {
      const sums = new BlockSums(1, launch);
      sums.add(3, 0, 2 ** 32 - 1);
      expectError(() => sums.add(3, 0, 1), "ERR_LIMIT", "would exceed 32 bits");
      expect([...sums.counts()]).toEqual([2 ** 32 - 1]);
    }
    expectError(() => new BlockSums(17, { partials }), "ERR_LIMIT", "2 blocks do not merge 17 cells");
  });
});
