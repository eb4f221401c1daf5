import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cpu, regular } from "@polybin/core";
import {
  algorithms,
  composedAlgorithms,
  edgesOf,
  limits,
  SAMPLE_TYPES,
  weightedAlgorithms,
} from "@polybin/core/backend";
import { describe, expect, it } from "vitest";
import {
  aroundAxis,
  axesFor,
  conformanceCases,
  countByDefinition,
  DISTRIBUTIONS,
  describeBackend,
  floatSpecials,
  generate,
  neighbour,
  parityProblems,
  type RunnerTest,
  runConformance,
} from "../src/index.ts";

describe("parity of claims and kernel files", () => {
  const { trish, "per-lane": perLane } = algorithms;
  const claims = [trish, perLane];
  const hybrid = composedAlgorithms["weighted-hybrid"];
  const collision = weightedAlgorithms["weighted-collision"];

  it("returns nothing if they agree", () => {
    expect(
      parityProblems(claims, ["trish.ts", "trish.wgsl", "per-lane.as.ts", "index.ts", "limits.as.ts"]),
    ).toEqual([]);
  });

  it("names a claim without a kernel and a kernel without a claim", () => {
    const problems = parityProblems(claims, ["trish.ts", "per-lanes.ts", "per-warp.cu"]);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain("per-lane is claimed");
    expect(problems[1]).toContain("per-lanes.ts");
    expect(problems[2]).toContain("per-warp.cu");
  });

  it("requires no kernel of the hybrid, which uses those of others", () => {
    expect(parityProblems([hybrid, collision], ["weighted-collision.cu"])).toEqual([]);
    expect(parityProblems([hybrid], ["weighted-hybrid.ts"])).toEqual([]);
    expect(parityProblems([collision], ["weighted-hybrid.ts"])).toHaveLength(2);
  });

  it("accepts a folder as a kernel unless it is empty", async () => {
    expect(parityProblems(claims, ["trish", "per-lane", "lib"])).toEqual([]);
    expect(parityProblems(claims, ["trish", "per-lanes"])).toHaveLength(2);
    const folder = await mkdtemp(join(tmpdir(), "kernels-"));
    const filter = ({ name }: { name: string }) => name.includes("kernel file");
    const only = () => ({ ...cpu(), algorithms: [trish], weighted: [] });
    const kernels = pathToFileURL(`${folder}/`);
    await mkdir(join(folder, "trish"));
    expect((await runConformance(only, { kernels, filter })).failed).toBe(1);
    await writeFile(join(folder, "trish", "index.ts"), "");
    expect((await runConformance(only, { kernels, filter })).passed).toBe(1);
    await rm(folder, { recursive: true });
  });

  it("accepts the helpers that a backend names", () => {
    expect(parityProblems([], ["pairs.as.ts"], ["pairs"])).toEqual([]);
  });

  it("reads core's own folder of algorithms", async () => {
    const kernels = new URL("../../core/src/algorithms/", import.meta.url);
    const filter = ({ name }: { name: string }) => name.includes("kernel file");
    const { results } = await runConformance(cpu, {
      kernels,
      kernelHelpers: ["multithreaded", "lib", "choice", "generated", "references"],
      filter,
    });
    expect(results).toMatchObject([{ status: "passed" }]);
    const bare = await runConformance(cpu, { kernels, filter });
    expect(bare.results).toMatchObject([{ status: "failed" }]);
    expect(bare.results[0]?.reason).toContain("multithreaded.ts");
  });
});

