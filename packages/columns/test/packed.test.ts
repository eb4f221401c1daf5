import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { unpackedHead } from "../src/detect.ts";
import { openTable } from "../src/index.ts";
import { cells, failure, read } from "./tables.ts";
import { npyFile } from "./zip.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-packed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 20_000;
/** Some rows of CSV, some hundred kilobytes that do not shrink to nothing. */
const lines = (from: number): string[] =>
  Array.from({ length: ROWS }, (_, i) => `${from + i},${((from + i) * 2_654_435_761) % 4_294_967_296}\n`);
const head = "x,y\n";
const [first, second] = [lines(0), lines(ROWS)] as const;
const text = head + first.join("") + second.join("");
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const json = numbers(5).map((x) => `{"x":${x}}\n`);

const PACKERS = [
  ["gzip", ".gz", gzipSync],
  ["Zstandard", ".zst", zstdCompressSync],
] as const;

describe.each(PACKERS)("%s", (packing, ending, pack) => {
  const whole = pack(text);
  const two = Buffer.concat([pack(head + first.join("")), pack(second.join(""))]);

  it("is unpacked in files, bytes and streams, as often as the place can be read", async () => {
    const path = join(folder, `trips.csv${ending}`);
    writeFileSync(path, whole);
    for (const threads of [0, 2]) {
      await using table = await openTable(path, { threads, partBytes: 100_000 });
      expect([table.format, table.parts?.length, table.parts?.[0]?.bytes]).toEqual(["csv", 1, whole.length]);
      let last = { bytes: 0, totalBytes: 0 as number | null };
      const options = { columns: ["x"], onProgress: (progress: typeof last) => (last = progress) };
      expect((await cells(table, options)).x).toEqual(numbers(2 * ROWS));
      expect(last).toMatchObject({ bytes: whole.length, totalBytes: whole.length });
      // A second pass, a part, and a read that is left and its next one.
      expect((await cells(table)).x).toEqual(numbers(2 * ROWS));
      expect((await cells(table, { columns: ["x"], parts: [0] })).x).toEqual(numbers(2 * ROWS));
      for await (const _ of table.read()) break;
      expect((await cells(table, { columns: ["x"] })).x).toEqual(numbers(2 * ROWS));
    }
    await using stream = await openTable(Readable.from([whole.subarray(0, 5), whole.subarray(5)]), {
      format: "csv",
    });
    expect(stream.parts).toBeNull();
    expect((await cells(stream)).x).toEqual(numbers(2 * ROWS));
    expect((await read(pack(json.join("")), { format: "jsonl" })).x).toEqual(numbers(5));
    expect(await read(pack("a\tb\n1\t2\n"), { name: `x.tsv${ending}` })).toEqual({ a: [1], b: [2] });
    const npy = npyFile("'<f8'", 3, new Uint8Array(Float64Array.of(1, 2, 3).buffer));
    await using array = await openTable(pack(npy));
    for (let pass = 0; pass < 2; pass++) expect(Object.values(await cells(array))).toEqual([[1, 2, 3]]);
  });

  it("of several files in a row is one file, wherever a stream cuts them", async () => {
    for (const bytes of [1, 7, 4096, 65_536, pack(head).length]) {
      const small = Buffer.concat([pack(head), pack("1,2\n"), pack(""), pack("3,4\n")]);
      const pieces = Array.from({ length: Math.ceil(small.length / bytes) }, (_, i) =>
        small.subarray(i * bytes, (i + 1) * bytes),
      );
      await using table = await openTable(Readable.from(pieces), { format: "csv" });
      expect(await cells(table)).toEqual({ x: [1, 3], y: [2, 4] });
    }
    expect((await read(two, { format: "csv" })).x).toEqual(numbers(2 * ROWS));
  });

  it("that is cut is refused, with its length", async () => {
    const middle = two.length >> 1;
    const lengths = [5, 200, middle, two.length - 5, two.length - 1];
    // The header of the second file.
    const start = pack(head + first.join("")).length;
    lengths.push(...numbers(15).map((more) => start + 1 + more));
    for (const length of lengths)
      expect(await failure(two.subarray(0, length), { format: "csv" })).toMatch(
        new RegExp(`^ERR_INPUT bytes: expected .*${packing} data but `),
      );
    expect(await failure(two.subarray(0, middle), { format: "csv" })).toBe(
      `ERR_INPUT bytes: expected whole ${packing} data but it ends after ${middle} bytes, in the middle of them: it may have been cut`,
    );
  });

  it("that is damaged, or followed by something else, is refused with the byte", async () => {
    const damaged = Buffer.from(whole);
    damaged.fill(0x55, 100_000, 100_400);
    expect(await failure(damaged, { format: "csv" })).toMatch(
      new RegExp(
        `^ERR_INPUT bytes: expected whole ${packing} data but they are damaged, which shows behind byte [1-9]\\d+: `,
      ),
    );
    expect(await failure(Buffer.concat([pack(text), Buffer.from("x,y")]), { format: "csv" })).toMatch(
      new RegExp(`^ERR_INPUT bytes: expected (?:nothing but|whole) ${packing} data but .*byte \\d+`),
    );
  });

  it("keeps a file that would be huge within bounds", async () => {
    const before = process.memoryUsage().rss;
    // One line of many blanks, and one after a header.
    const blanks = pack(Buffer.alloc(60_000_000, 0x20));
    expect(await failure(blanks, { format: "csv" })).toMatch(/^ERR_LIMIT .*at most 16777216 bytes/);
    const bomb = Buffer.concat([pack("x\n1\n"), blanks]);
    expect(await failure(bomb, { format: "csv", types: { x: "f64" } })).toMatch(/^ERR_LIMIT /);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });

  it("of what must be read anywhere is refused", async () => {
    expect(await failure(pack("PAR1 and more"), {})).toMatch(/^ERR_UNSUPPORTED .*cannot be read as a stream/);
  });

  it("shows the first bytes of its content", async () => {
    expect(await unpackedHead(Buffer.from(text), 10)).toBeNull();
    expect(await unpackedHead(pack("x\n1\n"), 10)).toEqual({
      head: new Uint8Array(Buffer.from("x\n1\n")),
      isWhole: true,
    });
    const cut = await unpackedHead(whole.subarray(0, 200_000), 100);
    expect(cut).toEqual({ head: new Uint8Array(Buffer.from(text.slice(0, 100))), isWhole: false });
    expect(await unpackedHead(whole.subarray(0, 20), 100)).toEqual({
      head: new Uint8Array(0),
      isWhole: false,
    });
  });
});

it("zeros may follow gzip, and nothing after them", async () => {
  const padded = Buffer.concat([gzipSync("x\n1\n"), Buffer.alloc(200_000)]);
  expect(await read(padded, { format: "csv" })).toEqual({ x: [1] });
  expect(await failure(Buffer.concat([padded, Buffer.from("x")]), { format: "csv" })).toMatch(
    /^ERR_INPUT bytes: expected nothing but gzip data but they end at byte \d+ and something else follows/,
  );
});
