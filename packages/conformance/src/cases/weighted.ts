import type { SumsOptions } from "@polybin/core";
import { limits, VALUE_TRAITS, VALUE_TYPES, WEIGHTED_SLUGS } from "@polybin/core/backend";
import { type Case, type Context, Skip, type Topic } from "../case.ts";
import { compare, made } from "../tables.ts";
import {
  describeSpread,
  documentWeights,
  featureValues,
  packedValues,
  SPREADS,
  sumByDefinition,
  WEIGHT_KINDS,
} from "../weighting.ts";

/**
 * Cases of weighted sums: every slug over every type, number of bins and of documents, spread and scale, and with
 * parts, squares and skips.
 */
export const weighted: Topic = ({ weighted: slugs }) => {
  if (slugs.length === 0) return [{ topic: "weighted", name: "feature tables", run: withoutTables }];
  const each = ["auto", ...slugs] as const;
  const perSlug = (name: string, run: (slug: string, context: Context) => Promise<void>): Case[] =>
    each.map((slug) => ({
      topic: "weighted",
      name: `${slug}: ${name}`,
      run: (context) => run(slug, context),
    }));
  return [
    ...[...new Set([...WEIGHTED_SLUGS, ...slugs])].map(
      (slug): Case => ({
        topic: "weighted",
        name: `claim of ${slug}`,
        run: (context) => (slugs.includes(slug) ? claimed(slug, context) : unclaimed(slug, context)),
      }),
    ),
    ...perSlug("every type and number of bins", everyShape),
    ...perSlug("documents around every limit", everySize),
    ...perSlug("every spread of values and every kind of weights", everySpread),
    ...perSlug("the largest weights, all in one bin", fullest),
    ...perSlug("chosen features, a list of documents, a mask", parts),
    ...perSlug("squares, and the most frequent value skipped", squaresAndSkips),
    ...perSlug("sums without counts, and cached counts", withoutCounts),
    ...perSlug("precision fast, within the tolerance", fast),
    { topic: "weighted", name: "a sibling is its parent minus the other child, bit for bit", run: siblings },
  ];
};

async function withoutTables({ engine, check }: Context): Promise<void> {
  const says = { code: "ERR_UNSUPPORTED", says: [engine.backend, "weighted"] };
  const make = () => engine.table({ values: new Uint8Array(4), features: 2, documents: 2, bins: 2 });
  await check.rejects("a table", make, says);
  const named = { weights: [1], algorithm: "weighted-fixed-point" };
  await check.rejects("a named algorithm", () => engine.histogram(Uint8Array.of(1), named), says);
  check.finish();
  throw new Skip(
    await make().then(
      () => "",
      (error: Error) => error.message,
    ),
  );
}

const FEW_BINS: readonly number[] = [2, 9, limits.NIBBLE_VALUES];

/** A slug that refuses every request has no kernel, whatever the backend claims. */
async function claimed(slug: string, context: Context): Promise<void> {
  const { engine, check } = context;
  check.same(
    "engine.weighted",
    engine.weighted.join(),
    context.backend.weighted?.map((one) => one.slug).join(),
  );
  await using table = (await made(engine, "u4", FEW_BINS, 100)).table;
  const weights = documentWeights("gauss", 100);
  check.same("documents", (await table.sums(weights, { algorithm: slug })).documents, 100);
}

async function unclaimed(slug: string, { engine, check }: Context): Promise<void> {
  await using table = (await made(engine, "u8", FEW_BINS, 10)).table;
  const call = () => table.sums(documentWeights("gauss", 10), { algorithm: slug });
  await check.rejects(slug, call, { code: "ERR_UNSUPPORTED", says: [engine.backend, slug] });
  check.finish();
  throw new Skip(`${engine.backend} does not claim ${slug}`);
}

/** Numbers of bins around each limit at which a plan changes. */
const BINS: readonly number[] = [
  2,
  3,
  ...[
    limits.NIBBLE_VALUES,
    limits.SMALL_BINS,
    limits.TABLE_6_BINS_2,
    limits.WEIGHT_FLUSH_BINS,
    limits.WORKER_NARROW_CELLS,
  ].flatMap((bins) => [bins - 1, bins, bins + 1]),
];
/** Few features have this number of bins, because some methods pass over the documents for every few hundred bins. */
const MANY_BINS: readonly number[] = [4096, limits.MAX_BINS];

