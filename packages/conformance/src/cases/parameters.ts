import { regular } from "@polybin/core";
import { type Algorithm, algorithms as known, limits } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import { binsWith, type Case, type Context, type Topic } from "../case.ts";
import { filled, generate } from "../generators.ts";
import {
  choicesOf,
  everyChoice,
  type Given,
  type NumberRule,
  numbersOf,
  rulesOf,
  valuesOf,
  wrongOf,
} from "../rules.ts";

/** Cases of parameters: each value on the worst data for it, and each parameter on algorithms that do not take it. */
export const parameters: Topic = ({ algorithms }) => [
  ...algorithms.flatMap((algorithm) => [
    ...numbersOf(algorithm).flatMap(([name, rule]) => numbers(algorithm, name, rule)),
    ...choices(algorithm),
  ]),
  {
    topic: "parameters",
    name: "a parameter of another algorithm is ERR_INPUT",
    async run({ engine, check }) {
      // Core's algorithms are included, because a backend may have none with parameters.
      const all = new Map([...Object.values(known), ...algorithms].flatMap(rulesOf));
      for (const { slug, parameters: own } of algorithms) {
        for (const [name, rule] of [...all].filter(([one]) => !Object.hasOwn(own, one))) {
          const value = "of" in rule ? rule.of[0] : rule.least;
          await check.rejects(
            `${slug} with ${name}`,
            () => engine.histogram(new Uint8Array(1), { algorithm: slug, axis: few, [name]: value }),
            { code: "ERR_INPUT", says: [name, slug] },
          );
        }
      }
    },
  },
];

const few = regular(limits.PER_THREAD_64_BINS, 0, limits.BYTE_VALUES);

/** How often each counter is filled to its maximum. */
const FLUSHES = 3;
/** Maximum number of samples per value of a parameter, on a device with many blocks or for a large value. */
const MOST = { small: 2 ** 21, full: 2 ** 26 } as const;

function numbers(algorithm: Algorithm, parameter: string, rule: NumberRule): Case[] {
  const { slug } = algorithm;
  const values = valuesOf(rule);
  const bins = binsWith(algorithm);
  const title = `${slug}: ${parameter} = ${rule.least} to ${rule.most}`;
  const given = (value: number) => ({ algorithm: slug, [parameter]: value });
  const each = (name: string, run: Case["run"]): Case => ({ topic: "parameters", name, run });
  const fullOf = (sample: (value: number) => number) => (context: Context) =>
    full(context, algorithm, values, sample, given);
  return [
    each(
      `${title}, 255 only`,
      fullOf(() => limits.U8_MAX),
    ),
    each(
      `${title}, one value only`,
      // Each value uses another byte of a word, so that a carry would change its neighbour.
      fullOf((value) => (value * limits.WORD_BYTES + (value % limits.WORD_BYTES)) % limits.BYTE_VALUES),
    ),
    each(`${title}, uniform with a tail`, async ({ engine, check, size }) => {
      const axis = wholeAxis("u8", bins);
      for (const value of values) {
        const whole = Math.min(MOST[size], (await threadsOf(engine, algorithm)) * limits.WORD_BYTES * value);
        await check.counts(engine, generate("u8", "uniform", whole + value, value), "u8", axis, given(value));
      }
    }),
    each(`${title}, wide samples and flow`, async ({ engine, check, size }) => {
      const axis = regular(bins, -100, 100);
      for (const value of values) {
        const whole = Math.min(MOST[size], (await threadsOf(engine, algorithm)) * value);
        const samples = generate("f32", "gauss", whole + value, value);
        await check.counts(engine, samples, "f32", axis, given(value));
      }
    }),
    each(`${slug}: a ${parameter} out of range is ERR_INPUT`, async ({ engine, check }) => {
      for (const value of wrongOf(rule)) {
        await check.rejects(
          `${parameter} = ${value}`,
          () => engine.histogram(new Uint8Array(1), given(value as number)),
          { code: "ERR_INPUT", says: [parameter, `${rule.least} to ${rule.most}`, String(value)] },
        );
      }
    }),
  ];
}

