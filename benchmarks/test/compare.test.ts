import { expect, it } from "vitest";
import { askedFor, compare, comparisonText, isWorse } from "../src/compare/compare.ts";
import { resultsOf } from "../src/runner/report.ts";
import type { Results, Row } from "../src/runner/row.ts";
import { rowOfPeer, rowWith } from "./shared.ts";

const row = (ms: readonly number[], more: Partial<Row> = {}): Row =>
  rowWith({ backend: "piscina", algorithm: "per-lane", threads: 2, n: 2 ** 20, ms, ...more });
const peer = (name: string, ms: number): Row => row([ms, ms, ms, ms, ms], { ...rowOfPeer(name), threads: 1 });
const file = (rows: readonly Row[], missing: readonly string[] = []): Results =>
  resultsOf({ rows, missing, commit: "unknown" });
const steady = (ms: number) => [0.99, 1, 1.01, 1, 1, 0.995, 1.005].map((of) => of * ms);
const noisy = (ms: number) => [0.6, 0.8, 1, 1.2, 1.4, 0.7, 1.3].map((of) => of * ms);

const verdict = (
  old: Row,
  now: Row,
  threshold = 0.1,
  more: { old: Row[]; now: Row[] } = { old: [], now: [] },
) => compare([file([old, ...more.old])], [file([now, ...more.now])], threshold).changes[0]!.verdict;

it("calls a change one that is larger than the threshold", () => {
  expect(verdict(row(steady(10)), row(steady(10.9)))).toBe("same");
  expect(verdict(row(steady(10)), row(steady(11.5)))).toBe("slower");
  expect(verdict(row(steady(10)), row(steady(8.5)))).toBe("faster");
  expect(verdict(row(steady(10)), row(steady(11.5)), 0.2)).toBe("same");
});

it("and that is larger than what the runs of either file scatter by", () => {
  expect(verdict(row(noisy(10)), row(noisy(13)))).toBe("same");
  expect(verdict(row(steady(10)), row(noisy(13)))).toBe("same");
  expect(verdict(row(noisy(10)), row(noisy(100)))).toBe("slower");
});

it("a disturbed run or two move nothing", () => {
  expect(verdict(row(steady(10)), row([...steady(10), 500, 900]))).toBe("same");
  expect(verdict(row([...steady(10), 500]), row(steady(15)))).toBe("slower");
});

it("tells nothing of fewer than five runs", () => {
  expect(verdict(row(steady(10)), row([20, 20, 20]))).toBe("unclear");
  expect(verdict(row([10, 10, 10]), row([10, 10, 10]))).toBe("same");
});

it("takes what the peers changed by off cells on the CPU alone", () => {
  const peers = (ms: number) => ["js-loop", "c", "numpy"].map((name) => peer(name, ms));
  const slow = { old: peers(10), now: peers(15) };
  expect(verdict(row(steady(10)), row(steady(15)), 0.1, slow)).toBe("same");
  expect(verdict(row(steady(10)), row(steady(10)), 0.1, slow)).toBe("faster");
  const on = { backend: "cuda" };
  expect(verdict(row(steady(10), on), row(steady(15), on), 0.1, slow)).toBe("slower");
  const two = { old: peers(10).slice(1), now: peers(15).slice(1) };
  expect(verdict(row(steady(10)), row(steady(15)), 0.1, two)).toBe("slower");
});

it("peers are no cells of ours, and cells of one file alone are listed", () => {
  const found = compare(
    [file([row(steady(1)), row(steady(1), { n: 4096 }), peer("c", 1), peer("gone", 1)])],
    [file([row(steady(1)), row(steady(1), { threads: 1 }), peer("c", 9)])],
    0.1,
  );
  expect(found.changes).toHaveLength(1);
  expect(found.gone).toEqual(["piscina per-lane, 2 threads: u8 uniform, 256 bins, n = 2^12, resident"]);
  expect(found.added).toEqual(["piscina per-lane, 1 thread: u8 uniform, 256 bins, n = 2^20, resident"]);
});

it("a cell that is gone is worse, unless there was no time for it", () => {
  const old = file([row(steady(1)), row(steady(1), { n: 4096 })]);
  const name = "piscina per-lane, 2 threads: u8 uniform, 256 bins, n = 2^12, resident";
  const gone = compare([old], [file([row(steady(1))])], 0.1);
  expect(gone).toMatchObject({ gone: [name], late: [] });
  expect(isWorse(gone)).toBe(true);
  expect(comparisonText(gone, 0.1)).toContain(`Gone, although time was left: 1 cell\n  ${name}\n`);
  const late = compare([old], [file([row(steady(1))], [`${name}: the time was used up`])], 0.1);
  expect(late).toMatchObject({ gone: [], late: [name] });
  expect(isWorse(late)).toBe(false);
});