async function everyShape(algorithm: string, context: Context): Promise<void> {
  for (const type of VALUE_TYPES) {
    const bins = BINS.filter((of) => of <= VALUE_TRAITS[type].values);
    for (const documents of [1, 1003]) {
      const of = await made(context.engine, type, bins, documents);
      const weights = documentWeights("gauss", documents);
      await compare("bins around every limit", of, weights, { algorithm }, context);
      await of.table.free();
    }
  }
  const of = await made(context.engine, "u16", MANY_BINS, 301);
  const weights = documentWeights("gauss", 301);
  await compare("many bins", of, weights, { algorithm }, context);
  // The second call skips the value that the first has found, in one of the passes.
  const list = Array.from({ length: 100 }, (_, i) => 3 * i + (i & 1));
  for (const options of [{ skip: true }, { skip: true, squares: true, documents: Uint32Array.from(list) }]) {
    const chosen = options.documents && list;
    await compare(
      `many bins, ${Object.keys(options).join(" and ")}`,
      of,
      weights,
      { algorithm, ...options },
      { ...context, documents: chosen },
    );
  }
  await of.table.free();
}

/** Numbers of documents at which a load, a warp, a block, a segment, a buffer or an accumulator is exactly full. */
const FULL: readonly number[] = [
  limits.SEGMENT_ALIGN,
  limits.BLOCK_THREADS,
  limits.PER_LANE_THREADS,
  limits.REDUCED_WARPS_WIDE * limits.WARP_THREADS * limits.REDUCED_BUFFER_WIDE,
  limits.WEIGHT_ADDENDS,
  limits.FAST_ADDENDS,
];
const SIZES: readonly number[] = [0, 1, 2, 3, ...FULL.flatMap((n) => [n - 1, n, n + 1])];
/** More documents than a block of 32 tables adds between two flushes. */
const LARGE = { small: limits.WEIGHT_ADDENDS * limits.WARP_THREADS + 5, full: 2 ** 22 + 5 } as const;

async function everySize(algorithm: string, context: Context): Promise<void> {
  for (const [i, documents] of [...SIZES, LARGE[context.size]].entries()) {
    const type = VALUE_TYPES[i % VALUE_TYPES.length]!;
    const of = await made(context.engine, type, [5, limits.NIBBLE_VALUES], documents);
    await compare("any number", of, documentWeights("gauss", documents), { algorithm }, context);
    await of.table.free();
  }
}

async function everySpread(algorithm: string, context: Context): Promise<void> {
  const documents = 2 * limits.WEIGHT_ADDENDS + 3;
  for (const spread of SPREADS) {
    const of = await made(context.engine, "u16", [16, 300, 1024], documents, { spread });
    for (const kind of WEIGHT_KINDS) {
      const what = `${describeSpread(spread)}, ${kind} weights`;
      await compare(what, of, documentWeights(kind, documents), { algorithm }, context);
    }
    await of.table.free();
  }
}

/** This shows an accumulator that is flushed one document too late, or a carry that is lost. */
async function fullest(algorithm: string, context: Context): Promise<void> {
  const documents = LARGE.small;
  for (const bins of [[16], [1024]]) {
    const of = await made(context.engine, "u16", bins, documents, { spread: { kind: "normal", sigma: 0 } });
    for (const kind of ["largest", "negative", "signs"] as const) {
      await compare(`${bins} bins, ${kind}`, of, documentWeights(kind, documents), { algorithm }, context);
    }
    await of.table.free();
  }
  if (context.size === "full") await fullBlocks(algorithm, context);
}

/** Multiprocessors of a large device (an NVIDIA H200). */
const LARGE_UNITS = 132;

/**
 * Uses enough documents and features that each block of a large device adds more than it may between two flushes,
 * with sums above 2^32. With few features, the documents would be split into short segments. All features have the
 * same values.
 */
async function fullBlocks(algorithm: string, { engine, check }: Context): Promise<void> {
  const features = 2 * LARGE_UNITS;
  const documents = 5 * 2 ** 16 + 5;
  const row = featureValues(limits.BYTE_VALUES, documents, { kind: "zeros", share: 0.9 });
  const values = packedValues("u8", new Array(features).fill(row));
  await using table = await engine.table({ values, features, documents, bins: limits.BYTE_VALUES });
  for (const kind of ["largest", "signs"] as const) {
    const weights = documentWeights(kind, documents);
    const want = sumByDefinition(row, limits.BYTE_VALUES, weights);
    for (const precision of ["reproducible", "fast"] as const) {
      const name = `${algorithm}, ${features} features of ${documents} documents, ${kind}, ${precision}`;
      await check.unlessRefused(name, async () =>
        check.sums(name, await table.sums(weights, { algorithm, precision }), new Array(features).fill(want)),
      );
    }
  }
}

