import { type Axis, integer, regular, type SampleType, type SegmentsInit } from "@polybin/core";
import { limits, SAMPLE_TYPES } from "@polybin/core/backend";
import type { Case, Topic } from "../case.ts";
import { overOf } from "../combinations/axes.ts";
import { checkRequest } from "../combinations/check.ts";
import type { Content } from "../request/palette.ts";
import { type Column, PLAIN, type Request, type Select, type Weighing } from "../request/request.ts";
import type { Data, Form } from "../request/samples.ts";

/**
 * Requests whose size decides how devices count them: long and many segments, bins that fill no small table, masks and lists
 * with tails in blocks and words, many groups and cells.
 */
export const large: Topic = ({ weighted: sums }) =>
  Object.entries({
    ...REQUESTS,
    ...(sums.length > 0 && { "weights over few and many cells": weighted }),
  }).map(
    ([name, requests]): Case => ({
      topic: "large requests",
      name,
      async run(context) {
        for (const [i, request] of requests().entries())
          await checkRequest(context, `${name}, ${i}`, request);
      },
    }),
  );

function dataOf(type: SampleType, pixels: number, content: Content = "common", seed = 1): Data {
  return { type, pixels, channels: 1, seed, form: "array", picture: null, content };
}

const columnOf = (data: Data, axis: Axis): Column => ({ data, channel: 0, over: { axis, anew: false } });

/** A column around an axis of some bins. */
function around(type: SampleType, kind: string, bins: number, pixels: number, seed = 1): Column {
  const over = overOf(kind, type, bins);
  const { axis } = over as { readonly axis: Axis };
  return { data: dataOf(type, pixels, { around: axis }, seed), channel: 0, over };
}

const cut = (column: Column, how: SegmentsInit): Request => ({
  ...PLAIN,
  columns: [column],
  rows: { cut: how, leave: false },
});

const WHOLE: Axis = integer(0, limits.BYTE_VALUES);
const ANY_BYTES: Content = { below: limits.BYTE_VALUES };
/** Bytes that are all in one bin, in any, and in few. */
const BYTES: readonly Content[] = [{ below: 1 }, ANY_BYTES, "common"];

/** One, some and many segments. Some are whole vectors, in one fold of byte counters or several. */
function segmentsOfBytes(): readonly Request[] {
  const n = 40_003;
  const lengths = [4096, n, 2 * n, 64, 1040, 2032, 4112, 8192, 12_304];
  const bytes = (pixels: number, content = ANY_BYTES) => columnOf(dataOf("u8", pixels, content), WHOLE);
  return [
    ...BYTES.flatMap((content) => lengths.map((every) => cut(bytes(n, content), { every }))),
    ...BYTES.map((content) => cut(columnOf(dataOf("u8", n, content), integer(3, 90)), { every: 777 })),
    ...[0, 1, 3, 255, 256, 257].flatMap((size) => [
      ...[1, 5, 256].map((every) => cut(bytes(size), { every })),
      // There are more segments than samples.
      cut(bytes(size), { offsets: new Uint32Array(999).fill(size) }),
    ]),
  ];
}

function segmentsOfManyBins(): readonly Request[] {
  const types = ["u8", "u16", "f32", "f64"] as const;
  const some = types.flatMap((type) =>
    [limits.PER_THREAD_64_BINS, 1000, 5003].flatMap((bins) =>
      [150, 7001, 20_011].map((every) => cut(around(type, "regular inside", bins, 20_011), { every })),
    ),
  );
  const values = { below: limits.HALF_VALUES };
  const all = columnOf(dataOf("u16", 150_001, values), integer(0, limits.HALF_VALUES));
  return [...some, cut(all, { every: 70_000 })];
}

function longSegment(): readonly Request[] {
  const n = 600_000;
  const offsets = [
    ...Array.from({ length: 500 }, (_, i) => 7 * i),
    ...Array.from({ length: 500 }, () => 3500),
    ...Array.from({ length: 500 }, (_, i) => n - 2000 + 3 * i),
  ];
  const bins = limits.BYTE_VALUES;
  return [
    cut(columnOf(dataOf("u8", n, ANY_BYTES), WHOLE), { offsets }),
    cut(around("f32", "regular", bins, n), { offsets }),
  ];
}

