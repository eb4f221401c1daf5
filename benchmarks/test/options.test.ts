import { expect, it } from "vitest";
import { parseOptions, WrongUse } from "../src/axes/options.ts";
import { PEERS } from "../src/peer.ts";

it("without options: everything that is here, for an hour at the most", () => {
  const { backends, peers, budget, quick, file, types } = parseOptions([]);
  expect(backends).toEqual(["cpu", "piscina", "webgpu", "cuda"]);
  expect(peers).toEqual([...PEERS.map(({ name }) => name), "luma.gl", "chromium"]);
  expect({ budget, quick, file, types }).toEqual({
    budget: 3600,
    quick: false,
    file: null,
    types: undefined,
  });
});

it("--quick leaves a minute of its three for the set-up and the last cells", () => {
  expect(parseOptions(["--quick"]).budget).toBe(120);
  expect(parseOptions(["--quick", "--budget", "7.5"]).budget).toBe(7.5);
});

it("reads lists, powers of two and no peers", () => {
  const options = parseOptions("--n 2^20,1000 --bins 64 --type u8,f32 --peers none --threshold 3".split(" "));
  expect(options).toMatchObject({
    n: [2 ** 20, 1000],
    bins: [64],
    types: ["u8", "f32"],
    peers: [],
    threshold: 0.03,
  });
});

it("--json - prints", () => {
  expect(parseOptions(["--json", "-"])).toMatchObject({ file: null, print: true });
  expect(parseOptions(["--json", "a"])).toMatchObject({ file: "a", print: false });
});

it.each([
  ["--n 0", /whole numbers from 1/],
  ["--n 2^33", /whole numbers from 1/],
  ["--n=", /whole numbers from 1/],
  ["--bins 65537", /to 65536 for --bins/],
  ["--type u7", /one of u8, u16/],
  ["--backend gpu", /one of cpu, piscina/],
  ["--peers excel", /one of js-loop/],
  ["--algorithm fastest", /one of sequential/],
  ["--distribution normal", /one of uniform/],
  ["--residence disk", /one of resident/],
  ["--budget -1", /budget/],
  ["--budget 0", /above 0 for --budget/],
  ["--threshold x", /above 0 for --threshold/],
  ["--nope", /--nope/],
  ["--with a.json", /--compare/],
  ["stray", /stray/],
])("wrong use: %s", (args, line) => {
  const parse = () => parseOptions(args.split(" "));
  expect(parse).toThrow(WrongUse);
  expect(parse).toThrow(line);
});
