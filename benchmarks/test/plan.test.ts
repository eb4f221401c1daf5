import type { Slug } from "@polybin/core";
import { SLUGS } from "@polybin/core/backend";
import { describe, expect, it } from "vitest";
import { dataKey } from "../src/axes/cell.ts";
import { type Ask, planCells, type Side } from "../src/axes/plan.ts";
import { DISTRIBUTIONS } from "../src/data/distributions.ts";
import { PEERS } from "../src/peers/process.ts";
import { cellKey } from "../src/runner/names.ts";

const side = (id: string, pace: Side["pace"], algorithms: readonly Slug[], threads?: number): Side => ({
  id,
  pace,
  algorithms,
  readsFiles: id === "piscina",
  refuses: async ({ algorithm }) => (algorithm === "bank-owned" ? "it has one bank" : null),
  ...(threads === undefined ? {} : { threads }),
});

const CPU = side("cpu", "host", ["sequential"], 1);
const POOL = side("piscina", "host", ["per-lane", "trish", "bank-owned"], 2);
const IMITATED = side("webgpu", "software", ["per-lane", "global"]);
const GPU = side("cuda", "gpu", ["per-lane", ...SLUGS.filter((slug) => slug !== "per-lane")]);
const ALL = [CPU, POOL, IMITATED];
const ask = (more: Partial<Ask> = {}): Ask => ({ quick: true, mostBytes: 2 ** 32, ...more });
const peersNamed = (...names: string[]) => PEERS.filter(({ name }) => names.includes(name));

describe("the lines through the axes", async () => {
  const { cells, missing } = await planCells(ALL, PEERS, ask());

  it("begin with the distributions, and plan no cell twice", () => {
    const sweeps = [...new Set(cells.map(({ sweep }) => sweep))];
    expect(sweeps).toEqual(["distributions", "algorithms", "sizes", "calls", "types", "bins", "residence"]);
    expect(new Set(cells.map(cellKey)).size).toBe(cells.length);
  });

  it("leave what imitates a GPU for the end, but for the first line", () => {
    const others = cells.filter(({ sweep }) => sweep !== "distributions");
    const first = others.findIndex(({ backend }) => backend === IMITATED.id);
    expect(first).toBeGreaterThan(0);
    expect(others.slice(first).every(({ backend }) => backend === IMITATED.id)).toBe(true);
  });

  it("show every backend on every distribution, and every algorithm on what tells them apart", () => {
    for (const { id, algorithms } of ALL) {
      const of = cells.filter(({ backend }) => backend === id);
      const best = of.filter(
        ({ algorithm, sweep }) => algorithm === algorithms[0] && sweep === "distributions",
      );
      expect(best.map(({ distribution }) => distribution)).toEqual(DISTRIBUTIONS);
      for (const slug of algorithms.filter((name) => name !== "bank-owned")) {
        const found = of.filter(({ algorithm }) => algorithm === slug);
        expect(new Set(found.map(({ distribution }) => distribution))).toContain("zeros");
      }
    }
  });

  it("have peers with a GPU beside ours on it, and not beside the CPU's", async () => {
    const both = (await planCells([CPU, GPU], PEERS, ask())).cells;
    const onGpu = new Set(both.filter(({ backend }) => backend === GPU.id).map(dataKey));
    const theirs = both.filter(({ peer }) => peer === "cub" || peer === "pytorch");
    expect(theirs.length).toBeGreaterThan(0);
    for (const cell of theirs) expect(onGpu).toContain(dataKey(cell));
    expect(theirs.every(({ threads }) => threads === undefined)).toBe(true);
    expect(both.some(({ peer }) => peer === "numpy")).toBe(true);
  });

  it("give peers the same data as the CPU's backends", () => {
    const ours = new Set(cells.filter(({ peer }) => peer === null).map(dataKey));
    const theirs = cells.filter(({ peer }) => peer !== null);
    expect(new Set(theirs.map(({ peer }) => peer))).toEqual(new Set(PEERS.map(({ name }) => name)));
    for (const cell of theirs) expect(ours).toContain(dataKey(cell));
  });

  it("say why a cell is not there", () => {
    expect(missing).toContain(
      "piscina bank-owned, 2 threads: u8 uniform, 256 bins, n = 2^22, resident: it has one bank",
    );
    expect(missing).toContain(
      "webgpu per-lane: u8 uniform, 256 bins, n = 2^20, file: it does not read files itself",
    );
    expect(missing.some((line) => line.startsWith("image-js, 1 thread: u16"))).toBe(true);
    expect(cells.some(({ algorithm }) => algorithm === "bank-owned")).toBe(false);
  });

  it("keep to what memory has room for", async () => {
    const less = await planCells(ALL, [], ask({ mostBytes: 2 ** 20 }));
    expect(Math.max(...less.cells.map(({ n }) => n))).toBe(2 ** 20);
    expect(less.missing.some((line) => line.includes("exceed the 1048576"))).toBe(true);
  });
});

