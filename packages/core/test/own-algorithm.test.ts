import { describe, expect, it } from "vitest";
import { algorithms } from "../src/algorithms/generated/registry.ts";
import { weightedReferences } from "../src/algorithms/generated/weighted-references.ts";
import { integer } from "../src/axis/axis.ts";
import { cpu } from "../src/cpu/cpu.ts";
import { openEngine } from "../src/engine/open.ts";
import type { Algorithm } from "../src/plan/algorithm.ts";
import type { WeightedAlgorithm } from "../src/plan/weighted-algorithm.ts";
import type { WeightedLaunch } from "../src/plan/weighted-launch.ts";
import { expectError, FakeBackend, random, rejectionOf, tally } from "./helpers.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong values are the point
type Anything = any;

type Own = { readonly lanes: number; readonly order: "up" | "down" };

interface Step {
  readonly codes: number;
  readonly parameters: Own;
  readonly cells: number;
  readonly threads: number;
}

/** A third party's algorithm: `lanes` tables that take turns, read upwards or downwards. */
function dealt(steps: Step[] = []): Algorithm<Own> {
  return {
    slug: "dealt",
    title: "tables that take turns at the samples",
    source: "this test",
    parameters: {
      lanes: { title: "tables", default: 3, least: 1, most: 8 },
      order: { title: "which sample comes first", default: "up", of: ["up", "down"] },
    },
    maxBins: 1000,
    launch: ({ cells, parameters: { lanes } }, { kind }) =>
      kind === "cpu"
        ? {
            threads: lanes,
            blocks: 1,
            replicas: lanes,
            counterBits: 32,
            cellsPerPass: cells,
            sharedBytes: 4 * lanes * cells,
            wordsPerThread: null,
            own: { turns: lanes * 2 },
          }
        : "dealt runs on a CPU",
    reference(codes, { parameters, threads, own }, cells) {
      if (own?.turns !== parameters.lanes * 2) throw new Error("another plan");
      steps.push({ codes: codes.length, parameters, cells, threads });
      const tables = Array.from({ length: threads }, () => new Uint32Array(cells));
      const order = parameters.order === "up" ? codes : codes.toReversed();
      for (const [i, code] of order.entries()) if (code < cells) tables[i % threads]![code]!++;
      return Float64Array.from({ length: cells }, (_, cell) =>
        tables.reduce((sum, of) => sum + of[cell]!, 0),
      );
    },
  };
}

const next = random(3);
const data = Uint16Array.from({ length: 200_003 }, () => Math.floor(next() * 70));
const axis = integer(0, 64);
const algorithm = "dealt";

