import type { SampleType, SegmentsInit } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import type { CaseRequest } from "../case.ts";
import { endsOf } from "../rules.ts";
import { ALIKE } from "./axes.ts";
import type { Data, Form } from "./samples.ts";
import type { ColumnOf, CounterOf, How, Over, Select, Step, TableOf, Weighing } from "./step.ts";

/** Requests that differ in one part only, and the name of the part. */
export interface Part {
  readonly part: string;
  readonly steps: readonly Step[];
}

const DATA: Data = { type: "i32", pixels: 240, channels: 1, seed: 1, form: "array", picture: null };
const COLUMN: ColumnOf = { data: DATA, channel: 0, over: { axis: 20, anew: false } };
const TYPES: readonly SampleType[] = Object.keys(SAMPLE_TRAITS) as SampleType[];
const RGBA: Data = { ...DATA, channels: 4 };
const PICTURE: Data = { ...DATA, picture: { width: 8, padding: 0, inset: 0 } };
const NONE: Select = { mask: null, where: null, by: null };
const WEIGHTS: Weighing = { seed: 0, bits: 32, squares: false };
const TABLE: TableOf = { type: "u8", documents: 300, bins: [16, 3], seed: 0 };

type Of<K extends Step["kind"]> = Omit<Extract<Step, { readonly kind: K }>, "kind">;

const histogram = (changes: Partial<Of<"histogram">> = {}): Step => ({
  ...{ kind: "histogram", ...COLUMN, select: null, weights: null, how: null, aborted: false },
  ...changes,
});
const histograms = (changes: Partial<Of<"histograms">> = {}): Step => ({
  ...{ kind: "histograms", data: RGBA, channels: [0, 1, 2, 3], over: COLUMN.over, how: null },
  ...changes,
});
const segments = (changes: Partial<Of<"segments">> = {}): Step => ({
  ...{ kind: "segments", ...COLUMN, cut: { every: 60 }, leave: false },
  ...changes,
});
const joint = (changes: Partial<Of<"joint">> = {}): Step => ({
  ...{ kind: "joint", columns: [COLUMN, COLUMN], select: null, weights: null, prepared: false },
  ...changes,
});
const stream = (changes: Partial<ColumnOf> = {}): Step => ({
  kind: "stream",
  ...COLUMN,
  piece: 300,
  ...changes,
});
const counter = (
  changes: Partial<CounterOf> = {},
  data: Data = DATA,
  way: Of<"counter">["way"] = "count",
): Step => {
  const of = {
    type: data.type,
    interleaved: data.channels,
    channels: [0],
    over: COLUMN.over,
    how: null,
    ...changes,
  };
  return { kind: "counter", of, way, inputs: [data] };
};
const sums = (changes: Partial<Of<"sums">> = {}): Step => ({
  ...{
    kind: "sums",
    table: TABLE,
    weights: 0,
    documents: null,
    counts: true,
    squares: false,
    skip: false,
    algorithm: "auto",
  },
  ...changes,
});

const over = (axis: number, anew = false): Over => ({ axis, anew });
const data = (changes: Partial<Data>): Data => ({ ...DATA, ...changes });

