import { expect, test } from "vitest";
import { indexed, summary } from "../collect/summary.ts";
import { type Basis, onBasis } from "../src/data/basis.ts";
import { median } from "../src/data/median.ts";
import { comparisons } from "../src/data/peers.ts";
import { addressOf, isMoved, neighbour, routeOf } from "../src/data/route.ts";
import { type Readers, selection, sourced } from "../src/data/selection.ts";
import { taskTable, verdictOf } from "../src/data/tasks.ts";
import type { Row } from "../src/data/types.ts";
import { exactness, figure, nameOf, raised, sizeOf, slugOf } from "../src/data/words.ts";
import { numbersIn } from "../src/try/column/numbers.ts";
import { sentence } from "../src/try/column/sentence.ts";
import { isAnnounced } from "../src/try/compare/announced.ts";
import { percentiles } from "../src/try/picture/percentiles.ts";
import { contestants, fewOfEach } from "../src/views/groups.ts";
import { row } from "./rows.ts";

test("an address says a view and its selections, and is read again as it was written", () => {
  const address = addressOf("explore/cell", { file: "a/b", row: "3", machine: null });
  expect(address).toBe("#explore/cell?file=a%2Fb&row=3");
  expect(routeOf(address)).toEqual({
    view: "explore/cell",
    selected: new Map([
      ["file", "a/b"],
      ["row", "3"],
    ]),
  });
  expect(routeOf("")).toEqual({ view: "", selected: new Map() });
  const route = routeOf("#cell?machine=m&basis=call&row=3");
  expect(neighbour(route, "explore/peers")).toBe("#explore/peers?machine=m&basis=call");
});

test("an address of an earlier version leads to the view's present place", () => {
  expect(routeOf("#picture").view).toBe("try/picture");
  expect(routeOf("#peers?machine=m")).toEqual({
    view: "explore/peers",
    selected: new Map([["machine", "m"]]),
  });
  expect(isMoved("#bench")).toBe(true);
  expect(isMoved("#explore/cell?row=1")).toBe(false);
});

test("a summary has the median, the least, the most and the number of the runs, and not the runs", () => {
  const { ms: _, ...rest } = { ...row({}), ms: [] };
  const { rows } = summary({ rows: [{ ...rest, ms: [4, 1, 3, 2], callMs: [9] }] });
  expect(rows[0]).toMatchObject({
    medianMs: 2.5,
    leastMs: 1,
    mostMs: 4,
    runs: 4,
    gbps: 1,
    callGbps: 2.5 / 9,
  });
  expect(rows[0]).not.toHaveProperty("ms");
  expect(rows[0]).not.toHaveProperty("callMs");
});

test("a file's kind is told by what it holds", () => {
  expect(indexed("m/a", { rows: [] }).kind).toBe("notes");
  expect(indexed("m/a", { passed: 3, failed: 1 })).toMatchObject({
    kind: "conformance",
    conformance: { passed: 3, failed: 1 },
  });
  expect(indexed("m/papers", { papers: [] })).toMatchObject({ kind: "papers", folder: "m", name: "papers" });
});

test("a peer is compared with the fastest of ours on the same data, of as many threads, CPU with CPU, or not at all", () => {
  const rows = [
    row({ gbps: 10, backend: "piscina", threads: 2 }),
    row({ gbps: 6, backend: "piscina", threads: 1 }),
    row({ gbps: 2, peer: "c", threads: 1 }),
    row({ gbps: 2, peer: "numpy", threads: 1, variant: "bincount" }),
    row({ gbps: 20 }),
    row({ gbps: 4, peer: "cub" }),
    row({ gbps: 4, peer: "pytorch", threads: 16, device: "NVIDIA H200" }),
    row({ gbps: 2, peer: "pytorch", threads: 16, device: "cpu" }),
    row({ gbps: 99, peer: "read" }),
    row({ gbps: 1, peer: "c", threads: 1, distribution: "zeros" }),
    row({ gbps: 50, exact: false }),
  ];
  expect(comparisons(rows).map(({ peer, factor }) => [peer.peer, factor])).toEqual([
    ["c", 3],
    ["numpy", 3],
    ["cub", 5],
    ["pytorch", 5],
  ]);
});

test("a peer that is not exact says so", () => {
  const [one] = comparisons([row({}), row({ peer: "torch", exact: false })]);
  expect(one!.name).toBe("torch, not exact: u8, 256 bins, 2¹⁰");
});