describe("an algorithm of one's own", () => {
  it("is listed with core's algorithms, and counts", async () => {
    await using engine = await openEngine({ backend: cpu({ algorithms: [dealt()] }) });
    expect(engine.algorithms).toEqual([...cpu().algorithms.map(({ slug }) => slug), "dealt"]);
    const h = await engine.histogram(data, { algorithm, axis });
    expect(h.counts).toEqual(tally(data, 64));
    expect(h.overflow).toBe(data.filter((value) => value > 63).length);
    expect(h).toMatchObject({ backend: "cpu", algorithm: "dealt" });
    expect(h.plan).toMatchObject({ parameters: { lanes: 3, order: "up" }, threads: 3, own: { turns: 6 } });
    // Auto takes it only where it says that it is to be preferred.
    expect((await engine.histogram(data, { axis })).algorithm).toBe("sequential");
  });

  it("is simulated step by step, a chunk at a time, with its parameters", async () => {
    const steps: Step[] = [];
    await using engine = await openEngine({ backend: cpu({ algorithms: [dealt(steps)] }) });
    const options = { algorithm, axis, lanes: 5, order: "down" };
    const h = await engine.histogram(data, options);
    expect(h.counts).toEqual(tally(data, 64));
    const parameters = { lanes: 5, order: "down" };
    expect(h.plan!.parameters).toEqual(parameters);
    const of = (codes: number) => ({ codes, parameters, cells: 64, threads: 5 });
    expect(steps).toEqual([65_536, 65_536, 65_536, 200_003 - 3 * 65_536].map(of));
  });

  it("accepts its parameters in every kind of call, with one job for each", async () => {
    const steps: Step[] = [];
    await using engine = await openEngine({ backend: cpu({ algorithms: [dealt(steps)] }) });
    const own = { algorithm, axis, lanes: 2 };
    const chunks = async function* () {
      yield new Uint8Array(data.buffer, 0, 1000);
    };
    const pair = { data: data.subarray(0, 100), channels: 2 };
    const all = [
      await engine.histogram(data.subarray(0, 99), own),
      ...(await engine.histograms(pair, own)),
      await engine.histogram(chunks(), { ...own, type: "u16" }),
    ];
    for (const { plan } of all) expect(plan!.parameters).toEqual({ lanes: 2, order: "up" });
    expect(new Set(steps.map(({ threads }) => threads))).toEqual(new Set([2]));
    const other = await engine.histogram(data.subarray(0, 99), { ...own, ...{ lanes: 7 } });
    expect(other.plan).toMatchObject({ threads: 7, parameters: { lanes: 7 } });
    const request = { ...own, type: "u16", samples: 99 } as const;
    expect(await engine.supports(request)).toEqual(all[0]!.plan);
    const { plan, text } = await engine.explain(request);
    expect(plan).toEqual(all[0]!.plan);
    expect(text).toContain("dealt: 1 x 2 threads");
    expect(text).toContain("lanes 2, order up\nkernel: simulation");
  });

  it("also reaches a device that encodes", async () => {
    const jobs: unknown[] = [];
    const mine = { ...dealt(), launch: dealt().launch.bind(null) };
    const launch: Algorithm<Own>["launch"] = (request, limits) =>
      dealt().launch(request, { ...limits, kind: "cpu" });
    const backend = new FakeBackend({
      algorithms: [{ ...mine, launch }],
      encode: async ({ plan }) => void jobs.push(plan.parameters),
    });
    await using engine = await openEngine({ backend });
    const resident = await engine.upload(data);
    const options = { into: {}, algorithm, axis, lanes: 4 };
    expect((await engine.encode({}, resident, options)).plan.parameters).toEqual({ lanes: 4, order: "up" });
    expect(jobs).toEqual([{ lanes: 4, order: "up" }]);
  });

  it.each<[object, string, string]>([
    [{ algorithm, lanes: 9 }, "ERR_INPUT", "a whole number from 1 to 8 for lanes but received 9"],
    [{ algorithm, lanes: 1.5 }, "ERR_INPUT", "for lanes but received 1.5"],
    [{ algorithm, order: "sideways" }, "ERR_INPUT", "up or down for order"],
    [{ algorithm, lanez: 3 }, "ERR_INPUT", "did you mean lanes? received lanez"],
    [{ algorithm, k: 3 }, "ERR_INPUT", "expected no k for dealt: it is a parameter of trish"],
    [
      { algorithm: "trish", lanes: 3 },
      "ERR_INPUT",
      "expected no lanes for trish: it is a parameter of dealt",
    ],
    [{ lanes: 3 }, "ERR_INPUT", "expected no lanes for sequential"],
    [{ algorithm, bins: 1001 }, "ERR_UNSUPPORTED", "dealt counts at most 1000 bins and the request has 1001"],
  ])("refuses %j", async (options, code, says) => {
    await using engine = await openEngine({ backend: cpu({ algorithms: [dealt()] }) });
    const error = await rejectionOf(
      engine.histogram(data, { ...("bins" in options ? {} : { axis }), ...options }),
    );
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(says);
  });

  it("has parameters that no other backend knows", async () => {
    await using engine = await openEngine();
    const error = await rejectionOf(engine.histogram(data, { axis, lanes: 3 } as Anything));
    expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("received lanes") });
    const unknown = await rejectionOf(engine.histogram(data, { axis, algorithm }));
    expect(unknown).toMatchObject({ code: "ERR_UNSUPPORTED" });
  });

  it("may be what auto prefers", async () => {
    const mine = { ...dealt(), preferred: { cpu: 0 } };
    await using engine = await openEngine({ backend: cpu({ algorithms: [mine] }) });
    expect((await engine.histogram(data, { axis })).algorithm).toBe("dealt");
    expect((await engine.histogram(data, { axis, bins: undefined })).counts).toEqual(tally(data, 64));
  });

  it.each<[string, Anything, string]>([
    [
      "a name of core's",
      { slug: "trish" },
      "expected a different slug for each algorithm but trish is already taken",
    ],
    ["auto's name", { slug: "auto" }, "auto is already taken"],
    [
      "an option's name",
      { parameters: { signal: { title: "", least: 1, most: 2 } } },
      "dealt's parameter signal",
    ],
    ["an axis' name", { parameters: { bins: { title: "", least: 1, most: 2 } } }, "dealt's parameter bins"],
    ["encode's name", { parameters: { into: { title: "", of: ["a"] } } }, "dealt's parameter into"],
    ["a request's name", { parameters: { samples: { title: "", of: ["a"] } } }, "dealt's parameter samples"],
  ])("cannot have %s", async (_, changes, says) => {
    const backend = cpu({ algorithms: [{ ...dealt(), ...changes }] });
    for (const options of [{ backend }, { backends: [backend] }]) {
      const error = await rejectionOf(openEngine(options));
      expect(error).toMatchObject({ code: "ERR_INPUT", backend: "cpu" });
      expect(error.message).toContain(says);
    }
  });

  it("is refused if a part is missing", () => {
    for (const name of ["slug", "parameters", "launch", "reference"] as const) {
      const wrong = { ...dealt(), [name]: undefined } as Anything;
      expectError(() => cpu({ algorithms: [wrong] }), "ERR_INPUT", "for algorithms[0]", "an algorithm");
      expectError(() => cpu({ weighted: [wrong] }), "ERR_INPUT", "for weighted[0]", "an algorithm");
    }
    expectError(() => cpu({ algorithms: dealt() as Anything }), "ERR_INPUT", "an array of algorithms");
    expectError(() => cpu({ algorithms: ["trish"] as Anything }), "ERR_INPUT", "for algorithms[0]");
    expect(cpu({ algorithms: undefined }).algorithms).toEqual(cpu().algorithms);
  });
});

