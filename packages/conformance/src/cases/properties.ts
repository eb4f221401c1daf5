import type { Axis, Engine, SampleType } from "@polybin/core";
import { type Algorithm, limits, SAMPLE_TYPES } from "@polybin/core/backend";
import fc from "fast-check";
import { axesFor, describeAxis } from "../axes.ts";
import { algorithmOf, type Case, type Context, Skip, type Topic } from "../case.ts";
import { Checker } from "../checker.ts";
import { aroundAxis, DISTRIBUTIONS, type Distribution, generate } from "../generators.ts";
import { type Given, rulesOf } from "../rules.ts";

/** Random samples, axes and parameters, compared with the definition. A failure prints the seed that reproduces it. */
export const properties: Topic = ({ slugs }) =>
  (["auto", ...slugs] as const).map(
    (slug): Case => ({
      topic: "properties",
      name: `${slug}: any samples over any axis`,
      run: (context) => holds(slug, context),
    }),
  );

/** One random call, in numbers that fast-check can shrink. */
interface Call {
  readonly type: SampleType;
  readonly bins: number;
  /** Index of the axis among those with this number of bins. */
  readonly axis: number;
  readonly n: number;
  readonly distribution: Distribution | "around the axis";
  readonly seed: number;
  readonly residence: "memory" | "uploaded" | "unaligned";
  readonly parameters: Given;
}

const AXES: number = axesFor("u8", 1).length;
const MOST_SAMPLES = 5000;

/** @param algorithm null: the algorithm that the engine chooses */
function anyCall(algorithm: Algorithm | null): fc.Arbitrary<Call> {
  const most = algorithm?.maxBins;
  return fc.record({
    type: fc.constantFrom(...SAMPLE_TYPES),
    bins: fc.integer({ min: 1, max: most ?? 2 * limits.BYTE_VALUES }),
    axis: fc.nat({ max: AXES - 1 }),
    n: fc.nat({ max: MOST_SAMPLES }),
    distribution: fc.constantFrom("around the axis" as const, ...DISTRIBUTIONS),
    seed: fc.nat({ max: limits.U16_MAX }),
    residence: fc.constantFrom("memory", "uploaded", "unaligned"),
    parameters: algorithm === null ? fc.constant({}) : anyParameters(algorithm),
  });
}

function anyParameters(algorithm: Algorithm): fc.Arbitrary<Given> {
  const each = rulesOf(algorithm).map(([name, rule]): [string, fc.Arbitrary<number | string>] => [
    name,
    "of" in rule ? fc.constantFrom(...rule.of) : fc.integer({ min: rule.least, max: rule.most }),
  ]);
  return fc.record(Object.fromEntries(each), { requiredKeys: [] }) as fc.Arbitrary<Given>;
}

async function holds(algorithm: string, context: Context): Promise<void> {
  const { engine, check, seed, runs } = context;
  const definition = algorithm === "auto" ? null : algorithmOf(context, algorithm);
  let counted = 0;
  const property = fc.asyncProperty(anyCall(definition), async (call) => {
    const one = new Checker();
    await countOnce(engine, algorithm, call, one);
    for (const sentence of one.refusals) check.refused(sentence);
    try {
      one.finish();
      counted++;
    } catch (error) {
      if (!(error instanceof Skip)) throw error;
    }
  });
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: false });
  if (counted > 0) check.ok("counted", true);
}

async function countOnce(engine: Engine, algorithm: string, call: Call, check: Checker): Promise<void> {
  const { type, bins, n, distribution, seed, residence, parameters } = call;
  const axis: Axis = axesFor(type, bins)[call.axis]!;
  const samples =
    distribution === "around the axis"
      ? aroundAxis(axis, type, n, seed)
      : generate(type, distribution, n, seed);
  const options = { algorithm, ...parameters };
  const name = `${distribution}, seed ${seed}, ${residence}, ${describeAxis(axis)}`;
  if (residence === "memory") return check.counts(engine, samples, type, axis, { ...options, name });
  const data = new Uint8Array(samples.byteLength + 1).subarray(1);
  data.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  if (residence === "unaligned") {
    return check.counts(engine, samples, type, axis, { ...options, name, input: { data, type } });
  }
  await using input = await engine.upload({ data, type });
  await check.counts(engine, samples, type, axis, { ...options, name, input });
}