test("kernels are compared with kernels and whole calls with whole calls", () => {
  const rows = [
    row({ gbps: 100, callGbps: 4 }),
    row({ peer: "pytorch", gbps: 1, callGbps: 1 }),
    row({ peer: "luma.gl", gbps: 50 }),
  ];
  const factors = (basis: Basis) =>
    comparisons(onBasis(rows, basis)).map(({ peer, factor }) => [peer.peer, factor]);
  expect(factors("call")).toEqual([["pytorch", 4]]);
  expect(factors("kernel")).toEqual([["luma.gl", 2]]);
});

test("a row stands on each basis with that basis' throughput and share of the ceiling", () => {
  const both = row({ gbps: 100, callGbps: 50, ceilingPercent: 90, valuesPerSecond: 8 });
  expect(onBasis([both], "kernel")).toEqual([both]);
  expect(onBasis([both], "call")).toMatchObject([{ gbps: 50, ceilingPercent: 45, valuesPerSecond: 4 }]);
  // Kernels alone were timed; the CPU, and what is uploaded, has whole calls alone.
  expect(onBasis([row({})], "call")).toEqual([]);
  const calls = [
    row({ backend: "piscina" }),
    row({ residence: "upload" }),
    row({ peer: "cub", callGbps: 1 }),
  ];
  expect(onBasis(calls, "kernel")).toEqual([]);
  expect(onBasis(calls, "call")).toEqual(calls);
});

test("more than 100% of a ceiling is no share but an invalid ceiling", () => {
  const at = (ceilingPercent: number) => onBasis([row({ ceilingPercent })], "kernel")[0]!;
  expect(at(405.8)).toMatchObject({ ceilingPercent: null, invalidCeiling: true });
  expect(at(100)).toMatchObject({ ceilingPercent: 100 });
  expect(at(100).invalidCeiling).toBeUndefined();
});

test("a view of one file takes the machine with the most rows, unless the address names one", () => {
  const of = (folder: string, rows: number, commit: string | null = null) => ({
    ...row({}).file,
    folder,
    rows,
    commit,
  });
  const files = [of("small", 3), of("big", 2, "abc"), of("big", 2)];
  const chosen = (hash: string, reads: Readers) => selection(files, routeOf(hash), reads).files;
  expect(chosen("#v", "one file")).toEqual(files.slice(1));
  expect(chosen("#v", "any machine")).toEqual(files);
  expect(chosen("#v?machine=small", "one file")).toEqual(files.slice(0, 1));
  expect(selection(files, routeOf("#v"), "one file").route.selected.get("machine")).toBe("big");
});

test("a contestant's worst and best are over its distributions", () => {
  const found = contestants(
    [
      row({ gbps: 3 }),
      row({ gbps: 4, distribution: "zeros" }),
      row({ gbps: 1, algorithm: "trish", variant: "k=1" }),
      row({ gbps: 2, algorithm: "trish", variant: "k=31" }),
    ],
    ({ gbps }) => gbps,
  );
  expect(found.map(({ name, worstOverBest }) => [name, worstOverBest])).toEqual([
    ["CUDA, per lane", 0.75],
    // One distribution says nothing of how much the data matter.
    ["CUDA, TRISH, k=31", null],
  ]);
});

test("a view of one file takes the last measured one that it can draw, unless the address names one", () => {
  const file = (name: string, date: string) => ({
    ...row({}).file,
    path: `m/${name}`,
    folder: "m",
    name,
    date,
  });
  const [old, late, last] = [
    file("old", "2026-01-01"),
    file("late", "2026-01-02"),
    file("last", "2026-01-03"),
  ];
  const rows = [row({ file: old }), row({ file: late }), row({ file: last, peer: "read" })];
  const ours = (of: readonly Row[]) => of.filter(({ peer }) => peer === null);
  const { files } = selection([old, last, late], routeOf("#v"), "one file");
  const found = (hash: string) => sourced(routeOf(hash), files, rows, ours);
  expect(found("#v")).toMatchObject({ source: late, sources: [late, old], rows: [rows[1]] });
  // Of one day, the file with most programs.
  const both = [
    row({ file: old }),
    row({ file: old, peer: "cub" }),
    row({ file: { ...late, date: "2026-01-01T9" } }),
  ];
  expect(sourced(routeOf("#v"), [{ ...late, date: "2026-01-01T9" }, old], both, (of) => of).source).toBe(old);
  // Of as many programs, the one that measured most.
  const more = { ...old, path: "m/more", name: "more" };
  const alike = [...both, row({ file: more }), row({ file: more, peer: "cub" }), row({ file: more, n: 2 })];
  expect(sourced(routeOf("#v"), [old, more], alike, (of) => of).source).toBe(more);
  expect(found("#v?from=old")).toMatchObject({ source: old, rows: [rows[0]] });
  expect(found("#v?from=last")).toMatchObject({ source: last, rows: [] });
});

