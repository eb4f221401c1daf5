import { Histogram, regular, WeightedHistogram } from "@polybin/core";
import { edgesOf, limits } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import type { Context, Topic } from "../case.ts";
import { generate } from "../generators.ts";
import { countByDefinition } from "../oracle.ts";

const bins = limits.PER_THREAD_64_BINS;

/** Cases of the properties of a result other than its counts, and of its independence from other results. */
export const results: Topic = ({ slugs, weighted }) => [
  {
    topic: "results",
    name: "results are independent of one another",
    run: (context) => independent(["auto", ...slugs], context),
  },
  {
    topic: "results",
    name: "plans are frozen and equal those of supports",
    run: (context) => plans(slugs, context),
  },
  {
    topic: "results",
    name: "explain describes what the device will do, equally for equal requests",
    run: (context) => explained(slugs, context),
  },
  {
    topic: "results",
    name: "timings are finite and not negative",
    async run({ engine, check }) {
      for (const n of [0, 1, 100_001]) {
        const { timings } = await engine.histogram(generate("f32", "gauss", n), {
          axis: regular(bins, -9, 9),
          timings: true,
        });
        for (const [name, ms] of Object.entries(timings ?? {})) {
          check.ok(`${name} of ${n} samples is ${ms}`, Number.isFinite(ms) && ms >= 0);
        }
        check.ok("there are timings", timings !== null);
        check.ok("the parts are within the whole", (timings?.totalMs ?? -1) >= 0);
        const unasked = await engine.histogram(generate("u8", "gauss", n));
        check.same("timings that were not requested", unasked.timings, null);
      }
    },
  },
  {
    topic: "results",
    name: "provenance: backend, device, algorithm",
    async run({ engine, check }) {
      const result = await engine.histogram(generate("u8", "gauss", 99));
      check.same("backend", result.backend, engine.backend);
      check.same("device", result.device, engine.device);
      check.ok(
        `algorithm ${result.algorithm}`,
        engine.algorithms.some((slug) => slug === result.algorithm),
      );
      check.same("plan.algorithm", result.plan?.algorithm, result.algorithm);
    },
  },
  {
    topic: "results",
    name: "the same call gives the same bits each time",
    async run({ engine, check }) {
      const samples = generate("f64", "gauss", 50_001);
      const axis = regular(1000, -300, 300);
      const first = await engine.histogram(samples, { axis });
      for (let i = 0; i < 5; i++) {
        const again = await engine.histogram(samples, { axis });
        check.sameNumbers("counts", again.counts, first.counts);
        check.sameNumbers("edges", again.edges, first.edges);
      }
    },
  },
  {
    topic: "results",
    name: "results of two parts merge into the result of the whole; JSON round trip",
    run: merges,
  },
  ...(weighted.length === 0
    ? []
    : [
        {
          topic: "results",
          name: "weighted results have the shape of plain ones; merge and JSON round trip",
          run: mergesWeighted,
        },
      ]),
];

const MERGED = 10_001;
const PARTED = 3333;

async function merges({ engine, check }: Context): Promise<void> {
  for (const type of ["u8", "i16", "f32", "f64"] as const) {
    const samples = generate(type, "gauss", MERGED);
    const axis = regular(bins, -50, 50);
    const expected = countByDefinition(axis, type, samples);
    const count = (of: typeof samples) => engine.histogram(of, { axis });
    const merged = (await count(samples.subarray(0, PARTED))).merge(await count(samples.subarray(PARTED)));
    check.histogram(`${type}: merged`, merged, expected);
    const back = Histogram.fromJSON(JSON.parse(JSON.stringify(await count(samples))));
    check.ok(`${type}: JSON is read as counts`, back instanceof Histogram);
    if (back instanceof Histogram) check.histogram(`${type}: from JSON`, back, expected);
    check.same(`${type}: sum`, merged.sum({ flow: true }), MERGED);
  }
}

