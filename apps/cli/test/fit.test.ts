import { expect, test } from "vitest";
import { fitted } from "../src/bench/fit.ts";
import { here } from "./command.ts";

const HELP = `usage: polybin x [options]

Measures everything that works on this machine, and prints
the medians as tables.

  --quick        fewer cells
  --json FILE    the result file, which grows while the program
                 runs, so that nothing is lost
  --help         print this help
`;

test("help that fits stays as it is", () => {
  expect(fitted(HELP, 80)).toBe(HELP);
});

test("paragraphs and descriptions are filled anew", () => {
  expect(fitted(HELP, 56)).toBe(`usage: polybin x [options]

Measures everything that works on this machine, and
prints the medians as tables.

  --quick        fewer cells
  --json FILE    the result file, which grows while the
                 program runs, so that nothing is lost
  --help         print this help
`);
  expect(fitted(HELP, 40)).toBe(`usage: polybin x [options]

Measures everything that works on this
machine, and prints the medians as
tables.

  --quick
      fewer cells
  --json FILE
      the result file, which grows while
      the program runs, so that nothing
      is lost
  --help
      print this help
`);
});

test("an example's command stays on a line of its own", () => {
  const help = `Examples:
  # every backend that works on this machine, in about two minutes
  polybin x --quick
  # two sizes
  polybin x --n 2^20,2^24
`;
  expect(
    fitted(help, 50)
      .split("\n")
      .filter((line) => line.includes("polybin x")),
  ).toEqual(["  polybin x --quick", "  polybin x --n 2^20,2^24"]);
});

test.each(["bench", "papers"])("help of %s fits 40 columns, and loses no word", async (command) => {
  const narrow = await here([command, "--help"], undefined, 40);
  const wide = await here([command, "--help"], undefined, 160);
  expect([narrow.code, narrow.stderr]).toEqual([0, ""]);
  const words = (text: string) => text.split(/\s+/);
  expect(words(narrow.stdout)).toEqual(words(wide.stdout));
  for (const line of narrow.stdout.split("\n")) {
    // A word is not cut.
    if (/\S\s+\S/.test(line)) expect(line.length, line).toBeLessThanOrEqual(40);
  }
});
