import { integer, regular, type SampleType, variable } from "@polybin/core";
import { limits, SAMPLE_TRAITS, SAMPLE_TYPES, type SampleArray } from "@polybin/core/backend";
import { axesFor, fewAxesFor, wholeAxis } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { aroundAxis, filled, generate } from "../generators.ts";
import {
  bitsOfMask,
  type Column,
  cellsByDefinition,
  checkCells,
  checkJoint,
  columnAround as column,
  hasJoint,
  maskOf,
} from "../joining.ts";
import { Random } from "../random.ts";
import { MEMORIES, pictureOf } from "../segmenting.ts";

const topic = "joint";

/** Cases of histograms over several columns. If a backend does not count them, all are skipped with its sentence. */
export const joint: Topic = ({ slugs }) => [
  ...SAMPLE_TYPES.map(
    (type): Case => ({
      topic,
      name: `${type} with every type, over every kind of axis`,
      run: (context) => pairs(type, context),
    }),
  ),
  { topic, name: "two to six columns of different types", run: manyColumns },
  { topic, name: "sizes: none, one, odd tails, around what a step counts", run: sizes },
  { topic, name: "cells: one, few, around what tables hold, and many", run: manyCells },
  { topic, name: "bytes of any joint distribution", run: distributions },
  { topic, name: "residents, unaligned views, shared memory, and arrays of numbers", run: memory },
  { topic, name: "channels, regions and row pitch of pictures", run: pictures },
  { topic, name: "every projection equals the one-axis histogram", run: projections },
  { topic, name: "axes that the data decides, and samples that all have one code", run: axisOfData },
  { topic, name: "random columns, axes and selections (property)", run: property },
  ...slugs.map(
    (slug): Case => ({
      topic,
      name: `${slug}: cells counted like samples, or a sentence`,
      run: (context) => everyAlgorithm(slug, context),
    }),
  ),
];

async function pairs(type: SampleType, context: Context): Promise<void> {
  const n = 1501;
  for (const other of SAMPLE_TYPES) {
    for (const [i, axis] of axesFor(type, 13).entries()) {
      const second = axesFor(other, 7)[(i * 5) % 9]!;
      await checkJoint(context, "pairs", [column(type, axis, n), column(other, second, n, 2)]);
    }
  }
}

async function manyColumns(context: Context): Promise<void> {
  for (let count = 2; count <= limits.MAX_JOINT_COLUMNS; count++) {
    for (let turn = 0; turn < 8; turn++) {
      const columns = Array.from({ length: count }, (_, k) => {
        const type = SAMPLE_TYPES[(turn + 3 * k) % SAMPLE_TYPES.length]!;
        return column(type, fewAxesFor(type, 3 + ((turn + k) % 4))[(turn + k) % 3]!, 777, k + 1);
      });
      await checkJoint(context, `${count} columns`, columns);
    }
  }
}

const AROUND_STEPS = [0, 1, 2, 3, 5, 63, 64, 65, 4095, 4097, 16_383, 16_384, 16_385, 65_537];

async function sizes(context: Context): Promise<void> {
  for (const n of AROUND_STEPS) {
    for (const types of [
      ["u8", "u8"],
      ["u16", "f32"],
      ["f64", "i8"],
    ] as const) {
      const columns = types.map((type, k) => column(type, fewAxesFor(type, 9)[1]!, n, k + 1));
      await checkJoint(context, "sizes", columns);
    }
  }
}

async function manyCells(context: Context): Promise<void> {
  const n = 30_011;
  const bytes = (bins: number, seed: number): Column => ({
    type: "u8",
    axis: wholeAxis("u8", bins),
    values: generate("u8", "uniform", n, seed),
  });
  for (const [a, b] of [
    [1, 1],
    [1, 256],
    [16, 16],
    [64, 64],
    [256, 32],
    [128, 256],
    [256, 256],
    [10, 100],
    [3, 7],
  ] as const) {
    await checkJoint(context, "bytes", [bytes(a, 1), bytes(b, 2)]);
  }
  await checkJoint(context, "colours", [bytes(16, 1), bytes(16, 2), bytes(16, 3)]);
  await checkJoint(context, "uneven colours", [bytes(10, 1), bytes(11, 2), bytes(12, 3)]);
  await checkJoint(context, "four uneven columns", [bytes(5, 1), bytes(6, 2), bytes(7, 3), bytes(9, 4)]);
  for (const bins of [100, 300, 1000]) {
    const axis = regular(bins, -900, 900);
    await checkJoint(context, "floats", [column("f32", axis, n), column("f32", axis, n, 2)]);
  }
  const wide = integer(0, limits.HALF_VALUES);
  const values = generate("u16", "uniform", n);
  await checkJoint(context, "a wide axis", [{ type: "u16", axis: wide, values }, bytes(16, 2)]);
}

