import { describe, expect, it } from "vitest";
import { plan, planOrReason } from "../src/algorithms/choice/planning.ts";
import { selectPlan } from "../src/algorithms/choice/select.ts";
import { SLUGS } from "../src/algorithms/choice/slugs.ts";
import { references } from "../src/algorithms/generated/references.ts";
import { algorithms, type Slug } from "../src/algorithms/generated/registry.ts";
import { integer, type OrderedAxis, regular, variable } from "../src/axis/axis.ts";
import { SIMULATED } from "../src/cpu/cpu.ts";
import type { SampleType } from "../src/input/sample-types.ts";
import { lower } from "../src/lowering/lowering.ts";
import { lookupSizeOf } from "../src/lowering/ranks.ts";
import { checkedParameters } from "../src/plan/parameters.ts";
import { describePlan } from "../src/plan/plan.ts";
import type { PlanRequest } from "../src/plan/request.ts";
import {
  type ColumnOf,
  errorOf,
  expectError,
  gpu,
  named,
  planRequest,
  random,
  tally,
  workers,
} from "./helpers.ts";

function request(algorithm: Slug, bins: number, changes: ColumnOf = {}): PlanRequest {
  return planRequest(algorithm, { type: "u16", lowering: { kind: "table", bins, flow: true }, ...changes });
}

const DEVICES = {
  "16 KB": gpu({ sharedBytes: 16_384 }),
  "48 KB": gpu(),
  "227 KB": gpu({ sharedBytes: 232_448, units: 132 }),
  "WebGPU's least": gpu({ sharedBytes: 16_384, blockThreads: 256, warp: 16, banks: 32 }),
  "a warp of 64": gpu({ sharedBytes: 65_536, warp: 64, banks: 32 }),
  "five banks": gpu({ sharedBytes: 10_000, banks: 5 }),
  "next to nothing": gpu({ sharedBytes: 16 }),
  nothing: gpu({ sharedBytes: 0 }),
  simulated: SIMULATED,
  workers: workers(),
};

describe.each(Object.entries(DEVICES))("on a device with %s", (_, limits) => {
  it.each(SLUGS)("%s has a plan that fits, or a sentence", (algorithm) => {
    const next = random(5);
    for (const bins of [1, 2, 63, 64, 65, 255, 256, 257, 1000, 4096, 65_535, 65_536]) {
      for (const samples of [0, 1, 2 ** 20, 2 ** 40]) {
        const found = planOrReason(request(algorithm, bins, { samples }), limits);
        if (typeof found === "string") {
          expect(found).toMatch(/^\S.*[^.\s]$/);
          expect(found).toContain(algorithm);
          continue;
        }
        expect(Object.isFrozen(found)).toBe(true);
        expect(found).toMatchObject({ algorithm, bins, cells: bins, samples, channels: 1, raw: false });
        expect(found.sharedBytes).toBeLessThanOrEqual(limits.sharedBytes);
        expect(found.threads).toBeLessThanOrEqual(Math.max(limits.blockThreads, limits.warp));
        for (const whole of [found.threads, found.blocks, found.replicas, found.cellsPerPass, found.passes]) {
          expect(Number.isSafeInteger(whole) && whole >= 1).toBe(true);
        }
        const { rows = bins, rowsPerBlock = found.cellsPerPass } = found.own ?? {};
        expect(found.passes).toBe(Math.ceil(rows / rowsPerBlock));
        expect(found.passes * found.cellsPerPass).toBeGreaterThanOrEqual(bins);
        expect(found.chunkSamples).toBe(limits.chunkSamples);
        if (found.counterBits < 32) {
          // A thread with several lanes fills each with its share only.
          const lanes = Math.max(1, found.replicas / found.threads);
          expect((found.wordsPerThread! * 4) / lanes).toBeLessThan(2 ** found.counterBits);
        }
      }
    }
    // The reference believes the plan: it counts right or the plan is wrong.
    const small = planOrReason(request(algorithm, 50, { samples: 3001 }), limits);
    if (typeof small !== "string") {
      const codes = Uint32Array.from({ length: 3001 }, () => Math.floor(next() * 53));
      expect(references[algorithm](codes, { ...small, blocks: Math.min(small.blocks, 3) }, 50)).toEqual(
        tally(codes, 50),
      );
    }
  });
});

