import { describe, expect, it } from "vitest";
import type { Point } from "../../papers/model.ts";
import * as readings from "../../papers/readings/index.ts";

const line = (
  series: string,
  ys: readonly number[],
  xs: readonly (number | string)[] = ys.map((_, i) => i + 1),
): Point[] => ys.map((y, i) => ({ series, x: xs[i]!, y }));
const STATEMENT = { id: "i", panel: "p", claim: "c", where: "1" };
const paper = [...line("a", [1, 2, 3, 4]), ...line("b", [4, 3, 2, 1])];
const judge = (rule: ReturnType<typeof readings.rule>, ours: readonly Point[]) =>
  rule.judge(paper, ours).verdict;
const flat = (series: string) => line(series, [1, 1, 1, 1]);

describe("a ratio", () => {
  const rule = readings.rule(STATEMENT, readings.ratio({ series: "a", x: 4 }, { series: "b", x: 4 }));
  const ours = (a: number, b: number) => [...line("a", [a], [4]), ...line("b", [b], [4])];

  it("agrees on the same side of 1 up to a ratio of 2, and is a draw near 1", () => {
    expect(rule.judge(paper, ours(2, 1))).toEqual({ paper: "4x", ours: "2x", verdict: "agrees" });
    expect(judge(rule, ours(7.9, 1))).toBe("agrees");
    expect(judge(rule, ours(8.1, 1))).toBe("differs");
    expect(judge(rule, ours(1.3, 1))).toBe("differs");
    expect(judge(rule, ours(1.04, 1))).toBe("differs");
    expect(judge(rule, ours(1, 2))).toBe("reversed");
    expect(rule.judge(paper, [])).toEqual({ paper: "4x", ours: null, verdict: "not measured" });
  });

  it("takes what the text states, in numbers or in words", () => {
    const stated = readings.rule(STATEMENT, readings.ratio({ series: "a", x: 4 }, { series: "b", x: 4 }), {
      stated: 10,
      words: "an order of magnitude",
    });
    // The number decides, so it is told with the words.
    expect(stated.judge([], ours(2, 1))).toEqual({
      paper: "an order of magnitude (10x)",
      ours: "2x",
      verdict: "differs",
    });
    const empty = readings.rule(STATEMENT, readings.ratio({ series: "a", x: 4 }, { series: "b", x: 4 }));
    expect(() => empty.judge([], [])).toThrow("expected a value from the paper's numbers");
  });
});

it("calls nothing below ten times an order of magnitude", () => {
  const ours = (a: number) => [...line("a", [a], [4]), ...line("b", [1], [4])];
  const one = readings.ratioMagnitude({ series: "a", x: 4 }, { series: "b", x: 4 });
  const verdicts = [10, 9.9, 4.6, 0.99, 0.5].map((a) => one.compare(10, one.read(ours(a))!, []));
  expect(verdicts).toEqual(["agrees", "differs", "differs", "differs", "reversed"]);
  expect(readings.ratiosMagnitude("median", "a", "b").compare(10, 2.4, [])).toBe("differs");
});

it("measures an effect against a control", () => {
  const alpha = readings.relative("a", "b", "with", "without");
  const points = (a: number, b: number) => [
    ...line("a", [1, a], ["without", "with"]),
    ...line("b", [2, 2 * b], ["without", "with"]),
  ];
  const verdict = (a: number, b: number) => alpha.compare({ side: "below 1" }, alpha.read(points(a, b))!, []);
  // The control slows down as much, so the effect is not the series' own.
  expect([verdict(0.77, 0.77), verdict(0.5, 1), verdict(1, 0.5)]).toEqual(["differs", "agrees", "reversed"]);
  expect(alpha.read(line("a", [1, 1], ["without", "with"]))).toBeNull();
});

it("tests a range that the paper states, or two numbers that contradict each other", () => {
  const within = readings.ratioWithin({ series: "a", x: 4 }, { series: "b", x: 4 });
  const verdict = (a: number, low: number, high: number) => {
    const ours = within.read([...line("a", [a], [4]), ...line("b", [1], [4])])!;
    return within.compare({ low, high }, ours, []);
  };
  expect([verdict(13.7, 8, 32), verdict(7, 8, 32), verdict(0.5, 8, 32)]).toEqual([
    "agrees",
    "differs",
    "reversed",
  ]);
  expect([verdict(0.7, 0.3, 1.1), verdict(2, 0.3, 1.1)]).toEqual(["agrees", "differs"]);
  expect(within.text({ low: 8, high: 32 })).toBe("8 to 32x");
});

