import type { SampleType } from "@polybin/core";
import { limits, SAMPLE_TYPES } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import { algorithmOf, binsWith, type Case, type Context, type Topic } from "../case.ts";
import { DISTRIBUTIONS, type Distribution, generate } from "../generators.ts";
import { workload } from "../workload.ts";

/** Numbers of samples at which some counter, word, block or launch is exactly full. */
const FULL: readonly number[] = [
  limits.WORD_BYTES,
  limits.WARP_THREADS,
  limits.TRISH_WORDS,
  limits.TRISH_THREADS,
  limits.TRISH_WORDS * limits.WORD_BYTES,
  limits.U8_MAX,
  limits.BYTE_VALUES,
  limits.PER_THREAD_64_THREADS * limits.WORD_BYTES,
  limits.BLOCK_THREADS * limits.WORD_BYTES,
  limits.GUESS_CELLS,
  limits.PER_LANE_THREADS * limits.WORD_BYTES,
  limits.TILE_WORDS,
  limits.TRISH_THREADS * limits.TRISH_WORDS * limits.WORD_BYTES,
  limits.WARP_THREADS * limits.WORD_BYTES * limits.TRISH_WORDS * limits.WORD_BYTES,
  limits.U16_MAX,
  limits.HALF_VALUES,
  limits.REFERENCE_CHUNK,
];

/** 0, 1, and the numbers around each of these, ascending. */
const SIZES: readonly number[] = [...new Set([0, 1, ...FULL.flatMap((n) => [n - 1, n, n + 1])])].sort(
  (a, b) => a - b,
);

/** Number of samples of the single large input. */
const LARGE = { small: 2 ** 20 + 3, full: 2 ** 27 + 3 } as const;

/** Cases of every slug at the numbers of samples around a limit, and for each distribution. */
export const sizes: Topic = ({ slugs }) =>
  slugs.flatMap((slug): Case[] => [
    { topic: "sizes", name: `${slug}: n around every limit`, run: (context) => aroundLimits(slug, context) },
    {
      topic: "sizes",
      name: `${slug}: every distribution`,
      run: (context) => everyDistribution(slug, context),
    },
    {
      topic: "sizes",
      name: `${slug}: around what one launch takes`,
      run: (context) => aroundLaunch(slug, context),
    },
    { topic: "sizes", name: `${slug}: one large input`, run: (context) => large(slug, context) },
  ]);

async function count(slug: string, type: SampleType, of: Distribution, n: number, context: Context) {
  const { engine, check } = context;
  const axis = wholeAxis(type, binsWith(algorithmOf(context, slug)));
  const { samples, expected } = workload(axis, type, `${of} ${n}`, () => generate(type, of, n, n + 1));
  await check.counts(engine, samples, type, axis, { algorithm: slug, name: of, expected });
}

async function aroundLimits(slug: string, context: Context): Promise<void> {
  for (const [i, n] of SIZES.entries()) {
    await count(slug, "u8", "uniform", n, context);
    await count(slug, "u8", DISTRIBUTIONS[1 + (i % (DISTRIBUTIONS.length - 1))]!, n, context);
    // Other types alternate. Their words hold fewer samples, so other sizes have tails.
    await count(slug, SAMPLE_TYPES[1 + (i % (SAMPLE_TYPES.length - 1))]!, "gauss", n, context);
  }
}

async function everyDistribution(slug: string, context: Context): Promise<void> {
  for (const type of SAMPLE_TYPES) {
    for (const distribution of DISTRIBUTIONS) {
      await count(slug, type, distribution, limits.PER_LANE_THREADS * limits.WORD_BYTES + 1, context);
    }
  }
}

/** If a device counts in launches, no sample at the seam between two may be lost or repeated. */
async function aroundLaunch(slug: string, context: Context): Promise<void> {
  const found = await context.engine.supports({
    algorithm: slug,
    axis: wholeAxis("u8", binsWith(algorithmOf(context, slug))),
    samples: limits.U32_MAX,
  });
  if (typeof found === "string") return context.check.refused(found);
  const { chunkSamples, threads, blocks, wordsPerThread } = found;
  const grid = threads * blocks * limits.WORD_BYTES;
  const candidates = [grid, grid * (wordsPerThread ?? 1), chunkSamples, 2 * chunkSamples];
  for (const n of candidates.filter((size) => size <= LARGE[context.size])) {
    for (const size of [n - 1, n, n + 1]) await count(slug, "u8", "uniform", size, context);
  }
  // If a launch takes more samples than this case tries, there is no seam to test.
  await count(slug, "u8", "gauss", limits.HALF_VALUES, context);
}

async function large(slug: string, context: Context): Promise<void> {
  await count(slug, "u8", "gauss", LARGE[context.size], context);
  if (context.size === "full") {
    await count(slug, "u8", "maximum", LARGE.full, context);
    await count(slug, "f32", "gauss", LARGE.small, context);
  }
}