describe("shared memory decides", () => {
  it("how many replicas per-lane keeps, then how many passes it needs", () => {
    const lanes = (bins: number, sharedBytes: number, banks = 32) => {
      const lowering = { kind: "table", bins, flow: false } as const;
      const found = plan(request("per-lane", bins, { lowering }), gpu({ sharedBytes, banks }));
      const { replicas, cellsPerPass, passes } = found;
      return { replicas, cellsPerPass, passes };
    };
    expect(lanes(256, 49_152)).toEqual({ replicas: 32, cellsPerPass: 256, passes: 1 });
    expect(lanes(256, 32_768)).toEqual({ replicas: 32, cellsPerPass: 256, passes: 1 });
    expect(lanes(256, 32_767)).toEqual({ replicas: 16, cellsPerPass: 256, passes: 1 });
    expect(lanes(256, 16_384)).toEqual({ replicas: 16, cellsPerPass: 256, passes: 1 });
    expect(lanes(4096, 49_152)).toEqual({ replicas: 2, cellsPerPass: 4096, passes: 1 });
    expect(lanes(65_536, 49_152)).toEqual({ replicas: 1, cellsPerPass: 12_288, passes: 6 });
    expect(lanes(65_536, 232_448)).toEqual({ replicas: 1, cellsPerPass: 58_112, passes: 2 });
    expect(lanes(1000, 10_000, 5)).toEqual({ replicas: 2, cellsPerPass: 1000, passes: 1 });
    expect(lanes(2000, 8000, 3)).toEqual({ replicas: 1, cellsPerPass: 2000, passes: 1 });
  });

  it("channels share a block if there are eight replicas or more", () => {
    const lanes = (bins: number, channels: number) => {
      const lowering = { kind: "table", bins, flow: false } as const;
      const limits = gpu({ sharedBytes: 49_152 });
      const found = plan({ ...request("per-lane", bins, { lowering }), channels, samples: 2 ** 24 }, limits);
      return [found.replicas, found.own!.channelsPerBlock];
    };
    expect(lanes(256, 3)).toEqual([16, 3]);
    expect(lanes(256, 4)).toEqual([8, 4]);
    expect(lanes(512, 2)).toEqual([8, 2]);
    expect(lanes(1024, 4)).toEqual([8, 1]);
    expect(lanes(65_536, 1)).toEqual([1, 1]);
  });

  it("how many warps per-warp has", () => {
    const warps = (bins: number, sharedBytes: number) =>
      plan(request("per-warp", bins), gpu({ sharedBytes }));
    expect(warps(256, 49_152)).toMatchObject({ replicas: 6, threads: 192, sharedBytes: 6144, passes: 1 });
    expect(warps(4096, 49_152)).toMatchObject({ replicas: 3, threads: 96, sharedBytes: 49_152 });
    expect(warps(65_536, 16_384)).toMatchObject({ replicas: 1, threads: 32, cellsPerPass: 4096, passes: 16 });
    expect(plan(request("per-warp", 256), gpu({ blockThreads: 64 }))).toMatchObject({ replicas: 2 });
  });

  it("how many bins a pass of per-thread and of the others takes", () => {
    expect(plan(request("per-thread", 65_536), gpu())).toMatchObject({ cellsPerPass: 768, passes: 86 });
    expect(plan(request("per-thread", 1), gpu())).toMatchObject({ cellsPerPass: 1, sharedBytes: 128 });
    expect(plan(request("per-block", 65_536), gpu())).toMatchObject({ cellsPerPass: 12_288, passes: 6 });
    expect(plan(request("bank-owned", 65_536), gpu())).toMatchObject({ cellsPerPass: 11_264, passes: 6 });
    expect(plan(request("global", 65_536), gpu())).toMatchObject({ passes: 1, sharedBytes: 0 });
  });

  it("whether there is a plan at all", () => {
    for (const [slug, needs] of [
      ["per-block", 4],
      ["per-warp", 4],
      ["per-lane", 4],
      ["per-thread", 128],
      ["bank-owned", 4100],
      ["trish", 16_384],
      ["privatized", 16_384],
      ["per-thread-64", 128],
    ] as const) {
      const reason = planOrReason(request(slug, 1), gpu({ sharedBytes: needs - 1 }));
      expect(reason).toBe(
        `${slug} needs ${needs} bytes of shared memory per block and this device has ${needs - 1}`,
      );
      expect(typeof planOrReason(request(slug, 1), gpu({ sharedBytes: needs }))).toBe("object");
    }
  });
});

