// Cases that the fuzz targets start from, by the name of the target. input.h says how a target takes its numbers.

const text = (of) => Array.from(Buffer.from(of));

/** A number in as few bytes as hold `most`, the lowest first. */
function number(value, most) {
  const bytes = [];
  for (let shift = 0; shift < 32 && most >>> shift !== 0; shift += 8) bytes.push((value >>> shift) & 0xff);
  return bytes;
}

const STORED = "u8 i8 u16 i16 u32 i32 f32 f64 i64 u64 boolean date time text".split(" ");
const columns = (fields, stored) => [
  ...number(stored.length, Math.min(fields, 7)),
  ...stored.flatMap((of, i) => [STORED.indexOf(of), ...number(i, fields - 1), 9, 0]),
];

const TEXTS =
  "0 -0 +1 1.5 .5 5. -12.25 1e5 -1.25e-3 1E+22 9007199254740993 9007199254740992.5 18446744073709551615 0.1 123456789.123456789 1234567890123456789 0.000000000000000000001234 00000000000000000000012 2.2250738585072014e-308 1e400 255 -128 65536 2026-11-27 2024-02-29 1900-02-29 0000-03-01 9999-12-31 2026-11-27T23:59 2026-11-27T23:59:59 1969-12-31T23:59:59.999999999Z 1677-09-21T00:12:43.145224193 true NA nan inf 0x10 1_000".split(
    " ",
  );

const numbers = TEXTS.flatMap((of) =>
  [0, 9].map((before) => [3, of.endsWith("Z") ? 1 : 0, before, ...text("x".repeat(before)), ...text(of)]),
);

const csvOf = (stored, bytes, { quote = 0, partBytes = 0 } = {}) => [
  ...[0, quote, stored.length - 1, 1, partBytes],
  ...columns(stored.length, stored),
  ...[1, ...text(bytes)],
];
const csv = [
  csvOf(["f64", "text"], 'a,"b, ""c"""\n1.5,NA\r\n-2,"x\ny"\n\n3,""\n'),
  csvOf(["i64", "date", "text"], "1,2026-11-27,a\n2,2024-02-29,\xe9\n,NA,null"),
  csvOf(["text"], "a\n\nb\r\nc"),
  csvOf(["u8", "boolean", "time", "f32"], "255,true,2026-11-27 10:00:00,1e3\n0,0,2026-11-27 10:00,.5\n", {
    quote: 2,
  }),
  csvOf(["f64", "i64"], "1.5,1\n".repeat(40), { partBytes: 7 }),
  csvOf(["text", "f64"], `${"a".repeat(70)},1\n"${"b".repeat(70)}",2\n`, { partBytes: 64 }),
];

const NAMES = ["a", "time", "a.b"];
const jsonlOf = (stored, lines, { cut = 20, parents = [0, 0, 0] } = {}) => [
  ...[NAMES.length - 1, ...parents.flatMap((parent, i) => number(parent, i))],
  ...[...columns(NAMES.length, stored), ...number(cut, 65535)],
  ...text(lines),
];
const jsonl = [
  jsonlOf(["f64", "text", "boolean"], '{"a":1.5,"time":"x","a.b":true}\n{"a":null}\n\n{}\n'),
  jsonlOf(["i64", "time"], '{"time":"2026-11-27 10:00:00","a":-12}\r\n{"a":1e3,"time":null}'),
  jsonlOf(["text"], '{"a":"\\u00e4\\ud83d\\ude00\\n\\"","a.b":[1,{"b":[]},"]"]}\n{"a":12}\n{"a":true}\n'),
  jsonlOf(["u8", "date"], ' { "a" : 255 , "time" : "2026-11-27" }\n{"a":0,"a.b":{"c":null}}\n'),
  jsonlOf(
    ["f64", "f64", "text"],
    '{"a":{"time":{"a.b":"x"},"b":1}}\n{"a":null}\n{"a":{"b":[],"time":{}}}\n',
    {
      parents: [0, 1, 2],
    },
  ),
  jsonlOf(["text", "u8", "f64"], '{"a.b":1,"a":{"time":255}}\n{"a":{},"a.b":2.5}\n{"a":{"time":null}}', {
    parents: [0, 1, 0],
  }),
];

const COMPRESSED = { none: (bytes) => bytes, snappy, lz4 };
const CODECS = Object.keys(COMPRESSED);
const LAYOUTS = "bytes4 bytes8 boolean i8 u8 i16 u16 widened decimal int96 text".split(" ");
const ENCODINGS = "plain coded split runs deltas lengths prefixes".split(" ");
const MOST = 5000;

/** Stored bytes of a page as Snappy has them: a run of equal bytes is a copy. */
function snappy(bytes) {
  const block = [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
  for (let at = 0; at < bytes.length; ) {
    let equal = 0;
    while (at > 0 && equal < 60 && at + equal < bytes.length && bytes[at + equal] === bytes[at - 1]) equal++;
    if (equal > 4) {
      block.push(((equal - 1) << 2) | 2, 1, 0);
      at += equal;
    } else {
      const length = Math.min(60, bytes.length - at);
      block.push((length - 1) << 2, ...bytes.slice(at, at + length));
      at += length;
    }
  }
  return block;
}

/** The same as LZ4 has them: literals alone. */
function lz4(bytes) {
  const { length } = bytes;
  if (length < 15) return [length << 4, ...bytes];
  return [0xf0, ...Array(Math.floor((length - 15) / 255)).fill(255), (length - 15) % 255, ...bytes];
}

const int32 = (value) => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >> 24) & 0xff];
const packed = (levels) => [3, levels];
const run = (count, value) => [count << 1, value];

