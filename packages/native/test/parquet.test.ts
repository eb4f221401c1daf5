import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { type PagesRequest, type ParquetPage, parquetReader } from "../src/readers.ts";
import { parquetReader as inPage } from "../src/readers-in-page.ts";

const reader = parquetReader()!;

type Random = (below: number) => number;

function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

/** Numbers of a width as runs, some packed and some of equal ones. */
function hybrid(values: readonly number[], width: number): number[] {
  const bytes: number[] = [];
  for (let from = 0; from < values.length; ) {
    let equal = 1;
    while (values[from + equal] === values[from]) equal++;
    if (equal > 8) {
      bytes.push(...varint(equal * 2));
      for (let shift = 0; shift < width; shift += 8) bytes.push((values[from]! >>> shift) & 0xff);
      from += equal;
      continue;
    }
    const groups = Math.min(200, Math.ceil((values.length - from) / 8));
    const packed = new Uint8Array(groups * width);
    for (let i = 0; i < 8 * groups; i++)
      for (let bit = 0; bit < width; bit++)
        if (((values[from + i] ?? 0) >>> bit) & 1)
          packed[(i * width + bit) >> 3]! |= 1 << ((i * width + bit) & 7);
    bytes.push(...varint(groups * 2 + 1), ...packed);
    from += 8 * groups;
  }
  return bytes;
}

/** A Snappy block: literals, and copies of bytes before where there are equal ones. */
function snappy(bytes: Uint8Array, random: Random): Uint8Array {
  const block = varint(bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const offset = Math.min(at, 1 + random(3) * 8);
    let equal = 0;
    while (
      offset > 0 &&
      equal < 60 &&
      at + equal < bytes.length &&
      bytes[at + equal] === bytes[at + equal - offset]
    )
      equal++;
    if (equal >= 4) {
      if (equal < 12) block.push(1 | ((equal - 4) << 2), offset);
      else block.push(2 | ((equal - 1) << 2), offset, 0);
      at += equal;
      continue;
    }
    const length = Math.min(bytes.length - at, 1 + random(90));
    if (length <= 60) block.push((length - 1) << 2);
    else block.push(60 << 2, length - 1);
    block.push(...bytes.subarray(at, at + length));
    at += length;
  }
  return Uint8Array.from(block);
}

/** Compresses bytes as a block of LZ4, whose matches reach back by a value or by a byte. */
function lz4(bytes: Uint8Array): Uint8Array {
  const block: number[] = [];
  const more = (length: number) => {
    if (length < 15) return;
    for (let left = length - 15; ; left -= 255) {
      block.push(Math.min(left, 255));
      if (left < 255) return;
    }
  };
  const literals = (from: number, to: number, match: number) => {
    block.push((Math.min(to - from, 15) << 4) | Math.min(match, 15));
    more(to - from);
    block.push(...bytes.subarray(from, to));
  };
  let start = 0;
  for (let at = 1; at < bytes.length; ) {
    const offset = bytes[at] === bytes[at - 1] || at < 8 ? 1 : 8;
    let equal = 0;
    while (at + equal < bytes.length && bytes[at + equal] === bytes[at + equal - offset]) equal++;
    if (equal < 4) {
      at++;
      continue;
    }
    literals(start, at, equal - 4);
    block.push(offset, 0);
    more(equal - 4);
    at += equal;
    start = at;
  }
  literals(start, bytes.length, 0);
  return Uint8Array.from(block);
}

const FAST = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } };

const pack = {
  none: (bytes: Uint8Array) => bytes,
  snappy,
  zstd: (bytes: Uint8Array) => new Uint8Array(zlib.zstdCompressSync(bytes)),
  gzip: (bytes: Uint8Array) => new Uint8Array(zlib.gzipSync(bytes)),
  brotli: (bytes: Uint8Array) => new Uint8Array(zlib.brotliCompressSync(bytes, FAST)),
  lz4,
};

/** Pages of doubles: some rows are null, and values repeat. */
function pagesOf(random: Random, codec: keyof typeof pack) {
  const dictionary = Float64Array.from({ length: 1 + random(300) }, () => random(1000) / 8);
  const width = 32 - Math.clz32(dictionary.length - 1);
  const rows: (number | null)[] = [];
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const add = (
    page: Omit<ParquetPage, "start" | "end" | "size" | "compressed">,
    levels: number[],
    body: Uint8Array,
  ) => {
    const v2 = page.page === "v2";
    const packed = pack[codec](v2 ? body : Uint8Array.from([...levels, ...body]), random);
    const all = v2 ? Uint8Array.from([...levels, ...packed]) : packed;
    pieces.push(all);
    const start = bytes;
    bytes += all.length;
    return { ...page, start, end: bytes, size: levels.length + body.length, compressed: true };
  };
  const none = { levels: 0, nulls: 0 };
  const first = add(
    { page: "dictionary", encoding: "plain", values: dictionary.length, ...none },
    [],
    new Uint8Array(dictionary.buffer),
  );
  const pages = Array.from({ length: 1 + random(4) }, () => {
    const own = Array.from({ length: 1 + random(2500) }, (_, i) =>
      i % 100 > 60 || random(4) > 0 ? random(dictionary.length) : null,
    );
    const present = own.filter((code) => code !== null);
    const runs = hybrid(
      own.map((code) => Number(code !== null)),
      1,
    );
    const page = random(2) === 0 ? ("v1" as const) : ("v2" as const);
    const isCoded = random(4) > 0;
    const length = new Uint8Array(Uint32Array.of(runs.length).buffer);
    const levels = page === "v1" ? [...length, ...runs] : runs;
    const values = Float64Array.from(present, (code) => dictionary[code]!);
    const body = isCoded
      ? Uint8Array.from([width, ...hybrid(present, width)])
      : new Uint8Array(values.buffer);
    rows.push(...own.map((code) => (code === null ? null : dictionary[code]!)));
    return add(
      {
        ...{ page, encoding: isCoded ? ("coded" as const) : ("plain" as const), values: own.length },
        ...(page === "v2" ? { levels: runs.length, nulls: own.length - present.length } : none),
      },
      levels,
      body,
    );
  });
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return { bytes: all, dictionary: first, pages, rows };
}