/** Lists the parts of requests, for the algorithms that a backend claims. */
export function partsOf({ algorithms, weighted, methods }: CaseRequest): readonly Part[] {
  const every: readonly (readonly [string, readonly Step[]])[] = [
    ...ALIKE.flatMap((axes, i): [string, readonly Step[]][] => [
      [`axis ${i}`, axes.map((axis) => histogram({ over: over(axis) }))],
      [`axis ${i} of channels`, axes.map((axis) => histograms({ over: over(axis) }))],
      [`axis ${i} of segments`, axes.map((axis) => segments({ over: over(axis) }))],
      [`axis ${i} of a counter`, axes.map((axis) => counter({ over: over(axis) }))],
      [
        `axis ${i} of a joint column`,
        axes.map((axis) => joint({ columns: [COLUMN, { ...COLUMN, over: over(axis) }] })),
      ],
      [`axis ${i} of a stream`, axes.map((axis) => stream({ over: over(axis) }))],
      [
        `axis ${i} with weights`,
        weighing(
          weighted,
          axes.map((axis) => histogram({ over: over(axis), weights: WEIGHTS })),
        ),
      ],
      [
        `axis ${i} of 64-bit integers`,
        axes.map((axis) => histogram({ over: over(axis), data: data({ type: "i64" }) })),
      ],
      [`axis ${i} of bytes`, axes.map((axis) => histogram({ over: over(axis), data: data({ type: "u8" }) }))],
    ]),
    [
      "object of the axis",
      [over(20), over(20, true), over(28), over(28, true)].map((one) => histogram({ over: one })),
    ],
    ["bins and range", RANGES.map((one) => histogram({ over: one }))],
    [
      "axes of channels",
      [
        [20, 21, 22, 23],
        [23, 22, 21, 20],
        [0, 1, 2, 3],
      ].map((axes) => histograms({ over: axes.map((axis) => over(axis)) })),
    ],
    ["type", TYPES.map((type) => histogram({ data: data({ type }) }))],
    ["type of a counter", TYPES.map((type) => counter({}, data({ type })))],
    ["type of segments", TYPES.map((type) => segments({ data: data({ type }) }))],
    [
      "type of a joint column",
      TYPES.map((type) => joint({ columns: [COLUMN, { ...COLUMN, data: data({ type }) }] })),
    ],
    ["content", [0, 1, 2].map((seed) => histogram({ data: data({ seed }) }))],
    ["content on the device", [0, 1, 2].map((seed) => histogram({ data: data({ seed, form: "resident" }) }))],
    ["number of samples", [0, 1, 239, 240, 241].map((pixels) => histogram({ data: data({ pixels }) }))],
    [
      "number of samples of segments",
      [0, 1, 239, 240, 241].map((pixels) => segments({ data: data({ pixels }) })),
    ],
    ["memory", FORMS.map((form) => histogram({ data: data({ form }) }))],
    ["interleaved channels", [1, 2, 3, 4].map((channels) => histogram({ data: data({ channels }) }))],
    ["channel", [0, 1, 2, 3].map((channel) => histogram({ data: RGBA, channel }))],
    ["channel of segments", [0, 1, 2, 3].map((channel) => segments({ data: RGBA, channel }))],
    [
      "channel of a joint column",
      [0, 1, 2, 3].map((channel) => joint({ columns: [COLUMN, { ...COLUMN, data: RGBA, channel }] })),
    ],
    ["channels and their order", CHANNELS.map((channels) => histograms({ channels }))],
    ["channels of a counter", CHANNELS.map((channels) => counter({ channels }, RGBA))],
    [
      "rows of a picture",
      PICTURES.map((picture) =>
        segments({ data: { ...PICTURE, picture }, cut: { tiles: { width: 4, height: 4 } } }),
      ),
    ],
    ["row pitch and region", PICTURES.map((picture) => histogram({ data: { ...PICTURE, picture } }))],
    ["segments", CUTS.map((cut) => segments({ data: PICTURE, cut }))],
    ["place of the rows of segments", [true, false].map((leave) => segments({ leave }))],
    ["mask", SELECTS.map((select) => histogram({ select }))],
    ["mask of several columns", SELECTS.map((select) => joint({ select }))],
    [
      "weights",
      weighing(
        weighted,
        WEIGHINGS.map((weights) => histogram({ weights })),
      ),
    ],
    [
      "weights of several columns",
      weighing(
        weighted,
        WEIGHINGS.map((weights) => joint({ weights })),
      ),
    ],
    [
      "weights and a mask",
      weighing(
        weighted,
        SELECTS.map((select) => histogram({ select, weights: WEIGHTS })),
      ),
    ],
    ["algorithm", hows(algorithms.map(({ slug }) => slug)).map((how) => histogram({ how }))],
    [
      "algorithm over bytes",
      hows(algorithms.map(({ slug }) => slug)).map((how) => histogram({ how, data: data({ type: "u8" }) })),
    ],
    [
      "parameters",
      algorithms.flatMap((of) =>
        endsOf(of).map((parameters) => histogram({ how: { algorithm: of.slug, parameters } })),
      ),
    ],
    ["way of a counter", (["count", "countSync", "countAll"] as const).map((way) => counter({}, DATA, way))],
    [
      "counter that accumulates",
      [
        counter({}, DATA, "accumulate"),
        counter({ over: over(26) }, DATA, "accumulate"),
        take({}),
        take({ over: over(26) }),
      ],
    ],
    ["number and order of columns", COLUMNS.map((columns) => joint({ columns }))],
    ["whether a joint count is prepared", [joint(), joint({ prepared: true })]],
    ["abort", [histogram({ aborted: true }), histogram(), histogram({ over: over(26), aborted: true })]],
    [
      "refused request",
      [{ kind: "wrong", ...COLUMN }, histogram(), { kind: "wrong", ...COLUMN, over: over(26) }],
    ],
    [
      "explained request",
      [
        { kind: "explain", ...COLUMN, how: null },
        histogram(),
        { kind: "explain", ...COLUMN, how: null, over: over(26) },
      ],
    ],
    [
      "table",
      weighing(
        weighted,
        TABLES.map((table) => sums({ table })),
      ),
    ],
    [
      "weights of a table",
      weighing(
        weighted,
        [0, 1, 2].map((weights) => sums({ weights })),
      ),
    ],
    [
      "options of sums",
      weighing(
        weighted,
        SUMS.map((changes) => sums(changes)),
      ),
    ],
    [
      "algorithm of sums",
      weighing(
        weighted,
        [...methods.map(({ slug }) => slug), ...weighted].map((algorithm) => sums({ algorithm })),
      ),
    ],
  ];
  return every.filter(([, steps]) => steps.length > 1).map(([part, steps]) => ({ part, steps }));
}

