import { type Axis, integer, regular } from "@polybin/core";
import { limits, type SampleArray } from "@polybin/core/backend";
import type { Case, Context, Topic } from "../case.ts";
import { aroundAxis } from "../generators.ts";
import { answer } from "../oracle/cells.ts";
import { codeOf } from "../oracle/codes.ts";
import { unitsOf } from "../oracle/exact.ts";
import { differenceOf, numbersOf } from "../oracle/results.ts";
import { Random } from "../random.ts";
import { documentWeights, featureValues, quantumOf, sumByDefinition } from "../weighting.ts";

/** Cases of weights that rounding to one scale would lose: exact sums of plain samples, and refusals by tables. */
export const weightedExact: Topic = ({ weighted, methods, composed }) => {
  if (weighted.length === 0) return [];
  const each = ["auto", ...methods.map(({ slug }) => slug)];
  const all = [...each, ...composed.map(({ slug }) => slug)];
  const perSlug = (
    slugs: readonly string[],
    name: string,
    run: (slug: string, context: Context) => Promise<void>,
  ): Case[] =>
    slugs.map((slug) => ({
      topic: "weighted",
      name: `${slug}: ${name}`,
      run: (context) => run(slug, context),
    }));
  return [
    { topic: "weighted", name: "histogram with weights: one large among many small ones", run: histograms },
    ...perSlug(each, "histogram with weights of every size: exact sums", everyWeight),
    {
      topic: "weighted",
      name: "histogram with weights: numbers that no double can hold are refused",
      run: pastDoubles,
    },
    ...perSlug(all, "two limbs, and the error bound", twoLimbs),
    { topic: "weighted", name: "weights that rounding would lose are refused", run: losses },
  ];
};

async function compare(
  what: string,
  { engine, check, algorithm = "auto" }: Context & { readonly algorithm?: string },
  axis: Axis,
  samples: SampleArray,
  weights: Float32Array | Float64Array,
): Promise<void> {
  await check.unlessRefused(what, async () => {
    const got = await engine.histogram(samples, { axis, weights, squares: true, algorithm });
    const codes = Uint32Array.from(samples as ArrayLike<number>, codeOf(axis, got.type));
    const columns = [{ codes, bins: axis.bins }];
    const none = { where: null, mask: null, rows: null };
    const want = answer({ columns, ...none, weights, squares: true, isFast: false });
    const wrong = differenceOf(numbersOf(got), want);
    check.ok(`${what}: ${wrong}`, wrong === null);
    check.same(`${what}: backend`, got.backend, engine.backend);
  });
}

async function histograms(context: Context): Promise<void> {
  const known = await context.engine.histogram(new Uint8Array(100_000), {
    weights: new Float64Array(100_000).fill(0.1).fill(1e6, 77, 78),
  });
  context.check.same("one of 10^6 among 99,999 of 0.1", known.sums[0], 1009999.9);
}

/** Kinds of difficult weights, `n` of each. */
const HARD: Readonly<Record<string, (n: number, random: Random) => Float32Array | Float64Array>> = {
  "one of 10^6 among 0.1": (n) => new Float64Array(n).fill(0.1).fill(1e6, n >> 1, (n >> 1) + 1),
  "the same in 32 bits": (n) => new Float32Array(n).fill(0.1).fill(1e6, n >> 1, (n >> 1) + 1),
  "12 orders of magnitude, mixed signs": (n, random) =>
    Float64Array.from({ length: n }, () => (random.unit() - 0.5) * 10 ** (12 * random.unit() - 6)),
  "all 32-bit floats, denormals too": (n, random) =>
    Float32Array.from({ length: n }, () => (random.unit() - 0.5) * 2 ** (277 * random.unit() - 149)),
  "cancelling weights": (n) =>
    Float64Array.from({ length: n }, (_, i) => [2 ** 60, 1, -(2 ** 60), 2 ** -60][i % 4]!),
  "halves of a last bit": (n) =>
    Float64Array.from({ length: n }, (_, i) => (i % 2 ? 2 ** -53 : i < 300 ? 1 : 0)),
  "whole numbers": (n, random) => Float64Array.from({ length: n }, () => random.below(1000)),
  "only zeros": (n) => new Float64Array(n).fill(-0),
  "far apart": (n) => Float64Array.from({ length: n }, (_, i) => [1e150, 1e-150, -3, 0.1][i % 4]!),
};

async function everyWeight(algorithm: string, context: Context): Promise<void> {
  // This is more than the number of weights that a 32-bit accumulator adds.
  const n = limits.WEIGHT_ADDENDS + 55;
  const axis = regular(5, 0, 1);
  const samples = aroundAxis(axis, "f32", n);
  for (const [what, make] of Object.entries(HARD)) {
    const weights = make(n, new Random(n));
    await compare(`${algorithm}, ${what}`, { ...context, algorithm }, axis, samples, weights);
  }
}