it("compares levels and lowest values", () => {
  const share = readings.level({ series: "a", x: 1 }, "%");
  expect([share.compare(21, 40, []), share.compare(21, 43, []), share.text(21)]).toEqual([
    "agrees",
    "differs",
    "21%",
  ]);
  const all = readings.lowest("a", 0.9);
  expect([all.read(line("a", [1, 0.85, 0.95])), all.read([])]).toEqual([0.85, null]);
  expect([all.compare(1, 0.85, []), all.compare(1, 0.9, [])]).toEqual(["differs", "agrees"]);
});

it("judges a side of 1 alone where the paper tells no factor", () => {
  const faster = readings.rule(STATEMENT, readings.ratioSide({ series: "a", x: 1 }, { series: "b", x: 1 }), {
    stated: { side: "above 1" },
    words: "faster",
  });
  const ours = (a: number) => [...line("a", [a]), ...line("b", [1])];
  expect(faster.judge([], ours(6.67))).toEqual({
    paper: "faster (above 1)",
    ours: "6.67x",
    verdict: "agrees",
  });
  expect([1000, 1.06, 1.04, 0.96, 0.9].map((a) => judge(faster, ours(a)))).toEqual([
    "agrees",
    "agrees",
    "differs",
    "differs",
    "reversed",
  ]);
  expect(judge(faster, [])).toBe("not measured");
});

it("finds the least, the median and the most factor", () => {
  const [least, median, most] = (["least", "median", "most"] as const).map((pick) =>
    readings.ratios(pick, "a", "b").read(paper),
  );
  // Of four the two in the middle, 2/3 and 3/2, count alike.
  expect([least, median, most]).toEqual([0.25, (2 / 3 + 3 / 2) / 2, 4]);
  expect(readings.ratios("least", "a", "b", { from: 3 }).read(paper)).toBe(1.5);
  expect(readings.winsShare("a", "b").read(paper)).toBe(0.5);
  expect(readings.winsShare("a", "b").compare(0.8, 0.3, [])).toBe("reversed");
});

it("has no value over several points without all of them", () => {
  const ours = [...line("a", [1, 2, 3, 4]), ...line("b", [4, 3, 2, 1]), ...line("c", [9, 9, 9, 9])];
  const over = [
    readings.rule(STATEMENT, readings.best("a")),
    readings.rule(STATEMENT, readings.ratios("most", "a", "b")),
    readings.rule(STATEMENT, readings.ratiosFrom([["b", "a"]], 0.25)),
    readings.rule(STATEMENT, readings.trend("a")),
    readings.rule(STATEMENT, readings.steadier("b", "a"), { stated: { side: "a draw" } }),
    readings.rule(STATEMENT, readings.lowest("a", 1)),
    readings.rule(STATEMENT, readings.crossover("a", "b")),
    readings.rule(STATEMENT, readings.orderOfPlaces("a")),
    readings.rule(STATEMENT, readings.before("a", 2)),
  ];
  for (const { how, judge: verdictOf } of over) {
    expect(verdictOf(paper, ours, [{ series: "c", x: 5 }]).verdict, how).toBe("agrees");
    const lacking = verdictOf(paper, ours, [{ series: "a", x: 5 }]);
    expect(lacking, how).toMatchObject({ ours: null, verdict: "not measured" });
  }
  // Places that the value leaves out may be missing.
  const some = readings.rule(STATEMENT, readings.trend("a", [1, 2, 3]));
  expect(some.judge(paper, ours, [{ series: "a", x: 5 }]).verdict).toBe("agrees");
  expect(some.judge(paper, ours, [{ series: "a", x: 2 }]).verdict).toBe("not measured");
});

it("compares orders", () => {
  const three = [...line("a", [3], [1]), ...line("b", [2], [1]), ...line("c", [1], [1])];
  const order = readings.order(["c", "a", "b"], 1);
  expect(order.text(order.read(three)!)).toBe("a > b > c");
  expect(order.read(three.slice(1))).toBeNull();
  expect(order.compare(["a", "b", "c"], ["a", "b", "c"], [])).toBe("agrees");
  expect(order.compare(["a", "b", "c"], ["b", "a", "c"], [])).toBe("differs");
  expect(order.compare(["a", "b", "c"], ["c", "a", "b"], [])).toBe("reversed");
});

it("calls values within 5% a draw, in an order as in a ratio", () => {
  const order = readings.order(["a", "b", "c"], 1);
  const found = (a: number, b: number, c: number) =>
    order.read([...line("a", [a], [1]), ...line("b", [b], [1]), ...line("c", [c], [1])])!;
  expect(order.text(found(104.9, 100, 10))).toBe("a = b > c");
  expect(order.compare(["a", "b", "c"], found(104.9, 100, 10), [])).toBe("differs");
  expect(order.compare(["a", "b", "c"], found(105.1, 100, 10), [])).toBe("agrees");
  expect(order.compare(found(100, 101, 10), found(104, 100, 0), [])).toBe("agrees");
  expect(order.compare(["a", "b", "c"], found(0, 0, 0), [])).toBe("differs");
});