async function distributions(context: Context): Promise<void> {
  const n = 70_003;
  const axis = wholeAxis("u8", limits.BYTE_VALUES);
  const of = (kind: Parameters<typeof generate>[1], seed = 1) => generate("u8", kind, n, seed);
  const pairs: readonly (readonly [string, SampleArray, SampleArray])[] = [
    ["independent", of("uniform", 1), of("uniform", 2)],
    ["equal columns", of("uniform"), of("uniform")],
    ["constant", of("constant"), of("constant")],
    ["zeros", of("zeros"), of("zeros")],
    ["correlated", of("gauss"), of("gauss").map((value) => value ^ 3) as SampleArray],
    ["two points", of("two values"), of("two values")],
    ["sorted", of("sorted"), of("sorted")],
    ["a ramp and noise", of("ramp"), of("uniform")],
    ["the last cell", of("maximum"), of("maximum")],
  ];
  for (const [name, x, y] of pairs) {
    for (const bins of [axis, wholeAxis("u8", 64)]) {
      await checkJoint(context, name, [
        { type: "u8", axis: bins, values: x },
        { type: "u8", axis: bins, values: y },
      ]);
    }
  }
}

async function memory(context: Context): Promise<void> {
  const { engine } = context;
  if (!(await hasJoint(context))) return;
  const n = 4001;
  for (const type of SAMPLE_TYPES) {
    const { bytes: size } = SAMPLE_TRAITS[type];
    const columns = [column(type, fewAxesFor(type, 8)[1]!, n), column("u8", integer(0, 100), n, 2)];
    const { buffer, byteOffset, byteLength } = columns[0]!.values;
    for (const Memory of MEMORIES) {
      const bytes = new Uint8Array(new Memory(n * size + 1), 1);
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength));
      const data = { data: bytes, type };
      await checkJoint(context, "unaligned", columns, { inputs: [data, columns[1]!.values] });
    }
    await using first = await engine.upload(columns[0]!.values);
    await using second = await engine.upload(columns[1]!.values);
    await checkJoint(context, "residents", columns, { inputs: [first, second] });
    await checkJoint(context, "a resident and memory", columns, { inputs: [first, columns[1]!.values] });
  }
  const numbers = [0.5, 1.5, -3, 7, 1.5];
  const values = Float64Array.from(numbers);
  const plain: Column = { type: "f64", axis: variable([0, 1, 2]), values };
  await checkJoint(context, "numbers", [plain, plain], { inputs: [numbers, numbers] });
}

async function pictures(context: Context): Promise<void> {
  const { engine, check } = context;
  const region = { x: 3, y: 2, width: 41, height: 20 };
  for (const type of ["u8", "u16", "f32"] as const) {
    for (const channels of [2, 3, 4]) {
      const axes = Array.from({ length: channels }, (_, k) => fewAxesFor(type, 5 + k)[k % 3]!);
      const values = aroundAxis(axes[0]!, type, 47 * 31 * channels, channels);
      for (const padding of [0, 5 * SAMPLE_TRAITS[type].bytes, 3]) {
        const of = { channels, width: 47, padding, region };
        const columns = axes.map((axis, channel) => {
          const { sheet } = pictureOf(type, values, { ...of, channel });
          return { type, axis, values: sheet.values };
        });
        const { input } = pictureOf(type, values, { ...of, channel: 0 });
        await check.unlessRefused("channels", async () => {
          const picture = input as Uint8Array;
          const all = await engine.joint(picture, { axes });
          checkCells(check, "all channels", all, columns, cellsByDefinition(columns));
          const [first, last] = [columns[0]!, columns.at(-1)!];
          const some = await engine.joint(picture, {
            channels: [channels - 1, 0],
            axes: [last.axis, first.axis],
          });
          checkCells(check, "two channels", some, [last, first], cellsByDefinition([last, first]));
          const one = { input: picture, channel: channels - 1 };
          const twice = await engine.joint([one, one], { axes: [last.axis, first.axis] });
          const same = [last, { ...last, axis: first.axis }];
          checkCells(check, "the same channel twice", twice, same, cellsByDefinition(same));
        });
        // A picture with rows and a flat column.
        const flat = column("i16", integer(-9, 9), region.width * region.height);
        const one = { input: input as Uint8Array, channel: channels - 1 };
        await checkJoint(context, "a channel and a flat column", [columns.at(-1)!, flat], {
          inputs: [one, flat.values],
        });
        await checkJoint(context, "a flat column and a channel", [flat, columns.at(-1)!], {
          inputs: [flat.values, one],
        });
      }
    }
  }
}

