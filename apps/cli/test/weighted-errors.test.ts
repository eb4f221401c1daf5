import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file, MAIN, refused } from "./command.ts";

test.for<[string, string[], string, RegExp]>([
  ["one bin", ["--bins", "1"], "ERR_INPUT", /from 2 to 65536 for --bins/],
  ["too many bins", ["--bins", "65537"], "ERR_INPUT", /from 2 to 65536 for --bins/],
  ["half a bin", ["--bins", "2.5"], "ERR_INPUT", /--bins/],
  ["bins in words", ["--bins", "few"], "ERR_INPUT", /"few"/],
  ["no threads", ["--bins", "4", "--threads", "0"], "ERR_INPUT", /--threads/],
  ["too many threads", ["--bins", "4", "--threads", "257"], "ERR_INPUT", /from 1 to 256 for --threads/],
  ["an unknown precision", ["--bins", "4", "--precision", "exact"], "ERR_INPUT", /reproducible, fast/],
  ["an unknown backend", ["--bins", "4", "--backend", "abacus"], "ERR_INPUT", /auto, cpu/],
  ["an unknown algorithm", ["--bins", "4", "--algorithm", "bogo"], "ERR_UNSUPPORTED", /"bogo"/],
  ["an unweighted algorithm", ["--bins", "4", "--algorithm", "trish"], "ERR_UNSUPPORTED", /weighted-hybrid/],
  [
    "integers alone for fast",
    ["--bins", "4", "--precision", "fast", "--algorithm", "weighted-fixed-point"],
    "ERR_UNSUPPORTED",
    /./,
  ],
  ["three limbs", ["--bins", "4", "--limbs", "3"], "ERR_INPUT", /from 1 to 2 for --limbs/],
  ["limbs of floats", ["--bins", "4", "--limbs", "2", "--precision", "fast"], "ERR_INPUT", /no --limbs/],
  ["an unknown option", ["--bins", "4", "--csv"], "ERR_INPUT", /--csv/],
  ["weights that are not there", ["--bins", "4", "--weights", "/nowhere/w"], "ERR_INPUT", /nowhere/],
])("refuses %s", async ([, args, code, says]) => {
  await refused(["weighted", file("x", "1 1:2\n2 1:3\n"), ...args], code, says);
});

test.for<[string, string, RegExp]>([
  ["an empty file", "", /expected documents, one per line, but x is empty$/m],
  ["comments alone", "# 1 1:2\n\n", /has none/],
  ["labels alone", "1\n2 qid:4\n", /labels alone/],
  ["no label", "1 1:2\n1:2 2:3", /label at x:2 but received "1:2"/],
  ["a label in words", "yes 1:2", /a finite 32-bit float for a label at x:1 but received "yes"/],
  ["several labels", "1,2 1:2", /label at x:1/],
  ["a label that is not a number", "\n# c\nnan 1:2", /label at x:3 but received "nan"/],
  ["an infinite label", "1 1:1\n-inf 1:2", /label at x:2/],
  ["a label that 32 bits do not hold", "1e39 1:2", /label at x:1 but received "1e39"/],
  ["a pair without a colon", "1 1:2 3", /index:value at x:1 but received "3"/],
  ["a pair without an index", "1 :2", /index:value at x:1/],
  ["a pair without a value", "1 1:", /feature 1 at x:1 but received ""/],
  ["two colons", "1 1:2:3", /feature 1 at x:1 but received "2:3"/],
  ["an index in words", "1 a:2", /index:value at x:1 but received "a:2"/],
  ["a negative index", "1 -1:2", /index:value/],
  ["half an index", "1 1.5:2", /index:value/],
  ["an index past 32 bits", "1 4294967296:2", /index up to 4294967295/],
  ["an index twice", "1 1:2\n1 4:2 4:2", /index above 4, .* at x:2 but received "4:2"/],
  ["descending indices", "1 4:2 3:2", /index above 4/],
  ["NaN", "1 1:2 2:nan", /finite number for feature 2 at x:1/],
  ["infinity", "1 1:inf", /feature 1/],
  ["a value past the doubles", "1 1:1e999", /feature 1/],
  ["a hexadecimal value", "1 1:0x10", /feature 1/],
  ["a query that is no number", "1 qid:a 1:2", /index:value at x:1 but received "qid:a"/],
  ["a query that is not in front", "1 1:2 qid:3", /index:value/],
  ["bytes", "\u0000\u0001\u001b[31m", /label at x:1 but received "\\u0000\\u0001\\u001b\[31m"/],
  ["a very long field", `1 ${"9".repeat(1000)}`, /"9{60}…"/],
])("refuses %s", async ([, text, says]) => {
  await refused(["weighted", file("x", text), "--bins", "4"], "ERR_INPUT", says);
});

test.for<[string, string, RegExp]>([
  ["too few", "1\n", /expected 2 weights, one per document, in w but received 1/],
  ["too many", "1\n2\n3\n", /received 3/],
  ["none", "", /received 0/],
  ["two on a line", "1 2\n", /a weight at w:1 but received "1 2"/],
  ["words", "1\n\nx", /a weight at w:3/],
  ["NaN", "1\nnan", /a weight at w:2/],
  ["what 32 bits do not hold", "1\n-1e39", /32-bit float for a weight at w:2/],
])("refuses weights: %s", async ([, text, says]) => {
  await refused(
    ["weighted", file("x", "1 1:2\n2 1:3\n"), "--bins", "4", "--weights", file("w", text)],
    "ERR_INPUT",
    says,
  );
});

test("refuses both files from standard input, a missing file, a folder", async () => {
  await refused(["weighted", "-", "--bins", "4", "--weights", "-"], "ERR_INPUT", /standard input/);
  const path = file("x", "1 1:2");
  await refused(["weighted", `${path}.none`, "--bins", "4"], "ERR_INPUT", /no such file/);
  await refused(["weighted", join(path, ".."), "--bins", "4"], "ERR_INPUT", /is a folder/);
  await refused(["weighted", "--bins", "4"], "ERR_INPUT", /FILE/);
});

test("a wrong input ends the command while the pipe of the other one is still open", async () => {
  const wrong = file("wrong", "no numbers\n");
  for (const args of [
    [wrong, "--weights", "-"],
    ["-", "--weights", wrong],
    [file("right", "1 1:2\n"), "--weights", "-"],
  ]) {
    const child = spawn(process.execPath, [MAIN, "weighted", ...args, "--bins", "4"]);
    child.stdin.on("error", () => {});
    child.stdin.write("1 2\n".repeat(1000));
    const [code] = await once(child, "close");
    expect(code).toBe(2);
  }
});