async function parts(algorithm: string, context: Context): Promise<void> {
  const documents = 3001;
  for (const type of VALUE_TYPES) {
    const of = await made(context.engine, type, [16, 7, 16, 2], documents, {
      spread: { kind: "zeros", share: 0.5 },
    });
    const weights = documentWeights("gauss", documents);
    const run = (what: string, options: SumsOptions, list?: readonly number[]) =>
      compare(what, of, weights, { algorithm, ...options }, { ...context, documents: list });
    await run("features 3 and 0", { features: [3, 0] });
    for (const step of [1, 3, 1000, documents]) {
      const list = Array.from(weights.keys()).filter((i) => i % step === step - 1);
      await run(`one document in ${step}`, { documents: Uint32Array.from(list) }, list);
    }
    const mask = Uint8Array.from(weights, (_, i) => (i % 7 < 3 ? i % 256 : 0));
    const list = Array.from(mask.keys()).filter((i) => mask[i] !== 0);
    await run("a mask", { documents: mask, features: [1, 2] }, list);
    await run("no document", { documents: new Uint8Array(documents) }, []);
    await of.table.free();
  }
}

async function squaresAndSkips(algorithm: string, context: Context): Promise<void> {
  const documents = limits.WEIGHT_ADDENDS + 77;
  for (const spread of [SPREADS[0]!, SPREADS[2]!, SPREADS[3]!]) {
    const of = await made(context.engine, "u16", [3, 130, 700], documents, { spread });
    for (const kind of ["gauss", "largest", "huge"] as const) {
      const weights = documentWeights(kind, documents);
      // The first call with a skip finds the value to skip; the second skips it.
      for (const options of [
        { squares: true },
        { skip: true },
        { skip: true },
        { skip: true, squares: true },
      ]) {
        const what = `${describeSpread(spread)}, ${kind} weights, ${Object.keys(options).join(" and ")}`;
        await compare(what, of, weights, { algorithm, ...options }, context);
      }
      const list = Array.from(weights.keys()).filter((i) => i % 5 > 2);
      const options = { algorithm, skip: true, documents: Uint32Array.from(list) };
      await compare("skip in a part", of, weights, options, { ...context, documents: list });
    }
    await of.table.free();
  }
}

async function withoutCounts(algorithm: string, context: Context): Promise<void> {
  const documents = 2 * limits.WEIGHT_ADDENDS + 3;
  const list = Array.from({ length: documents }, (_, i) => i).filter((i) => i % 3 < 2);
  const bins = { u4: [2, 7, 16], u8: [3, 130, 256], u16: [3, 300, 1024] } as const;
  for (const type of VALUE_TYPES) {
    const of = await made(context.engine, type, bins[type], documents, {
      spread: SPREADS[1]!,
      keepCounts: true,
    });
    for (const kind of ["gauss", "negative", "signs"] as const) {
      const weights = documentWeights(kind, documents);
      const run = (what: string, options: SumsOptions, chosen?: readonly number[]) =>
        compare(
          `${what}, ${kind} weights`,
          of,
          weights,
          { algorithm, ...options },
          { ...context, documents: chosen },
        );
      await run("sums alone", { counts: false });
      await run("sums alone of a part", { counts: false, documents: Uint32Array.from(list) }, list);
      await run("and squares", { counts: false, squares: true });
      await run("counted", {});
      await run("kept", {});
      await run("kept, with squares and a skip", { squares: true, skip: true });
    }
    await of.table.free();
  }
}

async function fast(algorithm: string, context: Context): Promise<void> {
  const documents = limits.FAST_ADDENDS + 100;
  for (const spread of [SPREADS[0]!, SPREADS[4]!]) {
    const of = await made(context.engine, "u16", [16, 300], documents, { spread });
    for (const kind of ["gauss", "equal", "huge", "denormal"] as const) {
      const what = `fast, ${describeSpread(spread)}, ${kind} weights`;
      const weights = documentWeights(kind, documents);
      await compare(what, of, weights, { algorithm, precision: "fast", squares: true }, context);
    }
    await of.table.free();
  }
}

async function siblings({ engine, check }: Context): Promise<void> {
  const { table } = await made(engine, "u8", [10, 256], 4099);
  const weights = documentWeights("gauss", 4099).map((weight) => weight * 12345);
  const mask = Uint8Array.from(weights, (weight) => (weight > 100 ? 1 : 0));
  const other = mask.map((byte) => 1 - byte);
  const [parent, left, right] = await Promise.all([
    table.sums(weights),
    table.sums(weights, { documents: mask }),
    table.sums(weights, { documents: other }),
  ]);
  for (const feature of [0, 1]) {
    const rest = parent.sums[feature]!.map((sum, bin) => sum - left.sums[feature]![bin]!);
    check.sameNumbers(`sums of feature ${feature}`, right.sums[feature]!, rest);
    const counts = parent.counts[feature]!.map((count, bin) => count - left.counts[feature]![bin]!);
    check.sameNumbers(`counts of feature ${feature}`, right.counts[feature]!, counts);
  }
  await table.free();
}