describe("cases", () => {
  it("have names of their own", () => {
    const names = conformanceCases(cpu()).map(({ topic, name }) => `${topic}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it("open nothing before they run", () => {
    const backend = { ...cpu(), open: () => Promise.reject(new Error("opened")) };
    expect(conformanceCases(backend).length).toBeGreaterThan(100);
  });

  it("run on a runner with describe, it and after only, skips shown with their sentence", async () => {
    const said: string[] = [];
    const bodies: [name: string, body: (test: RunnerTest) => Promise<void>][] = [];
    let close = async (): Promise<void> => {};
    const runner = {
      describe: (_name: string, body: () => void) => body(),
      it: (name: string, _options: object, body: (test: RunnerTest) => Promise<void>) =>
        bodies.push([name, body]),
      after: (body: () => Promise<void>) => {
        close = body;
      },
    };
    describeBackend(cpu, runner, { filter: ({ topic }) => topic === "files" || topic === "claims" });
    for (const [name, body] of bodies) await body({ skip: (reason) => said.push(`${name}: ${reason}`) });
    await close();
    expect(said.join("\n")).toMatch(/^multithreaded: \w.*kernel/m);
    expect(bodies.length).toBeGreaterThan(said.length);
  });
});

describe("options of the suite", () => {
  it("a filter that keeps no case registers no tests, which would pass", () => {
    const runner = { describe: () => {}, it: () => {} };
    expect(() => describeBackend(cpu, runner, { filter: ({ topic }) => topic === "gone" })).toThrow(
      "expected a function that keeps a case for filter",
    );
  });

  it.each([
    [{ numRun: 5 }, "did you mean numRuns? received numRun"],
    [{ requird: undefined }, "did you mean required? received requird"],
    [{ size: "medium" }, 'small or full for size but received "medium"'],
    [{ filter: "weighted" }, "a function for filter"],
    [{ seed: -1 }, "for seed but received -1"],
    [{ numRuns: 0 }, "for numRuns but received 0"],
    [{ required: "yes" }, "true or false for required"],
    [{ kernelHelpers: "fold" }, "an array of names for kernelHelpers"],
    [{ kernelHelpers: ["fold"] }, "kernels with kernelHelpers"],
    [null, "an object for options"],
  ])("wrong ones are refused: %j", async (options, message) => {
    const refusal = expect.objectContaining({ code: "ERR_INPUT", message: expect.stringContaining(message) });
    const wrong = options as object;
    const runner = { describe: () => {}, it: () => {} };
    expect(() => conformanceCases(cpu(), wrong)).toThrow(refusal);
    expect(() => describeBackend(cpu, runner, wrong)).toThrow(refusal);
    await expect(runConformance(cpu, wrong)).rejects.toEqual(refusal);
  });

  it("onResult is an option of runConformance only", async () => {
    expect(() => conformanceCases(cpu(), { onResult() {} } as object)).toThrow("received onResult");
    const { results } = await runConformance(cpu, { filter: () => false, onResult() {} });
    expect(results).toEqual([]);
  });
});

describe("the package", () => {
  it("imports no Node module, so that a page can load it", () => {
    const sources = globSync("../src/**/*.ts", { cwd: import.meta.dirname });
    expect(sources.length).toBeGreaterThan(20);
    for (const file of sources) {
      expect(readFileSync(join(import.meta.dirname, file), "utf8")).not.toMatch(/from "node:|import "node:/);
    }
  });
});

describe("generated samples", () => {
  it("are the same each time and differ by seed", () => {
    for (const type of SAMPLE_TYPES) {
      expect(generate(type, "gauss", 999, 7)).toEqual(generate(type, "gauss", 999, 7));
      expect(generate(type, "uniform", 999, 7)).not.toEqual(generate(type, "uniform", 999, 8));
    }
  });

  it("match their names", () => {
    expect(new Set(generate("u8", "maximum", 99))).toEqual(new Set([limits.U8_MAX]));
    expect(new Set(generate("i16", "two values", 99)).size).toBe(2);
    expect(new Set(generate("f32", "constant", 99)).size).toBe(1);
    expect([...generate("u8", "ramp", 512)].slice(0, 256)).toEqual(Array.from({ length: 256 }, (_, i) => i));
    const sorted = generate("f64", "sorted", 1000);
    expect(sorted.every((value, i) => i === 0 || value >= sorted[i - 1]!)).toBe(true);
    for (const distribution of DISTRIBUTIONS) expect(generate("u32", distribution, 0)).toHaveLength(0);
  });

  it("include every edge of an axis and its neighbours on both sides", () => {
    const axis = regular(10, 0, 1);
    for (const type of ["f32", "f64"] as const) {
      const values = new Set(aroundAxis(axis, type, 2000));
      for (const edge of edgesOf(axis, type)) {
        expect(values).toContain(edge);
        expect(values).toContain(neighbour(type, edge, 1));
        expect(values).toContain(neighbour(type, edge, -1));
      }
      expect(values).toContain(Number.POSITIVE_INFINITY);
    }
  });

  it("keep the bits of NaN", () => {
    const bits = new BigUint64Array(floatSpecials("f64").buffer);
    expect(bits).toContain(0x7ff0_0000_0000_0001n);
    expect(bits).toContain(0xffff_ffff_ffff_ffffn);
    const samples = aroundAxis(regular(10, 0, 1), "f32", 500);
    expect(new Uint32Array(samples.buffer)).toContain(0xff80_0001);
  });
});

describe("neighbours of floats", () => {
  it("are one step away, through zero and to the ends", () => {
    expect(neighbour("f64", 1, 1)).toBe(1 + Number.EPSILON);
    expect(neighbour("f64", 1, -1)).toBe(1 - Number.EPSILON / 2);
    expect(neighbour("f64", 0, 1)).toBe(Number.MIN_VALUE);
    expect(neighbour("f64", 0, -1)).toBe(-Number.MIN_VALUE);
    expect(neighbour("f64", -0, 1)).toBe(Number.MIN_VALUE);
    expect(neighbour("f64", -Number.MIN_VALUE, 1)).toBe(-0);
    expect(neighbour("f64", Number.MAX_VALUE, 1)).toBe(Infinity);
    expect(neighbour("f64", Infinity, 1)).toBe(Infinity);
    expect(neighbour("f64", -Infinity, 1)).toBe(-Number.MAX_VALUE);
    expect(neighbour("f32", 1, 1)).toBe(1 + 2 ** -23);
    expect(neighbour("f32", 0, -1)).toBe(-(2 ** -149));
    expect(neighbour("f32", Number.NaN, 1)).toBeNaN();
  });
});

describe("the definition", () => {
  it("closes the last bin of a regular axis and no other", () => {
    const found = countByDefinition(
      regular(2, 0, 1),
      "f64",
      Float64Array.of(-0.1, 0, 0.5, 1, 1.1, Number.NaN),
    );
    expect(found).toEqual({ counts: Float64Array.of(1, 2), underflow: 1, overflow: 1, nan: 1 });
  });

  it("offers the same kinds of axes whatever the bins", () => {
    for (const bins of [1, 2, 999]) {
      for (const type of SAMPLE_TYPES) {
        const kinds = axesFor(type, bins).map((axis) => `${axis.type} ${axis.bins}`);
        expect(new Set(kinds)).toEqual(
          new Set(["integer", "regular", "variable"].map((kind) => `${kind} ${bins}`)),
        );
      }
    }
  });
});