describe("workers", () => {
  it.each([
    ["sequential", "sequential runs on one CPU thread"],
    ["per-block", "workers have per-warp"],
    ["per-thread-64", "workers have per-thread"],
    ["privatized", "workers have trish"],
    ["bank-owned", "workers have no banks"],
  ] as const)("have no %s", (slug, why) => {
    expect(planOrReason(request(slug, 64), workers())).toContain(why);
  });

  it("are blocks of one thread, or groups that share a table", () => {
    expect(plan(request("global", 256), workers())).toMatchObject({ threads: 1, blocks: 5 });
    expect(plan(request("per-thread", 256), workers())).toMatchObject({
      threads: 1,
      blocks: 5,
      replicas: 1,
      counterBits: 32,
      sharedBytes: 1024,
      wordsPerThread: null,
    });
    expect(plan(request("per-lane", 256), workers())).toMatchObject({ threads: 1, blocks: 5, replicas: 4 });
    expect(plan(request("per-lane", 256, { type: "u8" }), workers())).toMatchObject({ replicas: 16 });
    expect(plan(request("per-warp", 256), workers())).toMatchObject({ threads: 2, blocks: 3, replicas: 1 });
    expect(plan(request("trish", 256), workers())).toMatchObject({ blocks: 5, parameters: { k: 31 } });
    expect(
      planOrReason(request("per-warp", 256, { parameters: { collisions: "tag" } }), workers()),
    ).toContain("lock-step");
  });
});

describe("a CPU", () => {
  it("has a thread for each unit in multithreaded, and one in sequential", () => {
    expect(plan(request("multithreaded", 8), SIMULATED)).toMatchObject({
      threads: 2,
      replicas: 2,
      blocks: 1,
    });
    expect(plan(request("sequential", 8), SIMULATED)).toMatchObject({ threads: 1, replicas: 1, blocks: 1 });
    for (const slug of ["multithreaded", "sequential"] as const) {
      expect(typeof planOrReason(request(slug, 8), gpu())).toBe("string");
    }
  });
});

describe("parameters", () => {
  it("have defaults, and contain no unknown ones", () => {
    expect(plan(request("privatized", 8), gpu())).toMatchObject({
      parameters: { merge: "periodic", layout: "interleaved" },
    });
    expect(plan(request("per-warp", 8), gpu())).toMatchObject({ parameters: { collisions: "atomic" } });
    expect(plan(request("trish", 8, { parameters: { k: undefined } }), gpu()).parameters.k).toBe(31);
    expect(plan(request("global", 8), gpu()).parameters).toEqual({});
    const others = { rowSums: "pairs", reduce: "tables" };
    expect(checkedParameters(algorithms.trish, { k: 5 }, [])).toEqual({ k: 5, ...others });
    expect(checkedParameters(algorithms.trish, {}, [])).toEqual({ k: 31, ...others });
    const undecided = { slug: "own", parameters: { depth: { title: "how deep", least: 1, most: 3 } } };
    expect(checkedParameters(undecided, {}, [])).toEqual({});
  });

  it.each([
    ["global", { k: 3 }, "expected no k for global"],
    ["trish", { merge: "avoid" }, "expected no merge for trish"],
    ["per-lane", { layout: "row" }, "expected no layout for per-lane"],
    ["privatized", { collisions: "tag" }, "expected no collisions for privatized"],
    ["per-warp", { collisions: "luck" }, 'atomic or tag for collisions but received "luck"'],
    [
      "privatized",
      { merge: 1 },
      "periodic or avoid or check-shared or check-global for merge but received 1 of type number",
    ],
    ["privatized", { layout: "diagonal" }, "row or column or interleaved for layout"],
    ["trish", { k: "31" }, 'from 1 to 63 for k but received "31" of type string'],
    ["trish", { k: null }, "received null"],
  ] as const)("wrong ones %# are refused", (slug, parameters, message) => {
    const error = errorOf(() => plan(request(slug, 8, { parameters: parameters as never }), gpu()));
    expect(error).toMatchObject({ code: "ERR_INPUT", algorithm: slug });
    expect(error.message).toContain(message);
  });
});