/** Pages of a column: { page, encoding, values, levels, nulls, body }, the dictionary's without levels. */
function parquetOf({ codec = "none", layout, level = 0, width = 0, skip = 0, pages }) {
  const isCoded = pages[0].page === 0;
  const rows = pages.reduce((sum, { page, values }) => sum + (page === 0 ? 0 : values), 0) - skip;
  const stored = pages.map(({ page, levels = [], body }) => {
    const before = page === 1 && levels.length > 0 ? [...int32(levels.length), ...levels] : [];
    const after = page === 2 ? levels : [];
    const plain = [...before, ...body];
    return {
      bytes: [...after, ...COMPRESSED[codec](plain)],
      size: after.length + plain.length,
    };
  });
  return [
    ...[CODECS.indexOf(codec), LAYOUTS.indexOf(layout), level, width, isCoded ? 1 : 0],
    ...[...number(skip, MOST), ...number(rows, MOST), pages.length],
    ...pages.flatMap(({ page, encoding, values, levels = [], nulls = 0 }, i) => [
      ...[page, ENCODINGS.indexOf(encoding)],
      ...[
        ...number(stored[i].bytes.length, 65535),
        ...number(stored[i].size, 65535),
        ...number(values, MOST),
      ],
      ...[...number(page === 2 ? levels.length : 0, 65535), ...number(nulls, MOST), 1],
    ]),
    ...stored.flatMap(({ bytes }) => bytes),
  ];
}

const zeros = (length) => Array(length).fill(0);
const doubles = (...values) => Array.from(new Uint8Array(Float64Array.from(values).buffer));
const strings = (...values) => values.flatMap((of) => [...int32(of.length), ...text(of)]);
const parquet = CODECS.flatMap((codec) => [
  parquetOf({
    codec,
    layout: "bytes8",
    pages: [{ page: 1, encoding: "plain", values: 4, body: doubles(1, 2, 2, -0) }],
  }),
  parquetOf({ codec, layout: "bytes4", pages: [{ page: 2, encoding: "split", values: 8, body: zeros(32) }] }),
  parquetOf({
    ...{ codec, layout: "bytes8", level: 1, skip: 2 },
    pages: [
      { page: 0, encoding: "plain", values: 2, body: doubles(0.5, 7) },
      { page: 1, encoding: "coded", values: 8, levels: packed(0b10111011), body: [1, 3, 0b110101] },
      {
        page: 2,
        encoding: "coded",
        values: 9,
        levels: [...run(4, 1), ...run(5, 0)],
        nulls: 5,
        body: [1, ...run(4, 1)],
      },
      { page: 2, encoding: "plain", values: 3, levels: run(3, 1), body: doubles(1, 7, 7) },
    ],
  }),
  parquetOf({
    ...{ codec, layout: "text" },
    pages: [
      { page: 0, encoding: "plain", values: 3, body: strings("a", "", "a") },
      { page: 1, encoding: "coded", values: 8, body: [2, 5, 0x18, 0x80, 0, 0] },
      { page: 1, encoding: "plain", values: 2, body: strings("b", "a long text of more than eight bytes") },
    ],
  }),
  parquetOf({
    codec,
    layout: "boolean",
    pages: [{ page: 1, encoding: "plain", values: 9, body: [0b1011, 1] }],
  }),
  parquetOf({
    ...{ codec, layout: "boolean", level: 1 },
    pages: [
      {
        page: 1,
        encoding: "runs",
        values: 8,
        levels: packed(0b1111),
        body: [...int32(2), ...packed(0b0101)],
      },
    ],
  }),
  parquetOf({
    ...{ codec, layout: "bytes8" },
    pages: [
      { page: 2, encoding: "deltas", values: 4, body: [128, 1, 4, 4, 6, 1, 1, 0, 0, 0, 0b101, 0, 0, 0] },
    ],
  }),
  parquetOf({
    ...{ codec, layout: "text" },
    pages: [
      { page: 1, encoding: "lengths", values: 2, body: [128, 1, 4, 2, 4, 2, 0, 0, 0, 0, ...text("abcde")] },
      {
        page: 1,
        encoding: "prefixes",
        values: 2,
        body: [128, 1, 4, 2, 0, 2, 0, 0, 0, 0, 128, 1, 4, 2, 4, 1, 0, 0, 0, 0, ...text("abc")],
      },
    ],
  }),
  parquetOf({
    ...{ codec, layout: "decimal", width: 3 },
    pages: [{ page: 1, encoding: "plain", values: 2, body: [0, 1, 2, 255, 0, 9] }],
  }),
  parquetOf({ codec, layout: "int96", pages: [{ page: 1, encoding: "plain", values: 1, body: zeros(12) }] }),
  ...["i8", "u8", "i16", "u16", "widened"].map((layout) =>
    parquetOf({
      codec,
      layout,
      pages: [{ page: 1, encoding: "plain", values: 3, body: [1, 127, 0].flatMap(int32) }],
    }),
  ),
]);

export const SEEDS = { numbers, csv, jsonl, parquet };