/** The weights are small whole numbers, whose sums are exact at any scale. */
async function mergesWeighted({ engine, check }: Context): Promise<void> {
  const samples = generate("f32", "gauss", MERGED);
  const weights = Float32Array.from(samples, (_, i) => (i % 17) - 8);
  const axis = regular(bins, -50, 50);
  const weigh = (from: number, to: number) =>
    engine.histogram(samples.subarray(from, to), {
      axis,
      weights: weights.subarray(from, to),
      squares: true,
    });
  await check.unlessRefused("weighted", async () => {
    const whole = await weigh(0, MERGED);
    const plain = countByDefinition(axis, "f32", samples);
    check.ok("it is a WeightedHistogram", whole instanceof WeightedHistogram);
    check.sameNumbers("edges", whole.edges, edgesOf(axis, "f32"));
    check.same("algorithm", whole.algorithm, whole.plan.algorithm);
    check.same("device", whole.device, engine.device);
    check.same(
      "sum",
      whole.sum({ flow: true }),
      weights.reduce((sum, weight) => sum + weight, 0),
    );
    const parts = (await weigh(0, PARTED)).merge(await weigh(PARTED, MERGED));
    const back = WeightedHistogram.fromJSON(JSON.parse(JSON.stringify(whole)));
    for (const [what, got] of Object.entries({ whole, parts, back })) {
      check.sameNumbers(`${what}: counts`, got.counts ?? [], plain.counts);
      check.sameNumbers(`${what}: sums`, got.sums, whole.sums);
      check.sameNumbers(`${what}: squares`, got.sumsOfSquares ?? [], whole.sumsOfSquares!);
      for (const name of ["underflow", "overflow", "nan"] as const) {
        check.same(`${what}: ${name}`, got[name], plain[name]);
        check.same(`${what}: sum of ${name}`, got.flowSums[name], whole.flowSums[name]);
        check.same(
          `${what}: squares of ${name}`,
          got.flowSumsOfSquares?.[name],
          whole.flowSumsOfSquares?.[name],
        );
      }
    }
  });
}

async function independent(algorithms: readonly string[], { engine, check }: Context) {
  const samples = generate("u8", "gauss", 1001);
  const axis = wholeAxis("u8", bins);
  const expected = countByDefinition(axis, "u8", samples);
  for (const algorithm of algorithms) {
    const what = String(algorithm);
    await check.unlessRefused(what, async () => {
      const first = await engine.histogram(samples, { axis, algorithm });
      const second = await engine.histogram(samples, { axis, algorithm });
      first.counts.fill(-1);
      first.edges.fill(-1);
      check.histogram(`${what}: another result`, second, expected);
      check.histogram(`${what}: a later one`, await engine.histogram(samples, { axis, algorithm }), expected);
      const pair = { data: samples.subarray(0, 1000), channels: 2 };
      const [left, right] = await engine.histograms(pair, { axis, algorithm });
      left!.counts.fill(-1);
      check.histogram(`${what}: the other channel`, right!, countByDefinition(axis, "u8", pair.data, 1, 2));
    });
  }
  check.sameNumbers("the axis' edges", edgesOf(axis, "u8"), edgesOf(wholeAxis("u8", bins), "u8"));
}

async function plans(slugs: Context["engine"]["algorithms"], { engine, check }: Context): Promise<void> {
  const samples = generate("u16", "gauss", 1001);
  const axis = wholeAxis("u16", bins);
  for (const algorithm of slugs) {
    await check.unlessRefused(algorithm, async () => {
      const { plan } = await engine.histogram(samples, { axis, algorithm });
      check.ok(`${algorithm}: the plan is not frozen`, Object.isFrozen(plan));
      const request = { algorithm, type: "u16", axis, samples: samples.length } as const;
      check.same(`${algorithm}: plan`, JSON.stringify(plan), JSON.stringify(await engine.supports(request)));
    });
  }
}

async function explained(slugs: readonly string[], { engine, open, check }: Context): Promise<void> {
  const other = await open();
  const axis = wholeAxis("u16", bins);
  for (const algorithm of ["auto", ...slugs]) {
    const request = { algorithm, type: "u16", axis, samples: 1001 } as const;
    await check.unlessRefused(algorithm, async () => {
      const { plan, launch, text } = await engine.explain(request);
      check.same(`${algorithm}: plan`, JSON.stringify(plan), JSON.stringify(await engine.supports(request)));
      check.ok(`${algorithm}: the launch is not frozen`, Object.isFrozen(launch));
      check.ok(`${algorithm}: the launch is empty`, Object.keys(launch).length > 0);
      check.ok(`${algorithm}: JSON cannot hold the launch`, isJson(launch));
      const again = await other.explain(request);
      check.same(`${algorithm}: launch`, JSON.stringify(again.launch), JSON.stringify(launch));
      check.same(`${algorithm}: text`, again.text, text);
      check.ok(`${algorithm}: the text names the plan's algorithm`, text.includes(plan.algorithm));
    });
  }
}

function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
  return typeof value === "object" && isPlain && Object.values(value).every(isJson);
}