it("finds where a series is best, and how good the paper's place is", () => {
  const best = readings.best("a");
  expect(best.read(paper)).toBe(4);
  expect(best.compare(2, 3, line("a", [1, 99, 100, 50]))).toBe("agrees");
  expect(best.compare(4, 3, line("a", [1, 99, 100, 50]))).toBe("reversed");
  expect(best.compare(2, 3, line("a", [1, 90, 100, 50]))).toBe("differs");
  expect(best.compare(9, 3, line("a", [1, 90, 100, 50]))).toBe("differs");
});

it("tells rising from falling", () => {
  const trend = readings.trend("a");
  expect([trend.read(paper), readings.trend("b").read(paper), trend.read(flat("a"))]).toEqual([
    "rises",
    "falls",
    "neither",
  ]);
  expect(trend.read(line("a", [1, 2]))).toBeNull();
  expect(readings.trend("a", [1, 3, 4]).read(line("a", [1, 0, 2, 3]))).toBe("rises");
  expect(trend.compare("rises", "falls", [])).toBe("reversed");
  expect(trend.compare("rises", "neither", [])).toBe("differs");
});

it("correlates ranks, ties included", () => {
  const follows = readings.follows("a", (x) => -x, "the other way");
  expect(follows.read(paper)).toBeCloseTo(-1);
  expect(follows.compare(1, -1, [])).toBe("reversed");
  expect(readings.follows("a", () => 1, "nothing").read(paper)).toBe(0);
  const before = readings.before("a", 2).read(paper)!;
  expect(before.side).toBe("below 1");
  expect(before.factor).toBeCloseTo(1.5 / 3.5);
});

it("tells steady from unsteady, and which of two is steadier", () => {
  const steady = readings.steadiness(
    [
      { series: "a", x: 1 },
      { series: "a", x: 4 },
    ],
    "a",
  );
  expect([steady.read(flat("a")), steady.read(paper), steady.read([])]).toEqual([1, 0.25, null]);
  expect(steady.compare(1, 0.25, [])).toBe("reversed");
  expect(steady.compare(1, 0.9, [])).toBe("differs");
  expect(steady.compare(0.1, 0.25, [])).toBe("agrees");
  const steadier = readings.steadier("a", "b");
  expect(steadier.read([...flat("a"), ...line("b", [1, 2])])).toEqual({ side: "above 1", factor: 2 });
  expect(steadier.read([...flat("a"), ...line("b", [1])])).toBeNull();
});

it("finds where one series overtakes another", () => {
  const crossover = readings.crossover("a", "b");
  expect(crossover.read(paper)).toBe(3);
  expect(crossover.read([...flat("b"), ...line("a", [2, 2, 2, 2])])).toBe(1);
  expect(crossover.read([...flat("a"), ...line("b", [2, 2, 2, 2])])).toBe(Number.POSITIVE_INFINITY);
  expect(crossover.compare(10, 5, line("a", [1], [0]))).toBe("agrees");
  expect(crossover.compare(10, 2, line("a", [1], [0]))).toBe("differs");
  expect(crossover.compare(10, Number.POSITIVE_INFINITY, line("a", [1], [0]))).toBe("reversed");
});

it("finds from where on a series is full, where it ends, and how threads scale", () => {
  expect(readings.fullFrom("a").read(line("a", [1, 9, 97, 100]))).toBe(3);
  expect(readings.fullFrom("a").compare(100, 250, [])).toBe("differs");
  expect(readings.lastAbove("a", 0.5).read(line("a", [1, 1, 0, 0], [2, 4, 8, 16]))).toBe(4);
  // With as many threads as the paper has, and not with the most.
  expect(readings.scaling("a", 2, 0.9).read(line("a", [1, 1.5, 1.6], [1, 2, 32]))).toBe(0.75);
  expect(readings.scaling("a", 2, 0.9).compare(1, 0.75, [])).toBe("differs");
  expect(readings.scaling("a", 2, 0.9).read(line("a", [1, 1.6], [1, 32]))).toBeNull();
});

it("writes three digits, and thousands in full", () => {
  expect([0, 0.98444, 12.345, 999.4, 6140046].map(readings.digits)).toEqual([
    "0",
    "0.984",
    "12.3",
    "999",
    "6,140,046",
  ]);
});
