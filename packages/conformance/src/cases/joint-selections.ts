import { integer, regular } from "@polybin/core";
import { arrayOver, SAMPLE_TRAITS } from "@polybin/core/backend";
import { fewAxesFor, wholeAxis } from "../axes.ts";
import type { Context, Topic } from "../case.ts";
import { generate } from "../generators.ts";
import {
  bitsOfMask,
  type Chosen,
  cellsByDefinition,
  checkCells,
  checkJoint,
  columnAround as column,
  hasJoint,
  maskOf,
} from "../joining.ts";
import { Random } from "../random.ts";

const topic = "joint";

/** Cases of masks, lists of indices and groups, over one column and several. */
export const jointSelections: Topic = () => [
  { topic, name: "masks of bytes, bits and residents, with odd tails", run: masks },
  { topic, name: "lists of indices, with repeats, and with a mask", run: lists },
  { topic, name: "groups: few, many, of every integer type", run: groups },
  { topic, name: "each channel of a picture with a mask, and in groups", run: channels },
];

async function masks(context: Context): Promise<void> {
  const { engine } = context;
  if (!(await hasJoint(context))) return;
  for (const n of [0, 1, 7, 8, 9, 31, 33, 1000, 16_385, 40_007]) {
    const columns = [column("u8", integer(3, 200), n), column("f32", regular(11, -400, 500), n, 2)];
    const some: Uint8Array = maskOf(n, n + 1);
    for (const mask of [some, new Uint8Array(n), new Uint8Array(n).fill(255)]) {
      const chosen = { mask };
      await checkJoint(context, "bytes", columns, { chosen, options: { mask } });
      const bits = bitsOfMask(mask);
      await checkJoint(context, "bits", columns, { chosen, options: { mask: { bits } } });
      const shifted = new Uint8Array(n + 3).subarray(3);
      shifted.set(mask);
      await checkJoint(context, "an unaligned mask", columns, { chosen, options: { mask: shifted } });
      await using resident = await engine.upload(mask);
      await checkJoint(context, "a resident", columns, { chosen, options: { mask: resident } });
    }
    const bytes = [column("u8", wholeAxis("u8", 64), n), column("u8", wholeAxis("u8", 256), n, 2)];
    await checkJoint(context, "masked bytes", bytes, { chosen: { mask: some }, options: { mask: some } });
  }
}

async function lists(context: Context): Promise<void> {
  const n = 20_003;
  const columns = [column("u16", fewAxesFor("u16", 20)[1]!, n), column("f64", regular(9, -300, 300), n, 2)];
  const random = new Random(7);
  const mask = maskOf(n, 3);
  for (const length of [0, 1, 2, 65, 5000, 3 * n]) {
    const where = Uint32Array.from({ length }, () => random.below(n));
    await checkJoint(context, "where", columns, { chosen: { where }, options: { where } });
    await checkJoint(context, "where and mask", columns, {
      chosen: { where, mask },
      options: { where, mask },
    });
    const bits = { bits: bitsOfMask(mask) };
    await checkJoint(context, "where and bits", columns, {
      chosen: { where, mask },
      options: { where, mask: bits },
    });
  }
  const same = new Uint32Array(1000).fill(n - 1);
  await checkJoint(context, "one index", columns, { chosen: { where: same }, options: { where: same } });
}

async function groups(context: Context): Promise<void> {
  const { engine, check } = context;
  const n = 9001;
  const axis = regular(16, -500, 500);
  const { values } = column("f32", axis, n);
  for (const [type, count] of [
    ["u8", 2],
    ["u8", 256],
    ["i8", 100],
    ["u16", 1000],
    ["i16", 300],
    ["u32", 3000],
    ["i32", 7],
  ] as const) {
    const random = new Random(count);
    const codes = arrayOver(type, new Uint8Array(n * SAMPLE_TRAITS[type].bytes));
    for (let i = 0; i < n; i++) codes[i] = random.below(count);
    const columns = [
      { type, axis: integer(0, count), values: codes },
      { type: "f32", axis, values },
    ] as const;
    const mask = maskOf(n, count);
    for (const chosen of [{}, { mask }] as readonly Chosen[]) {
      await check.unlessRefused(`${count} groups of ${type}`, async () => {
        const by = { codes, groups: count };
        const found = await engine.histogram(values, {
          axis,
          by,
          mask: chosen.mask as Uint8Array | undefined,
        });
        check.same("groups", found.groups, count);
        checkCells(check, `${count} groups`, found.joint, columns, cellsByDefinition(columns, chosen));
      });
    }
  }
}

async function channels(context: Context): Promise<void> {
  const { engine, check } = context;
  const n = 3001;
  const data = generate("u8", "gauss", 3 * n) as Uint8Array;
  const axis = wholeAxis("u8", 32);
  const mask = maskOf(n, 11);
  const codes = generate("u8", "uniform", n, 4).map((value) => value % 6) as Uint8Array;
  await check.unlessRefused("channels", async () => {
    const chosen = { mask };
    const each = await engine.histograms({ data, channels: 3 }, { channels: [2, 0], axis, mask });
    const grouped = await engine.histograms({ data, channels: 3 }, { axis, by: { codes, groups: 6 } });
    for (const channel of [0, 1, 2]) {
      const values = data.filter((_, i) => i % 3 === channel);
      const column = { type: "u8", axis, values } as const;
      const groupsColumn = { type: "u8", axis: integer(0, 6), values: codes } as const;
      const what = `channel ${channel}`;
      const of = [groupsColumn, column];
      checkCells(check, `groups of ${what}`, grouped[channel]!.joint, of, cellsByDefinition(of));
      const found = { 2: each[0], 0: each[1] }[channel];
      if (found === undefined) continue;
      const { cells, masked } = cellsByDefinition([column], chosen);
      check.sameNumbers(`counts of ${what}`, found.counts, cells.subarray(0, axis.bins));
      check.same(`masked of ${what}`, found.masked, masked);
    }
  });
}
