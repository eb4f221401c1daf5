import type { Axis, Engine, SampleType, Slug } from "@polybin/core";
import { algorithms, limits, type Parameters, SAMPLE_TYPES } from "@polybin/core/backend";
import fc from "fast-check";
import { axesFor, describeAxis } from "../axes.ts";
import { type Case, type Context, Skip, type Topic } from "../case.ts";
import { Checker } from "../checker.ts";
import { aroundAxis, DISTRIBUTIONS, type Distribution, generate } from "../generators.ts";

/** Random samples, axes and parameters against the definition; a failure prints the seed that repeats it. */
export const properties: Topic = ({ slugs }) =>
  (["auto", ...slugs] as const).map(
    (slug): Case => ({
      topic: "properties",
      name: `${slug}: any samples over any axis`,
      run: (context) => holds(slug, context),
    }),
  );

/** One random call, as numbers that fast-check can shrink. */
interface Call {
  readonly type: SampleType;
  readonly bins: number;
  /** Which of the axes of that many bins. */
  readonly axis: number;
  readonly n: number;
  readonly distribution: Distribution | "around the axis";
  readonly seed: number;
  readonly residence: "memory" | "uploaded" | "unaligned";
  readonly parameters: Parameters;
}

const AXES: number = axesFor("u8", 1).length;
const MOST_SAMPLES = 5000;

function anyCall(slug: Slug | "auto"): fc.Arbitrary<Call> {
  const most = slug === "auto" ? null : algorithms[slug].maxBins;
  return fc.record({
    type: fc.constantFrom(...SAMPLE_TYPES),
    bins: fc.integer({ min: 1, max: most ?? 2 * limits.BYTE_VALUES }),
    axis: fc.nat({ max: AXES - 1 }),
    n: fc.nat({ max: MOST_SAMPLES }),
    distribution: fc.constantFrom("around the axis" as const, ...DISTRIBUTIONS),
    seed: fc.nat({ max: limits.U16_MAX }),
    residence: fc.constantFrom("memory", "uploaded", "unaligned"),
    parameters: slug === "auto" ? fc.constant({}) : anyParameters(slug),
  });
}

function anyParameters(slug: Slug): fc.Arbitrary<Parameters> {
  const every = {
    k: fc.integer({ min: 1, max: limits.TRISH_WORDS }),
    collisions: fc.constantFrom("atomic", "tag"),
    merge: fc.constantFrom("periodic", "avoid"),
    layout: fc.constantFrom("row", "column", "interleaved"),
  } as const;
  const own = Object.entries(every).filter(([name]) => name in algorithms[slug].parameters);
  return fc.record(Object.fromEntries(own) as typeof every, { requiredKeys: [] });
}

async function holds(algorithm: Slug | "auto", { engine, check, seed, runs }: Context): Promise<void> {
  let counted = 0;
  const property = fc.asyncProperty(anyCall(algorithm), async (call) => {
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

async function countOnce(
  engine: Engine,
  algorithm: Slug | "auto",
  call: Call,
  check: Checker,
): Promise<void> {
  const { type, bins, n, distribution, seed, residence, parameters } = call;
  const axis: Axis = axesFor(type, bins)[call.axis]!;
  const samples =
    distribution === "around the axis"
      ? aroundAxis(axis, type, n, seed)
      : generate(type, distribution, n, seed);
  const options = { algorithm, ...parameters };
  const name = `${distribution}, seed ${seed}, ${residence}, ${describeAxis(axis)}`;
  if (residence === "memory") return check.counts(engine, samples, type, axis, options, { name });
  const data = new Uint8Array(samples.byteLength + 1).subarray(1);
  data.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  if (residence === "unaligned") {
    return check.counts(engine, samples, type, axis, options, { name, input: { data, type } });
  }
  await using input = await engine.upload({ data, type });
  await check.counts(engine, samples, type, axis, options, { name, input });
}