it("a full run goes through trish's k and, on a GPU, through larger data; slow kernels count less", async () => {
  const { cells } = await planCells([GPU], peersNamed("pytorch", "js-loop"), ask({ quick: false }));
  const ks = cells.filter(({ sweep }) => sweep === "k").map(({ k }) => k);
  expect(ks).toEqual([1, 4, 15, 21, 31, 32, 63]);
  const most = (slug: Slug) => Math.max(...cells.filter((cell) => cell.algorithm === slug).map(({ n }) => n));
  expect(most("per-lane")).toBe(2 ** 32);
  expect(most("global")).toBe(2 ** 26);
  // A peer that has no use for the GPU stays beside the CPU's backends.
  expect(new Set(cells.map(({ peer }) => peer))).toEqual(new Set([null, "pytorch"]));
});

it("values of an axis are combined, with the lines' crossing for the others", async () => {
  const { cells } = await planCells(
    [CPU, POOL],
    peersNamed("js-loop"),
    ask({ types: ["u8", "f32"], n: [4096], distributions: ["zeros"], algorithms: ["per-lane"] }),
  );
  expect(
    cells.map(({ backend, peer, type, bins, n, distribution }) => [
      backend ?? peer,
      type,
      bins,
      n,
      distribution,
    ]),
  ).toEqual([
    ["piscina", "u8", 256, 4096, "zeros"],
    ["js-loop", "u8", 256, 4096, "zeros"],
    ["piscina", "f32", 256, 4096, "zeros"],
    ["js-loop", "f32", 256, 4096, "zeros"],
  ]);
});

it("calls are measured one by one, awaited, and at once where a backend can; small ones where a GPU is imitated", async () => {
  const sync = { ...POOL, countsSync: true };
  const { cells } = await planCells([CPU, sync, IMITATED], peersNamed("js-loop", "c"), ask({ quick: false }));
  const called = cells.filter(({ sweep }) => sweep === "calls");
  const ways = (id: string) => [
    ...new Set(called.filter(({ backend, peer }) => (backend ?? peer) === id).map(({ call }) => call)),
  ];
  expect(ways("piscina")).toEqual(["countSync", "count"]);
  expect([ways("cpu"), ways("webgpu"), ways("js-loop"), ways("c")]).toEqual(Array(4).fill(["count"]));
  const most = (id: string) => Math.max(...called.filter(({ backend }) => backend === id).map(({ n }) => n));
  expect([most("piscina"), most("webgpu")]).toEqual([2 ** 24, 2 ** 16]);
});

it("calls that are asked for are combined with the rest", async () => {
  const { cells, missing } = await planCells(
    [{ ...POOL, countsSync: true }, { ...CPU }],
    peersNamed("js-loop"),
    ask({ calls: ["count", "countSync"], n: [64], algorithms: ["per-lane", "sequential"] }),
  );
  expect(cells.map(({ backend, peer, n, call }) => [backend ?? peer, n, call])).toEqual([
    ["piscina", 64, "count"],
    ["piscina", 64, "countSync"],
    ["cpu", 64, "count"],
    ["js-loop", 64, "count"],
  ]);
  expect(missing).toEqual([
    expect.stringMatching(/^cpu sequential.*countSync: it cannot count synchronously/),
  ]);
});