const memoryFor = ({ rows, dictionary }: PagesRequest) => ({
  values: new Uint8Array(8 * (rows + dictionary!.values)),
  bits: new Uint8Array((rows + 7) >> 3),
  counts: new Uint32Array(dictionary!.values),
});

describe.each(Object.keys(pack) as (keyof typeof pack)[])("pages, %s", (codec) => {
  it("have their rows, and the counts of their values", async () => {
    const random = randomOf(5);
    for (let trial = 0; trial < 60; trial++) {
      const { bytes, rows: all, ...pages } = pagesOf(random, codec);
      const skip = random(Math.min(all.length, pages.pages[0]!.values));
      const rows = random(all.length - skip + 1);
      const expected = all.slice(skip, skip + rows);
      const base = {
        codec,
        layout: "bytes8",
        width: 0,
        level: 1,
        ...pages,
        skip,
        rows,
        threads: trial % 3,
      } as const;
      const request: PagesRequest = { ...base, taken: "rows" };
      const to = memoryFor(request);
      const nulls = expected.filter((value) => value === null).length;
      expect(await reader.read(bytes, request, to)).toEqual([rows, 0, nulls]);
      const values = new Float64Array(to.values.buffer);
      expect(expected.map((_, i) => (to.bits[i >> 3]! & (1 << (i & 7)) ? values[i]! : null))).toEqual(
        expected,
      );
      for (const taken of ["values", "counts"] as const) {
        const dense = memoryFor(request);
        const [length, counted, missing] = (await reader.read(bytes, { ...base, taken }, dense))!;
        expect(missing).toBe(nulls);
        const found: number[] = [];
        const own = new Float64Array(dense.values.buffer);
        for (let i = 0; i < length; i++)
          for (let n = i < counted ? dense.counts[i]! : 1; n > 0; n--) found.push(own[i]!);
        const present = expected.filter((value) => value !== null);
        if (taken === "values") expect(found).toEqual(present);
        else expect(found.sort((a, b) => a - b)).toEqual(present.sort((a, b) => a - b));
      }
    }
  });

  it("that are damaged are read or left, and nothing else is read or written", async () => {
    const random = randomOf(11);
    let left = 0;
    for (let trial = 0; trial < 400; trial++) {
      const { bytes, rows: all, dictionary, pages } = pagesOf(random, codec);
      for (let i = random(6); i > 0; i--) bytes[random(bytes.length)] = random(256);
      const field = (["values", "size", "levels", "nulls", "encoding"] as const)[random(8)];
      const stated =
        field === "encoding"
          ? (["split", "runs", "deltas", "lengths", "prefixes"] as const)[random(5)]
          : random(3000);
      const own =
        field === undefined ? pages : pages.map((page) => ({ ...page, [field]: stated }) as ParquetPage);
      const layout =
        (["bytes8", "bytes4", "boolean", "i8", "u16", "widened", "decimal", "int96", "text"] as const)[
          random(12)
        ] ?? "bytes8";
      const taken = (["rows", "values", "counts"] as const)[random(3)]!;
      const request: PagesRequest = {
        ...{ codec, layout, taken, width: random(20), level: random(4), dictionary, pages: own },
        ...{ skip: random(10), rows: Math.max(all.length - 10, 0), threads: random(2) },
      };
      const found = await reader.read(bytes, request, memoryFor(request));
      if (found === null) left++;
      else {
        const [values, counted, nulls] = found;
        expect(values).toBeLessThanOrEqual(request.rows + dictionary.values);
        expect(counted).toBeLessThanOrEqual(values);
        expect(nulls).toBeLessThanOrEqual(request.rows);
      }
    }
    expect(left).toBeGreaterThan(100);
  });
});

it("refuses pages outside their bytes", () => {
  const { bytes, rows, ...pages } = pagesOf(randomOf(1), "none");
  const request: PagesRequest = {
    ...{ codec: "none", layout: "bytes8", taken: "rows", width: 0, level: 1, ...pages, skip: 0 },
    ...{ rows: rows.length, threads: 0 },
  };
  expect(() => reader.read(bytes.subarray(1), request, memoryFor(request))).toThrow(/the bytes of a page/);
});

it("has no reader in a page", () => {
  expect(inPage()).toBeNull();
});
