import { integer, regular, type WeightedJointHistogram } from "@polybin/core";
import type { Context, Topic } from "../case.ts";
import { exactSums } from "../exact.ts";
import { generate } from "../generators.ts";
import {
  bitsOfMask,
  type Chosen,
  type Column,
  cellsOf,
  columnAround as column,
  placedByDefinition,
  widened,
} from "../joining.ts";
import { Random } from "../random.ts";

const topic = "joint";

/** Cases of weights over several columns, masks, lists and groups. They need a backend with weighted sums. */
export const jointWeights: Topic = ({ weighted }) =>
  weighted.length === 0
    ? []
    : [
        { topic, name: "exact sums of weights over few and many cells", run: sums },
        { topic, name: "weights with masks and lists of indices", run: selections },
        { topic, name: "weights of groups", run: groups },
        { topic, name: "weights that do not fit the columns", run: wrong },
      ];

/** Weights of very different sizes and signs, whose sums depend on the order in plain floats. */
function weightsOf(n: number, seed: number): Float64Array {
  const random = new Random(seed);
  return Float64Array.from({ length: n }, () => (random.unit() - 0.5) * 2 ** (random.below(60) - 30));
}

/** Compares counts, sums and sums of squares of every cell, bit for bit. */
function compare(
  { check }: Context,
  what: string,
  found: WeightedJointHistogram,
  columns: readonly Column[],
  weights: ArrayLike<number>,
  chosen: Chosen,
): void {
  const { placed, masked } = placedByDefinition(columns, chosen);
  const cells = placed.map(({ cell }) => cell);
  const own = placed.map(({ sample }) => weights[sample]!);
  const bins = cellsOf(columns);
  const { extents, shape } = found;
  const all = (of: Float64Array) => widened(of, extents, shape);
  const ones = placed.map(() => 1);
  check.sameNumbers(`${what}: counts`, all(found.cells.counts!), exactSums(cells, bins, ones));
  check.sameNumbers(`${what}: sums`, all(found.cells.sums), exactSums(cells, bins, own));
  const squares = own.map((weight) => weight * weight);
  if (found.cells.sumsOfSquares !== null) {
    check.sameNumbers(`${what}: squares`, all(found.cells.sumsOfSquares), exactSums(cells, bins, squares));
  }
  check.same(`${what}: masked`, found.masked, masked);
}

async function sums(context: Context): Promise<void> {
  const { engine, check } = context;
  for (const [n, first, second] of [
    [0, 4, 5],
    [1, 4, 5],
    [3001, 12, 9],
    [3001, 100, 120],
    // More cells than a table has bins, and so than devices add up.
    [2000, 300, 300],
  ] as const) {
    const columns = [
      column("f32", regular(first, -500, 500), n, 1),
      column("u16", integer(3, 3 + second), n, 2),
    ];
    const axes = columns.map(({ axis }) => axis);
    const inputs = columns.map(({ values }) => values);
    for (const weights of [weightsOf(n, n), Float32Array.from(weightsOf(n, n + 1))]) {
      const what = `${n} samples, ${first} x ${second}, ${weights.BYTES_PER_ELEMENT} bytes`;
      await check.unlessRefused(what, async () => {
        const found = await engine.joint(inputs, { axes, weights, squares: true });
        compare(context, what, found, columns, weights, {});
        check.same(`${what}: backend`, found.backend, engine.backend);
      });
    }
  }
}

async function selections(context: Context): Promise<void> {
  const { engine, check } = context;
  const n = 2003;
  const columns = [column("f64", regular(7, -300, 400), n, 3), column("i8", integer(-20, 30), n, 4)];
  const axes = columns.map(({ axis }) => axis);
  const inputs = columns.map(({ values }) => values);
  const weights = weightsOf(n, 9);
  const mask = Uint8Array.from(generate("u8", "uniform", n, 5), (value) => value & 2);
  const where = Uint32Array.from(generate("u16", "uniform", 500, 6), (value) => value % n);
  for (const chosen of [{ mask }, { where }, { mask, where }] as readonly Chosen[]) {
    const given = { where: chosen.where, mask: chosen.mask as Uint8Array | undefined };
    const bits = chosen.mask === undefined ? undefined : { bits: bitsOfMask(chosen.mask) };
    await check.unlessRefused("two columns", async () => {
      compare(
        context,
        "joint",
        await engine.joint(inputs, { axes, weights, ...given }),
        columns,
        weights,
        chosen,
      );
      const again = await engine.joint(inputs, { axes, weights, where: chosen.where, mask: bits });
      compare(context, "joint by bits", again, columns, weights, chosen);
    });
    await check.unlessRefused("one column", async () => {
      const [{ values, axis, type }] = columns as [Column];
      const found = await engine.histogram(values, { axis, weights, ...given });
      const { placed, masked } = placedByDefinition([{ values, axis, type }], chosen);
      const cells = placed.map(({ cell }) => cell);
      const own = placed.map(({ sample }) => weights[sample]!);
      const expected = exactSums(cells, axis.bins + 3, own);
      const { underflow, overflow, nan } = found.flowSums;
      check.sameNumbers("one column", [...found.sums, underflow, overflow, nan], expected);
      check.same("masked", found.masked, masked);
    });
  }
}

async function groups(context: Context): Promise<void> {
  const { engine, check } = context;
  const n = 1501;
  const values = column("f32", regular(5, -100, 300), n, 8);
  const weights = weightsOf(n, 2);
  const codes = Uint16Array.from(generate("u16", "uniform", n), (value) => value % 300);
  const columns = [{ type: "u16", axis: integer(0, 300), values: codes } as const, values];
  await check.unlessRefused("groups", async () => {
    const found = await engine.histogram(values.values, {
      axis: values.axis,
      weights,
      by: { codes, groups: 300 },
    });
    compare(context, "groups", found.joint, columns, weights, {});
    const own = [...codes.keys()].filter((i) => codes[i] === 7);
    const alone = await engine.histogram(
      values.values.filter((_: number, i: number) => codes[i] === 7),
      { axis: values.axis, weights: own.map((i) => weights[i]!) },
    );
    check.sameNumbers("sums of a group", found.at(7).sums, alone.sums);
    check.sameNumbers("counts of a group", found.at(7).counts!, alone.counts!);
    await check.rejects(
      "codes out of range",
      () => engine.histogram(values.values, { axis: values.axis, weights, by: { codes, groups: 299 } }),
      { code: "ERR_INPUT" },
    );
  });
}

async function wrong(context: Context): Promise<void> {
  const { engine, check } = context;
  const a = new Uint8Array(10);
  const refused = (what: string, options: object, code = "ERR_INPUT") =>
    check.rejects(what, () => engine.joint([a, a], options), { code });
  await refused("too few weights", { weights: new Float64Array(9) });
  await refused("a weight that is not finite", { weights: new Float64Array(10).fill(Infinity) });
  await refused("weights in words", { weights: "many" });
  await refused("an option of counts", { weights: new Float64Array(10), k: 3 });
  await refused(
    "an algorithm of counts",
    { weights: new Float64Array(10), algorithm: "sequential" },
    "ERR_UNSUPPORTED",
  );
  await using resident = await engine.upload(a);
  await check.rejects("too few for a resident", () => engine.joint([a, resident], { weights: [1] }), {
    code: "ERR_INPUT",
  });
}