describe("plan", () => {
  it("throws the sentence of planOrReason", () => {
    const error = errorOf(() => plan(request("trish", 257), gpu()));
    expect(error).toMatchObject({ code: "ERR_UNSUPPORTED", algorithm: "trish" });
    expect(error.message).toBe("trish counts at most 256 bins and the request has 257");
  });

  it("is the same for the same request", () => {
    expect(plan(request("per-lane", 300), gpu())).toEqual(plan(request("per-lane", 300), gpu()));
    expect(JSON.parse(JSON.stringify(plan(request("trish", 8), gpu())))).toEqual({
      ...plan(request("trish", 8), gpu()),
    });
  });

  it("reads as a line", () => {
    expect(describePlan(plan(request("trish", 256, { parameters: { k: 63 } }), gpu()))).toBe(
      "trish: 3 x 64 threads, 64 x 256 counters of 8 bits, 16384 bytes per block, 3 partial tables, k 63, rowSums pairs, reduce tables",
    );
    expect(describePlan(plan(request("per-lane", 65_536), gpu()))).toBe(
      "per-lane: 3 x 1024 threads, 1 x 65536 counters of 32 bits, 49152 bytes per block, 6 passes",
    );
    expect(describePlan(plan(request("privatized", 8, { parameters: { merge: "avoid" } }), gpu()))).toContain(
      "merge avoid, layout interleaved, reduce atomic",
    );
  });
});

describe("auto", () => {
  const { algorithm: _, ...any } = request("global", 256);
  const accepts = () => null;
  const ALL = named(...SLUGS);

  it("chooses the preferred algorithm for the kind of device", () => {
    expect(selectPlan(any, gpu(), ALL, accepts).algorithm).toBe("per-lane");
    expect(selectPlan(any, workers(), ALL, accepts).algorithm).toBe("per-lane");
    expect(selectPlan(any, SIMULATED, named("trish", "sequential"), accepts).algorithm).toBe("sequential");
  });

  it("chooses the next one if the device does not have it, cannot run it or refuses it", () => {
    expect(selectPlan(any, gpu(), named("global", "per-warp"), accepts).algorithm).toBe("per-warp");
    expect(selectPlan(any, gpu({ sharedBytes: 0 }), ALL, accepts).algorithm).toBe("global");
    const refuses = ({ algorithm }: { algorithm: string }) => (algorithm === "per-lane" ? "not today" : null);
    expect(selectPlan(any, gpu(), ALL, refuses).algorithm).toBe("per-warp");
    expect(selectPlan(any, gpu(), named("bank-owned"), accepts).algorithm).toBe("bank-owned");
  });

  it("states every reason if there is none", () => {
    expectError(
      () => selectPlan(any, workers(), named("bank-owned", "privatized"), accepts),
      "ERR_UNSUPPORTED",
      "no algorithm of this backend can",
      "workers have no banks; privatized",
    );
    expectError(
      () => selectPlan(any, gpu(), named("global"), () => "not today"),
      "ERR_UNSUPPORTED",
      "not today",
    );
  });

  it("knows the slugs", () => {
    const few = request("global", 64);
    for (const slug of SLUGS)
      expect(
        plan({ ...few, algorithm: slug }, /sequential|multithreaded/.test(slug) ? SIMULATED : gpu())
          .algorithm,
      ).toBe(slug);
    for (const value of ["toString", "auto", "", null, 5, ["global"]]) {
      const error = errorOf(() => planOrReason({ ...any, algorithm: value as never }, gpu()));
      expect(error).toMatchObject({ code: "ERR_UNSUPPORTED" });
      expect(error.message).toContain("is not the name of an algorithm");
    }
  });
});