test("a view opens with polybin's default algorithm, on the machine's GPU, before a newer study of one method", () => {
  const file = (name: string, date: string, gpu: string | null) => ({
    ...row({}).file,
    path: `m/${name}`,
    ...{ folder: "m", name, date, machine: { cpu: "one", cores: 2, gpu } },
  });
  const [usual, onCpu, study] = [
    file("usual", "2026-01-01", "H200"),
    file("cpu", "2026-01-02", null),
    file("study", "2026-01-03", "H200"),
  ];
  const rows = [
    row({ file: usual, algorithm: "per-lane" }),
    row({ file: onCpu, algorithm: "per-lane" }),
    row({ file: study, algorithm: "trish" }),
  ];
  const { sources } = sourced(routeOf("#v"), [study, onCpu, usual], rows, (of) => of);
  expect(sources).toEqual([usual, onCpu, study]);
});

test("of one program, a plot shows three lines at first, and TRISH by one k", () => {
  const line = (algorithm: string, gbps: number, more: Partial<Row> = {}) =>
    [1, 2, 3].map((n) => row({ algorithm, gbps, n, ...more }));
  const rows = [
    ...line("per-lane", 9),
    ...line("trish", 8, { variant: "k=31" }),
    ...line("trish", 7, { variant: "k=63" }),
    ...line("per-warp", 6),
    ...line("per-thread", 5),
    ...line("x", 1, { peer: "cub" }),
  ];
  const { names, first } = fewOfEach(rows);
  expect(names.slice(0, first).toSorted()).toEqual([
    "CUB",
    "CUDA, TRISH, k=31",
    "CUDA, per lane",
    "CUDA, per warp",
  ]);
  expect(names).toHaveLength(6);
});

test("a task's factor is against the same threads, and a task without rows is not measured", () => {
  const of = (type: string, more: Partial<Row>) =>
    row({ type, call: "count", backend: more.peer === undefined ? "native" : null, gbps: 1, ...more });
  const rows = [
    of("picture", { threads: 1, gbps: 2, medianMs: 3 }),
    of("picture", { threads: 2, gbps: 3, medianMs: 2 }),
    of("picture", { peer: "numpy", threads: 1, medianMs: 6 }),
    of("picture", { peer: "opencv", threads: 1, gbps: 1, medianMs: 6 }),
    of("picture", { peer: "opencv", threads: 2, gbps: 6, medianMs: 1 }),
    of("picture", { peer: "duckdb", threads: 16, medianMs: 6 }),
  ];
  const table = taskTable(rows);
  const [picture, column] = table.rows;
  expect(picture!.ours).toBe(rows[1]);
  expect([...picture!.factors].map(([id, { factor }]) => [id, factor])).toEqual([
    ["numpy", 2],
    ["opencv", 0.5],
  ]);
  expect(column).toMatchObject({ ours: null, factors: new Map() });
  expect(verdictOf(table)).toMatchObject({ measured: 1, compared: 2, lost: [{ factor: 0.5 }] });
});

test("names leave out what a variant says of the launch alone", () => {
  expect(nameOf(row({ variant: "256 threads x 2 blocks, 8 replicas" }))).toBe("CUDA, per lane");
  expect(nameOf(row({ variant: "k=31", algorithm: "trish" }))).toBe("CUDA, TRISH, k=31");
  expect(nameOf(row({ peer: "read", variant: "ldg x4, 2 blocks" }))).toBe("Reading alone");
});

test("a name says once that sums are fast", () => {
  const weighted = { features: 1, documents: 1, adds: "sums", precision: "fast", skip: false };
  const named = (variant?: string) =>
    nameOf(row({ weighted, ...(variant === undefined ? {} : { variant }) }));
  expect([undefined, "fast", "fast, 6 warps", "one call"].map(named)).toEqual([
    "CUDA, per lane, fast",
    "CUDA, per lane, fast",
    "CUDA, per lane, fast, 6 warps",
    "CUDA, per lane, one call, fast",
  ]);
});

test("rows together are as exact as the worst of them", () => {
  const off = (offBy: number) => row({ exact: false, offBy });
  expect(exactness([row({})])).toBe("yes");
  expect(exactness([row({}), off(0)])).toBe("no error here");
  expect(exactness([off(0), off(3e-8)])).toBe("error up to 3.0e-8");
  expect(exactness([off(3e-8), row({ exact: false })])).toBe("no");
});