const NO_SELECT: Select = { mask: null, where: null };

function masked(): readonly Request[] {
  const forms = ["array", "bits", "unaligned", "resident"] as const;
  return [7, 8, 31, 33, 1000, 16_385, 40_007].flatMap((n) => {
    const columns = [around("u8", "integer", 197, n), around("f32", "regular inside", 11, n, 2)];
    const bytes = [64, 256].map((bins, k) => columnOf(dataOf("u8", n, ANY_BYTES, k), integer(0, bins)));
    return forms.flatMap((form) =>
      [columns, bytes].map(
        (of): Request => ({ ...PLAIN, columns: of, select: { ...NO_SELECT, mask: { seed: n, form } } }),
      ),
    );
  });
}

function listed(): readonly Request[] {
  const n = 20_003;
  const columns = [around("u16", "regular inside", 20, n), around("f64", "regular", 9, n, 2)];
  const masks = [null, "array", "bits"] as const;
  return [1, 2, 65, 5000, 3 * n].flatMap((length) =>
    masks.map((form): Request => {
      const mask = form === null ? null : { seed: 3, form };
      return { ...PLAIN, columns, select: { mask, where: { seed: length, length } } };
    }),
  );
}

function grouped(): readonly Request[] {
  const groups = [
    ["u8", 2],
    ["u8", 256],
    ["i8", 100],
    ["u16", 1000],
    ["i16", 300],
    ["u32", 3000],
    ["i32", 7],
  ] as const;
  return groups.flatMap(([type, count]) =>
    [null, { seed: count, form: "array" as Form }].map((mask): Request => {
      const by = { seed: count, groups: count, type, form: "array" } as const;
      return {
        ...PLAIN,
        columns: [around("f32", "regular inside", 16, 9001)],
        select: { ...NO_SELECT, mask },
        rows: { by },
      };
    }),
  );
}

/** Pairs of all types, few and many cells, and samples that are all in one. */
function several(): readonly Request[] {
  const pairs = SAMPLE_TYPES.map((type, k) => [
    around(type, "variable", 12, 5003, k),
    around(SAMPLE_TYPES.at(-1 - k)!, "regular inside", 9, 5003, k + 1),
  ]);
  const wide = [1, 2].map((seed) => columnOf(dataOf("f32", 2000, "common", seed), regular(1000, 0, 1)));
  const equal = [1, 2].map(() => columnOf(dataOf("u8", 70_001, { below: 1 }), integer(0, 16)));
  const packed = [4, 5, 6].map((bits, k) =>
    columnOf(dataOf("u8", 70_001, ANY_BYTES, k), integer(0, 2 ** bits)),
  );
  return [...pairs, wide, equal, packed].map((columns) => ({ ...PLAIN, columns }));
}

/** Some of them have more cells than a table has bins. */
function weighted(): readonly Request[] {
  const weights: Weighing = {
    ...{ seed: 5, type: "f64", of: "all sizes", form: "array", channels: 1 },
    ...{ squares: true, precision: "reproducible" },
  };
  const select = { mask: { seed: 6, form: "bits" }, where: { seed: 7, length: 500 } } as const;
  return (
    [
      [3001, 12, 9],
      [3001, 100, 120],
      [2000, 300, 300],
    ] as const
  ).flatMap(([n, first, second]) => {
    const columns = [around("f32", "regular inside", first, n), around("u16", "integer", second, n, 2)];
    const request = { ...PLAIN, columns, weights };
    return [request, { ...request, select }, { ...request, weights: { ...weights, type: "f32" } } as const];
  });
}

const REQUESTS: Readonly<Record<string, () => readonly Request[]>> = {
  "segments of bytes: one, some and many": segmentsOfBytes,
  "segments of many bins": segmentsOfManyBins,
  "a long segment next to many short and empty ones": longSegment,
  "masks with odd tails": masked,
  "lists of indices, with repeats": listed,
  "few and many groups, of every integer type": grouped,
  "columns of every type, few and many cells": several,
};