it("a cell that was not asked for is not gone", () => {
  const all = { backends: ["cpu", "piscina"], algorithms: undefined, isChosen: false };
  const old = file([row(steady(1)), row(steady(1), { n: 4096 }), peer("c", 1)]);
  const now = file([row(steady(1))]);
  const gone = (options: Partial<typeof all> | { algorithms: string[] }) =>
    compare([askedFor(old, now, { ...all, ...options })], [now], 0.1).gone.length;
  expect(gone({})).toBe(1);
  expect(gone({ backends: ["cpu"] })).toBe(0);
  expect(gone({ algorithms: ["trish"] })).toBe(0);
  expect(gone({ algorithms: ["per-lane"] })).toBe(1);
  expect(gone({ isChosen: true })).toBe(0);
});

it("rows that are not exact take no part", () => {
  const wrong = row(steady(1), { exact: false });
  expect(compare([file([row(steady(1))])], [file([wrong])], 0.1)).toMatchObject({
    changes: [],
    gone: [expect.stringMatching(/^piscina/)],
  });
  expect(compare([file([wrong])], [file([row(steady(1))])], 0.1)).toMatchObject({ changes: [], gone: [] });
});

it("compares whole calls on a GPU, too", () => {
  const on = (callMs: number) => row(steady(1), { backend: "cuda", callMs: steady(callMs) });
  const { changes } = compare([file([on(20)])], [file([on(200)])], 0.1);
  expect(changes.map(({ verdict }) => verdict)).toEqual(["same", "slower"]);
  expect(changes[1]!.cell).toMatch(/resident, whole call$/);
});

it("of several files a side a cell changed if it did in every pairing, by the least of the changes", () => {
  const files = (...all: number[]) => all.map((ms) => file([row(steady(ms))]));
  const of = (olds: number[], news: number[]) => compare(files(...olds), files(...news), 0.1).changes;
  expect(of([10, 15], [15, 15])).toMatchObject([{ verdict: "same" }]);
  expect(of([10, 15], [20, 30])).toMatchObject([{ verdict: "slower", oldMs: 15, newMs: 20 }]);
  expect(of([20, 30], [10, 15])).toMatchObject([{ verdict: "faster", oldMs: 20, newMs: 15 }]);
  expect(of([10, 10], [5, 20])).toMatchObject([{ verdict: "same" }]);
});

it("reads: what changed, how much, and what noise would have been", () => {
  const found = compare([file([row(steady(10))])], [file([row(steady(25))])], 0.1);
  expect(comparisonText(found, 0.1)).toContain(
    "slower   piscina per-lane, 2 threads: u8 uniform, 256 bins, n = 2^20, resident  10.0 -> 25.0 ms  2.50x (noise 10%)",
  );
  expect(comparisonText(compare([file([row([1])])], [file([row([1])])], 0.1), 0.1)).toContain(
    "No cell changed",
  );
});

it("compares calls one by one with their like, and their 99th percentiles where there are enough of them", () => {
  const calls = (tail: number, count = 200) =>
    Array.from({ length: count }, (_, i) => (i % 20 === 7 ? tail : 1));
  const both = (old: Row, now: Row) => compare([file([old])], [file([now])], 0.1).changes;
  const called = (ms: readonly number[], more: Partial<Row> = {}) => row(ms, { call: "count", ...more });
  const worse = both(called(calls(2)), called(calls(9)));
  expect(worse.map(({ verdict: one }) => one)).toEqual(["same", "slower"]);
  expect(worse[1]).toMatchObject({
    oldMs: 2,
    newMs: 9,
    cell: expect.stringMatching(/count, 99th percentile$/),
  });
  expect(both(called(calls(9)), called(calls(2)))[1]!.verdict).toBe("faster");
  expect(both(called(calls(2)), called(calls(2.1)))[1]!.verdict).toBe("same");
  // One disturbed call in two hundred moves nothing.
  expect(both(called(calls(2)), called([...calls(2), 500]))[1]!.verdict).toBe("same");
  expect(both(called(calls(2, 50)), called(calls(9, 50)))).toHaveLength(1);
  // A call is no kernel, and many at once are not one.
  expect(both(row([1]), called([1]))).toEqual([]);
  expect(both(called([1]), called([1], { inFlight: 8 }))).toEqual([]);
});