describe("blocks that fill a GPU", () => {
  const h200 = gpu({
    units: 132,
    sharedBytes: 232_448,
    unit: { threads: 2048, blocks: 32, sharedBytes: 233_472, reservedBytes: 1024 },
  });
  const blocks = (algorithm: Slug, samples: number, bins = 256, limits = h200) => {
    const found = planOrReason(request(algorithm, bins, { samples }), limits);
    return typeof found === "string" ? found : found.blocks;
  };

  it("are limited by threads, shared memory and slots", () => {
    expect(blocks("per-lane", 2 ** 30)).toBe(132 * 2);
    expect(blocks("trish", 2 ** 30)).toBe(132 * 12);
    expect(blocks("per-block", 2 ** 30)).toBe(132 * 8);
    expect(blocks("per-thread", 2 ** 30)).toBe(132 * 13);
    expect(blocks("bank-owned", 2 ** 30)).toBe(132 * 32);
    expect(blocks("per-lane", 2 ** 30, 1024)).toBe(132 * 2);
    expect(blocks("per-lane", 2 ** 30, 40_000)).toBe(132);
  });

  it("are at most one word per thread, and at least one block", () => {
    expect(blocks("per-block", 1024)).toBe(1);
    expect(blocks("per-block", 1025)).toBe(2);
    expect(blocks("per-block", 0)).toBe(1);
  });

  it("per-lane: small blocks with few replicas for few samples, then one block per multiprocessor", () => {
    const of = (samples: number) => plan(request("per-lane", 256, { samples, type: "u8" }), h200);
    expect(of(0)).toMatchObject({ blocks: 1 });
    expect(of(4096)).toMatchObject({ blocks: 1, threads: 256, replicas: 8, own: { inFlight: 1 } });
    expect(of(4097)).toMatchObject({ blocks: 2, threads: 256 });
    expect(of(2 ** 19)).toMatchObject({ blocks: 64, threads: 256, replicas: 8 });
    expect(of(2 ** 20)).toMatchObject({ blocks: 64, threads: 1024, replicas: 32, own: { inFlight: 1 } });
    expect(of(2 ** 21)).toMatchObject({ blocks: 64, threads: 1024 });
    expect(of(2 ** 22)).toMatchObject({ blocks: 128 });
    expect(of(132 * 2 ** 18)).toMatchObject({ blocks: 132, own: { inFlight: 4 } });
    expect(of(132 * 2 ** 18 + 1)).toMatchObject({ blocks: 264 });
  });

  it("per-lane: the contents of a block", () => {
    const lane = (type: SampleType, axis: OrderedAxis, channels = 1) => {
      const lowering = lower(axis, type);
      const lookup = lookupSizeOf(lowering);
      return plan(planRequest("per-lane", { type, lowering, lookup, samples: 2 ** 30, channels }), h200);
    };
    expect(lane("u8", regular(10, 0, 100)).own).toMatchObject({ rows: 256, lookupReplicas: 0 });
    const floats = lane("f32", regular(256, 0, 1));
    expect(floats).toMatchObject({ replicas: 32, sharedBytes: 259 * 128 + (257 + 7) * 128 });
    expect(floats.own).toMatchObject({
      rows: 259,
      rowsPerBlock: 259,
      counterBytes: 259 * 128,
      lookupReplicas: 32,
    });
    expect(lane("f64", regular(256, 0, 1)).own).toMatchObject({ lookupReplicas: 16 });
    expect(lane("f32", variable([0, 1, 10, 100])).sharedBytes).toBe(6 * 128 + (4 + 7) * 128 + 513 * 64);
    expect(lane("u8", integer(0, 256), 3).own).toMatchObject({
      channelsPerBlock: 3,
      counterBytes: 3 * 32_768,
    });
    expect(lane("u16", integer(0, 2048), 4).own).toMatchObject({ channelsPerBlock: 1 });
    const wide = lane("f32", regular(65_536, 0, 1));
    expect(wide.own).toMatchObject({ rows: 65_539, rowsPerBlock: 58_112, lookupReplicas: 0 });
  });

  it("are one per multiprocessor if its size is not known", () => {
    expect(blocks("per-lane", 2 ** 30, 256, gpu({ units: 7 }))).toBe(7);
  });
});