async function projections(context: Context): Promise<void> {
  const { engine, check } = context;
  const n = 12_345;
  const columns = [
    column("f32", variable([-500, -3, 0.5, 400]), n),
    column("u16", fewAxesFor("u16", 21)[1]!, n, 2),
    column("u8", wholeAxis("u8", 16), n, 3),
  ];
  await check.unlessRefused("projections", async () => {
    const axes = columns.map(({ axis }) => axis);
    const found = await engine.joint(
      columns.map(({ values }) => values),
      { axes },
    );
    for (const [k, { values, axis }] of columns.entries()) {
      const one = await engine.histogram(values, { axis });
      const projected = found.project(k);
      check.histogram(`axis ${k}`, projected, one);
    }
  });
}

async function axisOfData(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasJoint(context))) return;
  const values = generate("f32", "gauss", 5000);
  const bytes = generate("u8", "gauss", 5000);
  const found = await engine.joint([values, bytes], { axes: [{ bins: 20 }, { bins: 16, range: "data" }] });
  const first = await engine.histogram(values, { bins: 20 });
  const second = await engine.histogram(bytes, { bins: 16, range: "data" });
  check.same("the first axis", JSON.stringify(found.axes[0]), JSON.stringify(first.axis));
  check.same("the second axis", JSON.stringify(found.axes[1]), JSON.stringify(second.axis));
  const without = await engine.joint([bytes, bytes.map((value) => value ^ 1) as SampleArray]);
  check.same("axes of bytes", String(without.shape), "256,256");
  const below: Column = { type: "u32", axis: integer(-20, -10), values: Uint32Array.of(1, 2, 3) };
  await checkJoint(context, "one code", [below, below]);
  const mask = Uint8Array.of(1, 0, 1);
  const other: Column = { type: "u8", axis: integer(0, 2), values: Uint8Array.of(0, 1, 2) };
  await checkJoint(context, "one code, masked", [below, other], { chosen: { mask }, options: { mask } });
}

async function property(context: Context): Promise<void> {
  const random = new Random(context.seed);
  for (let run = 0; run < 3 * context.runs; run++) {
    const n = random.below(3000);
    const columns = Array.from({ length: 2 + random.below(3) }, (_, k) => {
      const type = SAMPLE_TYPES[random.below(SAMPLE_TYPES.length)]!;
      const axes = axesFor(type, 1 + random.below(30));
      return column(type, axes[random.below(axes.length)]!, n, run + k);
    });
    const mask = random.bits() & 1 ? maskOf(n, run + 1) : undefined;
    const isListed = n > 0 && random.below(3) === 0;
    const where = isListed
      ? Uint32Array.from({ length: random.below(2000) }, () => random.below(n))
      : undefined;
    const given = mask !== undefined && random.bits() & 1 ? { bits: bitsOfMask(mask) } : mask;
    await checkJoint(context, `run ${run}`, columns, {
      chosen: { mask, where },
      options: { mask: given, where },
    });
  }
}

/** Counts with one algorithm, as far as its limit on cells allows. */
async function everyAlgorithm(algorithm: string, context: Context): Promise<void> {
  for (const [types, bins] of [
    [
      ["u8", "u8"],
      [4, 4],
    ],
    [
      ["u8", "u16"],
      [8, 5],
    ],
    [
      ["f32", "u8"],
      [20, 32],
    ],
    [
      ["f64", "i32", "i8"],
      [6, 5, 4],
    ],
  ] as const) {
    for (const n of [0, 1, 3001]) {
      const columns = types.map((type, k) => column(type, fewAxesFor(type, bins[k]!)[k % 3]!, n, k + 1));
      await checkJoint(context, algorithm, columns, { options: { algorithm } });
      const mask = maskOf(n, 5);
      await checkJoint(context, `${algorithm} with a mask`, columns, {
        chosen: { mask },
        options: { algorithm, mask },
      });
    }
  }
  const same = filled("u8", 7, 3000);
  const one = { type: "u8", axis: wholeAxis("u8", 16), values: same } as const;
  await checkJoint(context, `${algorithm}, equal samples`, [one, one], { options: { algorithm } });
}