test("the median of an even number of values is between the two in the middle", () => {
  expect([[4, 1, 3, 2], [3, 1, 2], [7]].map(median)).toEqual([2.5, 2, 7]);
  expect(median([])).toBeNaN();
});

test("exponents are raised", () => {
  expect(["2^26 uniform bytes", "from 2^3 to 10^12", "a^b", "none"].map(raised)).toEqual([
    "2²⁶ uniform bytes",
    "from 2³ to 10¹²",
    "a^b",
    "none",
  ]);
});

test("numbers as people read them", () => {
  expect([2 ** 20, 8, 1000].map(sizeOf)).toEqual(["2²⁰", "8", "1,000"]);
  expect([0, 1.23456, 99.95, 1234.5, 0.00012].map(figure)).toEqual(["0", "1.23", "100", "1,235", "1.2e-4"]);
});

test("of many rounds the first and every tenth part are announced", () => {
  const announced = (total: number) =>
    Array.from({ length: total }, (_, i) => i + 1).filter((round) => isAnnounced({ round, total }));
  expect(announced(202)).toEqual([1, 21, 41, 61, 81, 101, 122, 142, 162, 182, 202]);
  expect(announced(3)).toEqual([1, 2, 3]);
});

test("a percentile is the least value that so many samples do not exceed", () => {
  const counts = [10, 0, 80, 10];
  expect(percentiles(counts, [0, 10, 10.1, 90, 90.1, 100])).toEqual([0, 0, 2, 2, 3, 3]);
  expect(() => percentiles([0, 0], [50])).toThrow(RangeError);
});

test("calls that were measured one by one are whole calls, and are compared with as many at once", () => {
  const ours = row({ call: "count", gbps: 4 });
  const many = row({ call: "count", inFlight: 8, gbps: 9 });
  const theirs = row({ peer: "cub", call: "count", gbps: 2 });
  expect(onBasis([ours], "kernel")).toEqual([]);
  expect(comparisons(onBasis([ours, many, theirs], "call")).map(({ factor }) => factor)).toEqual([2]);
  expect(nameOf(many)).toBe("CUDA, 8 calls in flight");
  expect(nameOf(ours)).toBe("CUDA, awaited call");
  expect(slugOf(ours)).toBe("cuda per-lane, count");
  expect(nameOf(theirs)).toBe("CUB");
});

test("a column's sentence counts the values in the bins, and names those outside of them", () => {
  const stats = { min: 1, max: 2, mean: 1.5, quantiles: [1, 1, 1, 1, 2, 2, 2] };
  const none = {
    column: "v",
    counts: Float64Array.of(1),
    nulls: 0,
    nan: 0,
    underflow: 0,
    overflow: 0,
    isEach: false,
    stats,
  };
  expect(sentence({ ...none, nulls: 2 }, "a.csv")).toMatch(
    /^v of a.csv: 1 value in 1 bin; 2 nulls\. Half of/,
  );
  const two = { ...none, counts: Float64Array.of(1, 1) };
  expect(sentence({ ...two, nan: 1 }, "a.csv")).toMatch(/: 2 values in 2 bins; 1 NaN\. Half of/);
  expect(sentence({ ...two, nulls: 1, underflow: 3, overflow: 4 }, "a.csv")).toContain(
    "; 1 null, 3 below the range, 4 above the range.",
  );
  expect(sentence({ ...two, isEach: true }, "a.csv")).toContain(": 2 values in 2 bins, one for each value.");
  expect(sentence({ ...two, counts: Float64Array.of(0), nan: 5, stats: null }, "a.csv")).toBe(
    "v of a.csv: 0 values in 1 bin; 5 NaN. No value is finite.",
  );
});

test("a line that is not all numbers is refused with its wrong word, and several lines are left to CSV", () => {
  expect(numbersIn("1 2, nan\n4; 8")).toEqual(Float64Array.of(1, 2, Number.NaN, 4, 8));
  expect(() => numbersIn("1, 2, x, 4\n")).toThrow('word 3 is "x"');
  expect(() => numbersIn(" \n")).toThrow("the text is empty");
  expect(numbersIn("a,b\n1,2")).toBeNull();
});

test("pasted integers that a double would round are refused", () => {
  expect(numbersIn("9007199254740991 -9007199254740991 1e300")).toHaveLength(3);
  expect(() => numbersIn("1 9007199254740993")).toThrow(
    "expected integers between -2^53 and 2^53 but value 2 is 9007199254740993",
  );
});
