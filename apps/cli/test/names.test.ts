import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { printable } from "../src/base/words.ts";
import { file, polybin, scratch } from "./command.ts";

const CPU = ["--backend", "cpu"];
/** Orders to a terminal, in one byte and in two, text turned around, what is not seen, a new line, a tag, what XML lacks. */
const HOSTILE = "a\u001b[31m\u009b31m\u202eb\u2066c\u200b\u2028d\ne\u007f\u{e0041}f\uffff";
const SHOWN = "a\\u001b[31m\\u009b31m\\u202eb\\u2066c\\u200b\\u2028d\\u000ae\\u007f\\udb40\\udc41f\\uffff";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const ORDERS = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufff0-\uffff]|\udb40/;

test("what is not to be printed is escaped, and nothing else", () => {
  expect(printable(HOSTILE)).toBe(SHOWN);
  expect(printable('Ünïcode 日本 😀 \\ "quoted" <b>&amp; ½')).toBe('Ünïcode 日本 😀 \\ "quoted" <b>&amp; ½');
  expect(JSON.parse(printable(JSON.stringify({ name: HOSTILE })))).toEqual({ name: HOSTILE });
});

test.for([
  ["a chart", (path: string) => ["hist", path, "--raw", ...CPU]],
  ["a text that is no table", (path: string) => ["hist", path, ...CPU]],
  ["--csv", (path: string) => ["hist", path, "--raw", "--csv", ...CPU]],
  ["a file that is not there", (path: string) => ["hist", `${path}x`]],
  ["a folder", (path: string) => ["hist", join(path, "..")]],
  ["a plot over the input", (path: string) => ["hist", path, "--svg", path]],
  ["a plot in a folder that is not there", (path: string) => ["hist", path, "--svg", join(path, "x.svg")]],
  ["a channel of plain bytes", (path: string) => ["hist", path, "--raw", "--channel", "r", ...CPU]],
  ["values cut short", (path: string) => ["hist", path, "--type", "f64", ...CPU]],
  ["an option", () => ["hist", `--${HOSTILE}`]],
  ["a command", () => [HOSTILE]],
  ["a backend", (path: string) => ["hist", path, "--backend", HOSTILE]],
  ["a number", (path: string) => ["hist", path, "--bins", HOSTILE]],
  ["labels", (path: string) => ["weighted", path, "--bins", "4", ...CPU]],
  ["an older run to compare with", (path: string) => ["bench", "--quick", "--compare", path]],
  ["results for papers", (path: string) => ["papers", "--from", path]],
  ["weights", (path: string) => ["weighted", path, "--bins", "4", "--weights", `${path}w`, ...CPU]],
] as const)("no order of a name reaches the terminal: %s", async ([, args]) => {
  const folder = join(scratch(), HOSTILE);
  mkdirSync(folder);
  const path = join(folder, HOSTILE);
  writeFileSync(path, "1 1:2\n2 1:3\n");
  writeFileSync(`${path}w`, "1\n");
  const { stdout, stderr } = await polybin(args(path));
  expect(stdout + stderr).not.toBe("");
  expect(stdout).not.toMatch(ORDERS);
  expect(stderr).not.toMatch(ORDERS);
  expect(stderr.split("\n").length).toBeLessThanOrEqual(2);
});

test("a damaged picture's name", async () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
  const { code, stderr } = await polybin(["hist", file(`${HOSTILE}.png`, png)]);
  expect(code).toBe(2);
  expect(stderr).not.toMatch(ORDERS);
  expect(stderr).toContain("\\u001b[31m");
});

test("--json and a plot keep the name, escaped", async () => {
  const path = file(`${HOSTILE}<b>"&'`, "1 1:2\n");
  const svg = join(scratch(), "p.svg");
  const { stdout } = await polybin(["hist", path, "--raw", "--json", "--svg", svg, ...CPU]);
  expect(stdout).not.toMatch(ORDERS);
  expect(JSON.parse(stdout).input.name).toBe(`${HOSTILE}<b>"&'`);
  const drawn = readFileSync(svg, "utf8");
  expect(drawn).not.toMatch(ORDERS);
  expect(drawn).toContain(`${SHOWN}&lt;b&gt;`);
  expect(drawn).not.toContain("<b>");
  const weighted = await polybin(["weighted", path, "--bins", "4", "--json", ...CPU]);
  expect(weighted.stdout).not.toMatch(ORDERS);
  expect(JSON.parse(weighted.stdout).input.name).toBe(`${HOSTILE}<b>"&'`);
});
