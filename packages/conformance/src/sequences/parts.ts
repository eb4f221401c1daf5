import type { SampleType, SegmentsInit } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import type { CaseRequest } from "../case.ts";
import { ALIKE } from "../request/axes.ts";
import { type Column, type How, type Over, PLAIN, type Request, type Weighing } from "../request/request.ts";
import { type Data, FORMS } from "../request/samples.ts";
import { endsOf } from "../rules.ts";
import type { Step, StepOf, TableOf } from "./step.ts";

/** Requests that differ in one part only, and the name of the part. */
export interface Part {
  readonly part: string;
  readonly steps: readonly Step[];
}

const DATA: Data = { type: "i32", pixels: 240, channels: 1, seed: 1, form: "array", picture: null };
const RGBA: Data = { ...DATA, channels: 4 };
const PICTURE: Data = { ...DATA, picture: { width: 8, padding: 0, part: "all" } };
const over = (axis: number, anew = false): Over => ({ axis, anew });
const COLUMN: Column = { data: DATA, channel: 0, over: over(20) };
const WEIGHTS: Weighing = {
  ...{ seed: 0, type: "f32", of: "eighths", form: "array", channels: 1 },
  ...{ squares: false, precision: "reproducible" },
};
const TABLE: TableOf = { type: "u8", documents: 300, bins: [16, 3], seed: 0 };

/** Changes of one column: its own fields, or those of its data. */
type ColumnChange = Partial<Omit<Column, "data"> & Data>;

function columnWith({ channel, over: of, ...data }: ColumnChange, column: Column = COLUMN): Column {
  return {
    data: { ...column.data, ...data },
    channel: channel ?? column.channel,
    over: of ?? column.over,
  };
}

const one = (changes: ColumnChange = {}, parts: Partial<Request> = {}): Request => ({
  ...PLAIN,
  columns: [columnWith(changes)],
  ...parts,
});
const joint = (changes: ColumnChange = {}, parts: Partial<Request> = {}): Request => ({
  ...PLAIN,
  columns: [COLUMN, columnWith(changes)],
  ...parts,
});
const cut = (how: SegmentsInit, leave = false): Request["rows"] => ({ cut: how, leave });
const segments = (changes: ColumnChange = {}): Request => one(changes, { rows: cut({ every: 60 }) });
const each = (
  channels: readonly number[],
  of: (channel: number) => Over = () => over(20),
  as: Request["as"] = "each",
): Request => ({
  ...PLAIN,
  as,
  columns: channels.map((channel) => ({ data: RGBA, channel, over: of(channel) })),
});
const by = (seed: number, groups: number, type: SampleType = "u8"): Partial<Request> => ({
  rows: { by: { seed, groups, type, form: "array" } },
});

const ask = (request: Request, aborted = false): Step => ({ kind: "ask", request, aborted });
const counter = (request: Request, way: StepOf<"counter">["way"] = "count"): Step => ({
  kind: "counter",
  way,
  requests: [request],
});
const sums = (changes: Partial<StepOf<"sums">> = {}): Step => ({
  ...{ kind: "sums", table: TABLE, weights: 0, documents: null, counts: true, squares: false, skip: false },
  ...{ algorithm: "auto", ...changes },
});

/** Requests over each of some axes, in which nothing else changes. */
const OVER: Readonly<Record<string, (of: Over) => Step>> = {
  "": (of) => ask(one({ over: of })),
  " of channels": (of) => ask(each([0, 1, 2, 3], () => of)),
  " of segments": (of) => ask(segments({ over: of })),
  " of a counter": (of) => counter(one({ over: of })),
  " of a counter of columns": (of) => counter(joint({ over: of })),
  " of a joint column": (of) => ask(joint({ over: of })),
  " of a stream": (of) => ask(one({ over: of, form: "uneven pieces" })),
  " of groups": (of) => ask(one({ over: of }, by(1, 3))),
  " of 64-bit integers": (of) => ask(one({ over: of, type: "i64" })),
  " of bytes": (of) => ask(one({ over: of, type: "u8" })),
};

