import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { progressBar, type Unit } from "../src/terminal/progress.ts";

/** A bar on a terminal that is none, and a clock that a test sets. */
async function bar(columns: number, unit: Unit = "B", name = "data.bin", isTTY = true) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns });
  let [ms, text] = [0, ""];
  stream.on("data", (chunk) => {
    text += chunk;
  });
  const { watch, clear } = await progressBar(name, unit, stream, () => ms);
  return {
    at: (time: number, done: number, total: number | null) => {
      ms = time;
      watch({ done, total });
    },
    clear,
    /** The line that stands there now. */
    line: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return stripVTControlCharacters(text.split("\u001b[1G").at(-1)!);
    },
    text: () => text,
  };
}

test("a bar shows throughput and the time left, and goes when the work is done", async () => {
  const { at, clear, line, text } = await bar(80);
  at(100, 1e9, 9e9);
  await line();
  expect(text()).toBe("");
  at(1100, 3e9, 9e9);
  expect(await line()).toBe("data.bin  ████████░░░░░░░░░░░░░░░░  33%  2.00 GB/s  3s left");
  clear();
  expect(await line()).toBe("");
});

test.each([
  [1000, 1e6, 4e9, "B", /0% {2}1\.00 MB\/s {2}1h 6m left$/],
  [1000, 1e9, 76e9, "B", /1% {2}1\.00 GB\/s {2}1m 15s left$/],
  [2000, 3e9, null, "B", /^data\.bin {2}3,000 MB {2}1\.50 GB\/s$/],
  [1000, 0, 1e9, "B", /^data\.bin {2}░{24} {2}0%$/],
  [1000, 5e8, 1e9, "value", /50% {2}500 million values\/s {2}1s left$/],
] as const)("after %i ms %d of %d %s", async (ms, done, total, unit, says) => {
  const { at, clear, line } = await bar(80, unit);
  at(0, 0, total);
  at(ms, done, total);
  expect(await line()).toMatch(says);
  clear();
});

test.each([40, 60, 80, 200])("it fits %i columns", async (columns) => {
  const { at, clear, line } = await bar(columns, "B", "a rather long name of a file that has no end.bin");
  at(0, 0, 98_765_432_100);
  at(1000, 123_456_789, 98_765_432_100);
  const shown = await line();
  expect(shown.length).toBeLessThan(columns);
  expect(shown).toMatch(/^a rathe.*0% {2}0\.123 GB\/s {2}13m 20s left$/);
  clear();
});

test("on a narrow terminal it leaves out the time left", async () => {
  const { at, clear, line } = await bar(40, "value", "a rather long name of a file that has no end.txt");
  at(0, 0, 400_000_000_000);
  at(1000, 500_000_000, 400_000_000_000);
  const shown = await line();
  expect(shown.length).toBeLessThan(40);
  expect(shown).toMatch(/^a rathe.*0% {2}500 million values\/s$/);
  clear();
});

test("names give no orders to the terminal", async () => {
  const { at, clear, text } = await bar(80, "B", "a\u001b[31mb");
  at(1000, 1, 2);
  clear();
  expect(text()).not.toContain("\u001b[31m");
});

test("where stderr is no terminal nothing is shown", async () => {
  const { at, clear, text } = await bar(80, "B", "x", false);
  at(1000, 1, 2);
  clear();
  expect(text()).toBe("");
});