/** Counts one value until every counter of the device has been full several times. */
async function full(
  { engine, check, size }: Context,
  algorithm: Algorithm,
  values: readonly number[],
  sample: (value: number) => number,
  given: (value: number) => object,
): Promise<void> {
  const found = await planOf(engine, algorithm);
  if (typeof found === "string") return check.refused(found);
  const { blocks, threads, wordsPerThread } = found;
  const axis = wholeAxis("u8", binsWith(algorithm));
  const holds = blocks * threads * (wordsPerThread ?? 1) * limits.WORD_BYTES;
  for (const value of values) {
    const samples = filled("u8", sample(value), Math.min(MOST[size], FLUSHES * holds) + value);
    const options = given(value);
    await check.counts(engine, samples, "u8", axis, { ...options, name: `${sample(value)} only` });
  }
}

function planOf(engine: Context["engine"], algorithm: Algorithm) {
  const axis = wholeAxis("u8", binsWith(algorithm));
  return engine.supports({ algorithm: algorithm.slug, axis, samples: limits.U32_MAX });
}

async function threadsOf(engine: Context["engine"], algorithm: Algorithm): Promise<number> {
  const found = await planOf(engine, algorithm);
  return typeof found === "string" ? 1 : found.threads;
}

/** Cases of each choice combined with each of the others, and of invalid choices. */
function choices(algorithm: Algorithm): Case[] {
  const names = choicesOf(algorithm).map(([name]) => name);
  if (names.length === 0) return [];
  return [
    {
      topic: "parameters",
      name: `${algorithm.slug}: every choice of ${names.join(" with every ")}`,
      async run(context) {
        for (const given of everyChoice(algorithm)) await withParameters(context, algorithm, given);
        for (const [name, rule] of choicesOf(algorithm)) {
          await refusedChoices(context, algorithm, name, wrongOf(rule));
        }
      },
    },
  ];
}

/** Counts one value only, then two, then all, from the most collisions to the fewest. Then fills every counter. */
async function withParameters(context: Context, algorithm: Algorithm, given: Given): Promise<void> {
  const { engine, check } = context;
  const bins = binsWith(algorithm);
  const n = limits.PER_THREAD_64_THREADS * limits.TRISH_WORDS * limits.WORD_BYTES + 1;
  for (const distribution of ["maximum", "two values", "uniform"] as const) {
    const options = { ...given, algorithm: algorithm.slug };
    const name = distribution;
    const axis = wholeAxis("u8", bins);
    await check.counts(engine, generate("u8", distribution, n), "u8", axis, { ...options, name });
    const half = generate("i16", distribution, limits.GUESS_CELLS + 1);
    await check.counts(engine, half, "i16", regular(bins, -9999.5, 20000), { ...options, name });
  }
  await fullWith(context, algorithm, given);
}

/** Counts one value until every byte counter of the device has been full several times. */
async function fullWith({ engine, check, size }: Context, algorithm: Algorithm, given: Given): Promise<void> {
  const axis = wholeAxis("u8", binsWith(algorithm));
  const options = { ...given, algorithm: algorithm.slug };
  const found = await engine.supports({ ...options, axis, samples: limits.U32_MAX });
  if (typeof found === "string") return check.refused(found);
  const holds = found.blocks * found.threads * limits.BYTE_VALUES;
  // The value's counter is the first of its word, so that a carry would change its neighbour.
  const value = 2 * limits.WORD_BYTES;
  const samples = filled("u8", value, Math.min(MOST[size], FLUSHES * holds) + 1);
  await check.counts(engine, samples, "u8", axis, {
    ...options,
    name: "one value, until every counter was full",
  });
}

async function refusedChoices(
  { engine, check }: Context,
  algorithm: Algorithm,
  name: string,
  values: readonly unknown[],
): Promise<void> {
  const axis = wholeAxis("u8", binsWith(algorithm));
  for (const value of values) {
    await check.rejects(
      `${algorithm.slug} with ${name} = ${value}`,
      () => engine.histogram(new Uint8Array(1), { algorithm: algorithm.slug, axis, [name]: value }),
      { code: "ERR_INPUT", says: [name, String(value)] },
    );
  }
}