/** Lists the parts of requests, for the algorithms that a backend claims. */
export function partsOf({ algorithms, weighted, methods }: CaseRequest): readonly Part[] {
  const hows: readonly (How | null)[] = [
    null,
    ...algorithms.map(({ slug }) => ({ algorithm: slug, parameters: {} })),
  ];
  const parameters = algorithms.flatMap((of) =>
    endsOf(of).map((given) => ({ algorithm: of.slug, parameters: given })),
  );
  const every: Readonly<Record<string, readonly Step[]>> = {
    ...Object.fromEntries(
      ALIKE.flatMap((axes, i) =>
        Object.entries(OVER).map(([name, make]) => [
          `axis ${i}${name}`,
          axes.map((axis) => make(over(axis))),
        ]),
      ),
    ),
    "object of the axis": [over(20), over(20, true), over(28), over(28, true)].map((of) =>
      ask(one({ over: of })),
    ),
    "bins and range": RANGES.map((of) => ask(one({ over: of }))),
    "axes of channels": [
      [20, 21, 22, 23],
      [23, 22, 21, 20],
      [0, 1, 2, 3],
    ].map((axes) => ask(each([0, 1, 2, 3], (channel) => over(axes[channel]!), "each own"))),
    type: TYPES.map((type) => ask(one({ type }))),
    "type of a counter": TYPES.map((type) => counter(one({ type }))),
    "type of segments": TYPES.map((type) => ask(segments({ type }))),
    "type of a joint column": TYPES.map((type) => ask(joint({ type }))),
    content: [0, 1, 2].map((seed) => ask(one({ seed }))),
    "content on the device": [0, 1, 2].map((seed) => ask(one({ seed, form: "resident" }))),
    "number of samples": SIZES.map((pixels) => ask(one({ pixels }))),
    "number of samples of segments": SIZES.map((pixels) => ask(segments({ pixels }))),
    memory: FORMS.filter((form) => form !== "numbers").map((form) => ask(one({ form }))),
    "memory of a mask": FORMS.filter((form) => form !== "numbers").map((form) =>
      ask(one({}, { select: { mask: { seed: 1, form }, where: null } })),
    ),
    "interleaved channels": [1, 2, 3, 4].map((channels) => ask(one({ channels }))),
    channel: [0, 1, 2, 3].map((channel) => ask(one({ ...RGBA, channel }))),
    "channel of segments": [0, 1, 2, 3].map((channel) => ask(segments({ ...RGBA, channel }))),
    "channel of a joint column": [0, 1, 2, 3].map((channel) => ask(joint({ ...RGBA, channel }))),
    "channels and their order": CHANNELS.map((channels) => ask(each(channels))),
    "channels of a counter": CHANNELS.map((channels) => counter(each(channels))),
    "rows of a picture": PICTURES.map((picture) =>
      ask(one({ ...PICTURE, picture }, { rows: cut({ tiles: { width: 4, height: 4 } }) })),
    ),
    "row pitch and region": PICTURES.map((picture) => ask(one({ ...PICTURE, picture }))),
    segments: CUTS.map((how) => ask(one(PICTURE, { rows: cut(how) }))),
    "segments of several columns": CUTS.slice(0, 7).map((how) => ask(joint({}, { rows: cut(how) }))),
    "place of the rows of segments": [true, false].map((leave) =>
      ask(one({}, { rows: cut({ every: 60 }, leave) })),
    ),
    mask: SELECTS.map((select) => ask(one({}, select))),
    "mask of several columns": SELECTS.map((select) => ask(joint({}, select))),
    "mask of a counter": SELECTS.map((select) => counter(one({}, select))),
    algorithm: hows.map((how) => ask(one({}, { how }))),
    "algorithm over bytes": hows.map((how) => ask(one({ type: "u8" }, { how }))),
    parameters: parameters.map((how) => ask(one({}, { how }))),
    "way of a counter": (["count", "countSync", "countAll"] as const).map((way) => counter(one(), way)),
    "counter that accumulates": [one(), one({ over: over(26) }), joint(), joint({}, by(1, 3))].flatMap(
      (of) => [counter(of, "accumulate"), { kind: "take", of }],
    ),
    "number and order of columns": COLUMNS.map((columns) => ask({ ...PLAIN, columns })),
    "whether a joint count is prepared": [ask(joint()), counter(joint())],
    abort: [ask(one(), true), ask(one()), ask(one({ over: over(26) }), true)],
    "refused request": told("wrong"),
    "explained request": told("explain"),
    ...(weighted.length > 0 ? partsOfWeights([...methods.map(({ slug }) => slug), ...weighted]) : {}),
  };
  return Object.entries(every)
    .filter(([, steps]) => steps.length > 1)
    .map(([part, steps]) => ({ part, steps }));
}

