import { regular, type Slug } from "@polybin/core";
import { algorithms, limits, type Parameters, SLUGS } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { filled, generate } from "../generators.ts";

const PARAMETERS = ["k", "collisions", "merge", "layout"] as const;

/** Parameters: each value on the data that is worst for it, and each one where it does not belong. */
export const parameters: Topic = ({ slugs }) => [
  ...(slugs.includes("trish") ? trish : []),
  ...(slugs.includes("per-warp") ? [perWarp] : []),
  ...(slugs.includes("privatized") ? [privatized] : []),
  {
    topic: "parameters",
    name: "a parameter of another algorithm is ERR_INPUT",
    async run({ engine, check }) {
      const values: Parameters = { k: 1, collisions: "atomic", merge: "avoid", layout: "row" };
      for (const slug of SLUGS.filter((one) => slugs.includes(one))) {
        for (const name of PARAMETERS.filter((one) => !(one in algorithms[slug].parameters))) {
          await check.rejects(
            `${slug} with ${name}`,
            () => engine.histogram(new Uint8Array(1), { algorithm: slug, axis: few, [name]: values[name] }),
            { code: "ERR_INPUT", says: [name, slug] },
          );
        }
      }
    },
  },
];

const few = regular(limits.PER_THREAD_64_BINS, 0, limits.BYTE_VALUES);

/** Byte counters are driven to what they hold this many times. */
const FLUSHES = 3;
/** Samples of one k at the most, on a device of many blocks. */
const MOST = { small: 2 ** 21, full: 2 ** 26 } as const;

const everyK = Array.from({ length: limits.TRISH_WORDS }, (_, i) => i + 1);

const trish: readonly Case[] = [
  {
    topic: "parameters",
    name: "trish: k = 1 to 63, 255 only",
    run: (context) => trishOf(context, () => limits.U8_MAX),
  },
  {
    topic: "parameters",
    name: "trish: k = 1 to 63, one value only",
    // Another byte of a word at each k: a carry would show in its neighbour.
    run: (context) =>
      trishOf(context, (k) => (k * limits.WORD_BYTES + (k % limits.WORD_BYTES)) % limits.BYTE_VALUES),
  },
  {
    topic: "parameters",
    name: "trish: k = 1 to 63, uniform with a tail",
    async run({ engine, check }) {
      for (const k of everyK) {
        const samples = generate("u8", "uniform", limits.TRISH_THREADS * limits.WORD_BYTES * k + k, k);
        await check.counts(engine, samples, "u8", bytes, { algorithm: "trish", k });
      }
    },
  },
  {
    topic: "parameters",
    name: "trish: k = 1 to 63, wide samples and flow",
    async run({ engine, check }) {
      for (const k of everyK) {
        const samples = generate("f32", "gauss", limits.TRISH_THREADS * k + k, k);
        const axis = regular(limits.TRISH_BINS, -100, 100);
        await check.counts(engine, samples, "f32", axis, { algorithm: "trish", k });
      }
    },
  },
  {
    topic: "parameters",
    name: "trish: a k out of range is ERR_INPUT",
    async run({ engine, check }) {
      for (const k of [0, -1, limits.TRISH_WORDS + 1, 1.5, Number.NaN, Infinity, "31", null]) {
        await check.rejects(
          `k = ${k}`,
          () => engine.histogram(new Uint8Array(1), { algorithm: "trish", k: k as number }),
          { code: "ERR_INPUT", says: ["k", `1 to ${limits.TRISH_WORDS}`, String(k)] },
        );
      }
    },
  },
];

const bytes = wholeAxis("u8", limits.BYTE_VALUES);

async function trishOf({ engine, check, size }: Context, value: (k: number) => number): Promise<void> {
  const blocks = blocksOf("trish", engine);
  if (typeof blocks === "string") return check.refused(blocks);
  const full = blocks * limits.TRISH_THREADS * limits.TRISH_WORDS * limits.WORD_BYTES;
  for (const k of everyK) {
    const samples = filled("u8", value(k), Math.min(MOST[size], FLUSHES * full) + k);
    await check.counts(engine, samples, "u8", bytes, { algorithm: "trish", k }, { name: `${value(k)} only` });
  }
}

function blocksOf(algorithm: Slug, engine: Context["engine"]): number | string {
  const lowering = { kind: "table", bins: limits.BYTE_VALUES, flow: false } as const;
  const found = engine.supports({ algorithm, type: "u8", lowering, samples: limits.U32_MAX, channels: 1 });
  return typeof found === "string" ? found : found.blocks;
}

/** One value only, then two, then all: collisions at their worst, and gone. */
async function withParameters(context: Context, algorithm: Slug, given: Parameters): Promise<void> {
  const { engine, check } = context;
  const n = limits.PER_THREAD_64_THREADS * limits.TRISH_WORDS * limits.WORD_BYTES + 1;
  for (const distribution of ["maximum", "two values", "uniform"] as const) {
    const options = { ...given, algorithm };
    const name = distribution;
    await check.counts(engine, generate("u8", distribution, n), "u8", bytes, options, { name });
    const half = generate("i16", distribution, limits.GUESS_CELLS + 1);
    await check.counts(engine, half, "i16", regular(limits.BYTE_VALUES, -9999.5, 20000), options, { name });
  }
}

async function wrongChoice({ engine, check }: Context, algorithm: Slug, name: string): Promise<void> {
  for (const value of ["no such", 1, null]) {
    await check.rejects(
      `${algorithm} with ${name} = ${value}`,
      () => engine.histogram(new Uint8Array(1), { algorithm, axis: bytes, [name]: value }),
      { code: "ERR_INPUT", says: [name, String(value)] },
    );
  }
}

const perWarp: Case = {
  topic: "parameters",
  name: "per-warp: collisions by atomics and by tags",
  async run(context) {
    await withParameters(context, "per-warp", { collisions: "atomic" });
    await withParameters(context, "per-warp", { collisions: "tag" });
    await wrongChoice(context, "per-warp", "collisions");
  },
};

const privatized: Case = {
  topic: "parameters",
  name: "privatized: each merge with each layout",
  async run(context) {
    for (const merge of ["periodic", "avoid"] as const) {
      for (const layout of ["row", "column", "interleaved"] as const) {
        await withParameters(context, "privatized", { merge, layout });
      }
    }
    await wrongChoice(context, "privatized", "merge");
    await wrongChoice(context, "privatized", "layout");
  },
};