describe("a weighted algorithm of one's own", () => {
  type Weighted = { readonly stride: number };
  const launches: WeightedLaunch<Weighted>["parameters"][] = [];
  const reference = weightedReferences["weighted-sequential"];
  const strided: WeightedAlgorithm<Weighted> = {
    slug: "strided",
    title: "one table, read in strides",
    source: "this test",
    parameters: { stride: { title: "documents from one to the next", default: 2, least: 1, most: 9 } },
    launch: ({ bins }) => ({
      threads: 1,
      replicas: 1,
      featuresPerBlock: 1,
      counterBits: 32,
      sumBits: 64,
      binsPerPass: bins,
      sharedBytes: 0,
      flushDocuments: null,
    }),
    reference(input, plan) {
      launches.push(plan.parameters as Weighted);
      return reference(input, plan);
    },
  };
  const weights = Float32Array.from({ length: 300 }, () => next() - 0.5);
  const values = Uint8Array.from({ length: 600 }, () => Math.floor(next() * 7));
  const init = { values, features: 2, documents: 300, bins: 7 };

  it("adds up like the others, with its parameter", async () => {
    await using engine = await openEngine({ backend: cpu({ weighted: [strided] }) });
    expect(engine.weighted).toEqual([...cpu().weighted!.map(({ slug }) => slug), "strided"]);
    const table = await engine.table(init);
    const want = await table.sums(weights);
    const options = { algorithm: "strided", stride: 5, squares: true };
    const got = await table.sums(weights, options);
    expect(got.sums).toEqual(want.sums);
    expect(got.plans.map((plan) => [plan.algorithm, plan.parameters])).toEqual([
      ["strided", { stride: 5 }],
      ["strided", { stride: 5 }],
    ]);
    expect((await table.sums(weights, { algorithm: "strided" })).plans[0]!.parameters).toEqual({ stride: 2 });
    expect(launches).toEqual([{ stride: 5 }, { stride: 5 }, { stride: 2 }, { stride: 2 }]);
    const samples = values.subarray(0, 300);
    const weighed = await engine.histogram(samples, { bins: 7, range: [0, 7], weights, ...options });
    const plain = await engine.histogram(samples, { bins: 7, range: [0, 7], weights });
    expect(weighed.sums).toEqual(plain.sums);
    expect(weighed.plan).toMatchObject({ algorithm: "strided", parameters: { stride: 5 } });
  });

  it.each<[object, string]>([
    [{ algorithm: "strided", stride: 10 }, "a whole number from 1 to 9 for stride but received 10"],
    [{ algorithm: "strided", strid: 1 }, "did you mean stride? received strid"],
    [{ algorithm: "strided", warps: 1 }, "expected no warps for strided"],
    [{ algorithm: "weighted-collision", stride: 1 }, "it is a parameter of strided"],
  ])("refuses %j", async (options, says) => {
    await using engine = await openEngine({ backend: cpu({ weighted: [strided] }) });
    const table = await engine.table(init);
    for (const call of [
      () => table.sums(weights, options),
      () => engine.histogram(values.subarray(0, 300), { ...options, weights }),
    ]) {
      const error = await rejectionOf(call());
      expect(error).toMatchObject({ code: "ERR_INPUT" });
      expect(error.message).toContain(says);
    }
    // What is no option of weighted calls is none of the others, and the other way round.
    const error = await rejectionOf(engine.histogram(values, { stride: 1 } as Anything));
    expect(error.message).toContain("received stride");
  });

  it("cannot have the name of an option, or of another", async () => {
    for (const changes of [
      { parameters: { limbs: { title: "", least: 1, most: 2 } } },
      { parameters: { weights: { title: "", least: 1, most: 2 } } },
      { slug: "weighted-hybrid" },
    ]) {
      const weighted = [{ ...strided, ...changes }] as Anything;
      expect(await rejectionOf(openEngine({ backend: cpu({ weighted }) }))).toMatchObject({
        code: "ERR_INPUT",
      });
    }
  });
});

it("core's algorithms do not change next to others", async () => {
  await using engine = await openEngine({ backend: cpu({ algorithms: [dealt()] }) });
  const { slug } = algorithms.trish;
  const h = await engine.histogram(data, { axis, algorithm: slug, k: 9 });
  expect(h.counts).toEqual(tally(data, 64));
  expect(h.plan!.parameters).toEqual({ k: 9, rowSums: "pairs", reduce: "tables" });
});

it("a parameter may have the name of an inherited property", async () => {
  const parameters = { toString: { title: "any", default: 2, least: 1, most: 3 } };
  const engine = await openEngine({ backend: cpu({ algorithms: [{ ...dealt(), parameters } as Anything] }) });
  expect((await engine.histogram(Uint8Array.of(1, 1))).counts[1]).toBe(2);
  await engine.close();
});

it("null parameters count as none", () => {
  expect(() => cpu({ algorithms: [{ ...dealt(), parameters: null } as Anything] })).toThrow(
    expect.objectContaining({ code: "ERR_INPUT" }),
  );
});