function partsOfWeights(algorithms: readonly string[]): Readonly<Record<string, readonly Step[]>> {
  const weighed = (weights: Weighing) => ({ weights });
  return {
    ...Object.fromEntries(
      ALIKE.map((axes, i) => [
        `axis ${i} with weights`,
        axes.map((axis) => ask(one({ over: over(axis) }, weighed(WEIGHTS)))),
      ]),
    ),
    weights: WEIGHINGS.map((weights) => ask(one({}, weighed(weights)))),
    "weights of several columns": WEIGHINGS.map((weights) => ask(joint({}, weighed(weights)))),
    "weights of segments": WEIGHINGS.map((weights) => ask(one({}, { weights, rows: cut({ every: 60 }) }))),
    "weights of a counter": WEIGHINGS.map((weights) => counter(one({}, weighed(weights)))),
    "weights and a mask": SELECTS.map((select) => ask(one({}, { ...select, weights: WEIGHTS }))),
    table: TABLES.map((table) => sums({ table })),
    "weights of a table": [0, 1, 2].map((weights) => sums({ weights })),
    "options of sums": SUMS.map((changes) => sums(changes)),
    "algorithm of sums": algorithms.map((algorithm) => sums({ algorithm })),
  };
}

/** Requests that count nothing, next to one that does. */
const told = (kind: "wrong" | "explain"): readonly Step[] => [
  { kind, request: one(), how: null },
  ask(one()),
  { kind, request: one({ over: over(26) }), how: null },
];

/** Performs each step next to each other one, in both orders. */
export function* turns(steps: readonly Step[]): Generator<Step> {
  for (const [i, first] of steps.entries()) {
    for (const other of steps.slice(i + 1)) yield* [first, other, first, other];
  }
}

const TYPES: readonly SampleType[] = Object.keys(SAMPLE_TRAITS) as SampleType[];
const SIZES: readonly number[] = [0, 1, 239, 240, 241];
const RANGES: readonly Over[] = [
  { bins: 16, range: [0, 16] },
  { bins: 15, range: [0, 16] },
  { bins: 16, range: [0, 15] },
  { bins: 16, range: "data" },
  { bins: 15, range: "data" },
  { bins: 16, range: "type" },
];
const CHANNELS: readonly (readonly number[])[] = [[0], [3], [0, 3], [3, 0], [0, 1, 2, 3], [3, 2, 1, 0]];
const PICTURES: readonly Data["picture"][] = [
  { width: 8, padding: 0, part: "all" },
  { width: 10, padding: 0, part: "all" },
  { width: 8, padding: 8, part: "all" },
  { width: 8, padding: 16, part: "all" },
  { width: 8, padding: 8, part: "inner" },
  { width: 10, padding: 8, part: "inner" },
];
const CUTS: readonly SegmentsInit[] = [
  { every: 60 },
  { every: 61 },
  { every: 59 },
  { offsets: [0, 60, 120, 180, 240] },
  { offsets: [0, 60, 121, 180, 240] },
  { offsets: [0, 60, 120, 180, 239] },
  { offsets: [1, 60, 120, 180, 240] },
  { tiles: { width: 4, height: 15 } },
  { tiles: { width: 8, height: 8 } },
  { tiles: { width: 3, height: 15 } },
];
const masked = (seed: number, form: "array" | "bits", where: Request["select"]["where"] = null) => ({
  select: { mask: { seed, form }, where },
});
const listedBy = (seed: number, length: number) => ({ select: { mask: null, where: { seed, length } } });
const SELECTS: readonly Partial<Request>[] = [
  {},
  masked(0, "array"),
  masked(1, "array"),
  masked(1, "bits"),
  listedBy(0, 100),
  listedBy(1, 100),
  listedBy(1, 101),
  by(0, 3),
  by(1, 3),
  by(1, 4),
  by(1, 4, "i32"),
  { ...masked(1, "array", { seed: 1, length: 100 }), ...by(1, 4) },
];
const WEIGHINGS: readonly Weighing[] = [
  WEIGHTS,
  { ...WEIGHTS, seed: 1 },
  { ...WEIGHTS, type: "f64" },
  { ...WEIGHTS, squares: true },
  { ...WEIGHTS, form: "resident" },
  { ...WEIGHTS, precision: "fast" },
  { ...WEIGHTS, more: 0 },
  { ...WEIGHTS, more: 1 },
];
const COLUMNS: readonly (readonly Column[])[] = [
  [20, 0],
  [0, 20],
  [1, 20],
  [20, 0, 1],
  [20, 1, 0],
].map((axes) => axes.map((axis) => columnWith({ over: over(axis) })));
const TABLES: readonly TableOf[] = [
  TABLE,
  { ...TABLE, seed: 1 },
  { ...TABLE, type: "u16" },
  { ...TABLE, bins: [3, 16] },
  { ...TABLE, bins: [16, 4] },
  { ...TABLE, documents: 299 },
];
const SUMS: readonly Partial<StepOf<"sums">>[] = [
  {},
  { documents: 0 },
  { documents: 1 },
  { counts: false },
  { squares: true },
  { skip: true },
  { skip: true, documents: 1 },
  { skip: true, counts: false },
];
