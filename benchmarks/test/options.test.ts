import { resolve } from "node:path";
import { expect, it } from "vitest";
import { defaultFile } from "../src/axes/files.ts";
import { parseOptions } from "../src/axes/options.ts";
import { WrongUse } from "../src/command/wrong-use.ts";
import { PEERS } from "../src/peers/process.ts";
import { machine, slugOf } from "../src/runner/machine.ts";

it("without options: everything that is here, for an hour at the most", () => {
  const { backends, peers, budget, quick, file, types } = parseOptions([]);
  expect(backends).toEqual(["cpu", "native", "piscina", "webgpu", "cuda"]);
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

it("a run of everything goes to the machine's own file, all else to one where the user is", () => {
  const of = (args: string, gpu: string | null = null) =>
    defaultFile(parseOptions(args.split(" ").filter(Boolean)), gpu);
  const mine = slugOf(machine());
  expect(of("")).toMatch(new RegExp(`results/${mine}/axes\\.json$`));
  expect(of("--resume --budget 7200")).toBe(of(""));
  expect(of("--quick")).toMatch(new RegExp(`results/${mine}/axes-quick\\.json$`));
  expect(of("", "NVIDIA H200")).toMatch(/results\/nvidia-h200\/axes\.json$/);
  expect(of("--backend webgpu", "SwiftShader")).toMatch(/results\/swiftshader\/axes\.json$/);
  const here = resolve("polybin-bench.json");
  const some = [
    "--backend cpu",
    "--peers none",
    "--n 8192",
    "--algorithm trish",
    "--budget 60",
    "--residence file",
    "--call count",
  ];
  for (const args of [...some, "--quick --compare old.json"]) expect(of(args)).toBe(here);
  expect(of("--backend webgpu", "NVIDIA H200")).toBe(here);
  expect(of("--backend webgpu --n 8192", "SwiftShader")).toBe(here);
});

it.each([
  ["--n 0", /whole numbers from 1/],
  ["--n 2^33", /whole numbers from 1/],
  ["--n=", /whole numbers from 1/],
  ["--bins 65537", /to 65536 for --bins/],
  ["--type u7", /one of u8, u16/],
  ["--backend gpu", /one of cpu, native, piscina/],
  ["--peers excel", /one of js-loop/],
  ["--algorithm fastest", /one of bank-owned, .*sequential/],
  ["--distribution normal", /one of uniform/],
  ["--residence disk", /one of resident/],
  ["--call often", /one of count, countSync for --call/],
  ["--budget -1", /budget/],
  ["--budget 0", /above 0 for --budget/],
  ["--threshold x", /above 0 for --threshold/],
  ["--nope", /--nope/],
  ["--with a.json", /--compare/],
  ["--changes a.json", /--compare/],
  ["stray", /stray/],
])("wrong use: %s", (args, line) => {
  const parse = () => parseOptions(args.split(" "));
  expect(parse).toThrow(WrongUse);
  expect(parse).toThrow(line);
});