async function pastDoubles(context: Context): Promise<void> {
  const { engine, check } = context;
  const samples = Uint8Array.of(1, 1, 1);
  const largest = Number.MAX_VALUE;
  const refused = (what: string, weights: readonly number[], squares: boolean, ...says: string[]) =>
    check.rejects(what, () => engine.histogram(samples, { weights, squares }), { code: "ERR_LIMIT", says });
  await refused("a sum", [largest, largest, 1], false, "bin 1", "largest double");
  await refused("a square", [1, 1e155, 1], true, "weights[1]", "squares");
  await refused("a square that is 0", [1, 1, 1e-170], true, "weights[2]", "squares");
  await compare(
    "the largest double, and cancelling weights",
    context,
    integer(0, 256),
    samples,
    Float64Array.of(1e150, 1, 0),
  );
  const sums = await engine.histogram(samples, { weights: [largest, largest, -largest] });
  check.same("a sum that exceeds it in between", sums.sums[1], largest);
  const least = await engine.histogram(samples, {
    weights: [Number.MIN_VALUE, Number.MIN_VALUE, 2 ** -1022],
  });
  check.same("denormals", least.sums[1], 2 ** -1022 + 2 ** -1073);
}

async function twoLimbs(algorithm: string, { engine, check }: Context): Promise<void> {
  const documents = 2 * limits.WEIGHT_ADDENDS + 3;
  const bins = [16, 300];
  const rows = bins.map((of, i) => featureValues(of, documents, { kind: "zeros", share: 0.5 }, i + 1));
  const values = new Uint16Array(bins.length * documents);
  rows.forEach((row, feature) => {
    values.set(row, feature * documents);
  });
  await using table = await engine.table({ values, features: bins.length, documents, bins });
  const list = Array.from({ length: documents }, (_, i) => i).filter((i) => i % 3 > 0);
  for (const kind of ["gauss", "equal", "largest", "signs", "denormal", "huge"] as const) {
    const weights = documentWeights(kind, documents);
    for (const [limbs, skip, part] of [
      [1, false, false],
      [2, false, false],
      [2, true, false],
      [2, true, true],
    ] as const) {
      const what = `${algorithm}, ${kind}, ${limbs} limbs${skip ? ", skip" : ""}${part ? ", a part" : ""}`;
      const chosen = part ? list : undefined;
      await check.unlessRefused(what, async () => {
        const options = {
          algorithm,
          limbs,
          skip,
          squares: true,
          ...(part ? { documents: Uint32Array.from(list) } : {}),
        };
        const got = await table.sums(weights, options);
        const units = { unit: got.quantum!, squareUnit: got.quantumOfSquares! };
        const want = rows.map((row, i) =>
          sumByDefinition(row, bins[i]!, weights, chosen ?? weights.keys(), units),
        );
        check.sums(what, got, want);
        check.same(`${what}: limbs`, got.limbs, limbs);
        for (const [power, quantum, sizes] of [
          [1, got.quantum!, Float64Array.from(weights, Math.abs)],
          [2, got.quantumOfSquares!, Float64Array.from(weights, (weight) => weight * weight)],
        ] as const) {
          const finer = quantumOf(weights, power) / quantum;
          const size = sizes.reduce((sum, weight) => sum + weight, 0);
          // The quantum is 2^20 times finer, or as fine as 2^53 quanta of all weights together allow.
          const isFull = (size / quantum) * 2 > 2 ** 53 * (1 - 2 ** -19);
          check.ok(
            `${what}: 1/${finer} of the quantum`,
            limbs === 1 ? finer === 1 : finer === 2 ** 20 || isFull,
          );
        }
        rows.forEach((row, i) => {
          const far = farthest(row, weights, got.sums[i]!, got.maxError![i]!, chosen ?? [...weights.keys()]);
          check.ok(`${what}: the error of feature ${i}, bin ${far} exceeds maxError`, far < 0);
        });
      });
    }
  }
}

/** Returns a bin whose sum is further from the exact one than its bound, or -1 if there is none. */
function farthest(
  row: ArrayLike<number>,
  weights: Float32Array,
  sums: Float64Array,
  bounds: Float64Array,
  documents: readonly number[],
): number {
  const exact = new Array<bigint>(sums.length).fill(0n);
  for (const i of documents) exact[row[i]!]! += unitsOf(weights[i]!);
  return exact.findIndex((sum, bin) => {
    const off = unitsOf(sums[bin]!) - sum;
    return (off < 0n ? -off : off) > unitsOf(bounds[bin]!);
  });
}

async function losses({ engine, check }: Context): Promise<void> {
  const documents = 99_999;
  await using table = await engine.table({
    values: new Uint8Array(documents),
    features: 1,
    documents,
    bins: 2,
  });
  const weights = new Float32Array(documents).fill(0.1).fill(1e6, 5, 6);
  const lost = { code: "ERR_LIMIT", says: ["0.99%", "limbs: 2", "fast", "clip"] };
  await check.rejects("one of 10^6 among 0.1", () => table.sums(weights), lost);
  const few = Uint32Array.of(1, 2, 3);
  await check.rejects("a part without it", () => table.sums(weights, { documents: few }), lost);
  const { sums, maxError } = await table.sums(weights, { limbs: 2 });
  const exact = sumByDefinition(new Uint8Array(documents), 2, weights).plain[0]!;
  check.ok(`two limbs: ${sums[0]![0]}, expected about ${exact}`, Math.abs(sums[0]![0]! - exact) < 0.1);
  check.ok(`two limbs: a bound of ${maxError![0]![0]}`, maxError![0]![0]! < 0.1);
  // A few small weights next to the largest lose little in total, so they are accepted.
  const sparse = new Float32Array(documents).fill(1e6, 5, 6).fill(0.1, 7, 9);
  check.same("sparse weights", (await table.sums(sparse)).sums[0]![0], 1e6);
  const fast = await table.sums(weights, { precision: "fast" });
  check.same("fast has no bound of its own", fast.maxError, null);
}