/** Performs each step next to each other one, in both orders. */
export function* turns(steps: readonly Step[]): Generator<Step> {
  for (const [i, one] of steps.entries()) {
    for (const other of steps.slice(i + 1)) yield* [one, other, one, other];
  }
}

const weighing = (weighted: readonly string[], steps: readonly Step[]): readonly Step[] =>
  weighted.length === 0 ? [] : steps;

const hows = (slugs: readonly string[]): (How | null)[] => [
  null,
  ...slugs.map((algorithm) => ({ algorithm, parameters: {} })),
];

const take = (changes: Partial<CounterOf>): Step => {
  const { of } = counter(changes) as Extract<Step, { readonly kind: "counter" }>;
  return { kind: "take", of };
};

const RANGES: readonly Over[] = [
  { bins: 16, range: [0, 16] },
  { bins: 15, range: [0, 16] },
  { bins: 16, range: [0, 15] },
  { bins: 16, range: "data" },
  { bins: 15, range: "data" },
  { bins: 16, range: "type" },
];
const FORMS: readonly Form[] = ["array", "unaligned", "shared", "allocated", "resident"];
const CHANNELS: readonly (readonly number[])[] = [[0], [3], [0, 3], [3, 0], [0, 1, 2, 3], [3, 2, 1, 0]];
const PICTURES: readonly Data["picture"][] = [
  { width: 8, padding: 0, inset: 0 },
  { width: 10, padding: 0, inset: 0 },
  { width: 8, padding: 8, inset: 0 },
  { width: 8, padding: 16, inset: 0 },
  { width: 8, padding: 8, inset: 1 },
  { width: 10, padding: 8, inset: 1 },
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
const SELECTS: readonly (Select | null)[] = [
  null,
  { ...NONE, mask: { seed: 0, as: "bytes" } },
  { ...NONE, mask: { seed: 1, as: "bytes" } },
  { ...NONE, mask: { seed: 1, as: "bits" } },
  { ...NONE, where: { seed: 0, length: 100 } },
  { ...NONE, where: { seed: 1, length: 100 } },
  { ...NONE, where: { seed: 1, length: 101 } },
  { ...NONE, by: { seed: 0, groups: 3, type: "u8" } },
  { ...NONE, by: { seed: 1, groups: 3, type: "u8" } },
  { ...NONE, by: { seed: 1, groups: 4, type: "u8" } },
  { ...NONE, by: { seed: 1, groups: 4, type: "i32" } },
  { mask: { seed: 1, as: "bytes" }, where: { seed: 1, length: 100 }, by: { seed: 1, groups: 4, type: "u8" } },
];
const WEIGHINGS: readonly Weighing[] = [
  WEIGHTS,
  { ...WEIGHTS, seed: 1 },
  { ...WEIGHTS, bits: 64 },
  { ...WEIGHTS, squares: true },
];
const COLUMNS: readonly (readonly ColumnOf[])[] = [
  [COLUMN, { ...COLUMN, over: over(0) }],
  [{ ...COLUMN, over: over(0) }, COLUMN],
  [{ ...COLUMN, over: over(1) }, COLUMN],
  [COLUMN, { ...COLUMN, over: over(0) }, { ...COLUMN, over: over(1) }],
  [COLUMN, { ...COLUMN, over: over(1) }, { ...COLUMN, over: over(0) }],
  [
    { ...COLUMN, data: { ...DATA, seed: 0 } },
    { ...COLUMN, over: over(0) },
  ],
];
const TABLES: readonly TableOf[] = [
  TABLE,
  { ...TABLE, seed: 1 },
  { ...TABLE, type: "u16" },
  { ...TABLE, bins: [3, 16] },
  { ...TABLE, bins: [16, 4] },
  { ...TABLE, documents: 299 },
];
const SUMS: readonly Partial<Of<"sums">>[] = [
  {},
  { documents: 0 },
  { documents: 1 },
  { counts: false },
  { squares: true },
  { skip: true },
  { skip: true, documents: 1 },
  { skip: true, counts: false },
];
