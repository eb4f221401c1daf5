import { readdirSync } from "node:fs";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { ChunkReader } from "../../src/formats/parquet/chunk.ts";
import { decodeColumn } from "../../src/formats/parquet/decode/column.ts";
import { countColumn } from "../../src/formats/parquet/decode/counts.ts";
import { readFooter } from "../../src/formats/parquet/footer.ts";
import { assembled, HeldPages } from "../../src/formats/parquet/held.ts";
import { leavesOf } from "../../src/formats/parquet/schema.ts";
import type { PageTask } from "../../src/formats/parquet/task.ts";
import type { Chunk, CountsChunk, Table } from "../../src/index.ts";
import { openSource } from "../../src/index.ts";
import { bitsOf, fileOf, open, textsIn } from "./values.ts";

const files = readdirSync(fileOf(".")).filter((name) => name.endsWith(".parquet"));

type Counts = Record<string, number>;

const textOf = (value: unknown): string => (typeof value === "number" ? bitsOf(value) : String(value));

/** How often each value occurs, nulls included. */
function tally(values: Iterable<unknown>): Counts {
  const counts: Counts = {};
  for (const value of values) counts[textOf(value)] = (counts[textOf(value)] ?? 0) + 1;
  return counts;
}

/** The same for values with counts. */
function expanded({ values, counts, nulls }: Pick<CountsChunk, "values" | "counts" | "nulls">): Counts {
  const all: Counts = nulls > 0 ? { null: nulls } : {};
  for (const [i, value] of Array.from<unknown>(values as ArrayLike<unknown>).entries()) {
    all[textOf(value)] = (all[textOf(value)] ?? 0) + (counts[i] ?? 1);
  }
  return all;
}

function added(into: Map<string, Counts>, name: string, counts: Counts): void {
  const sum = into.get(name) ?? {};
  for (const [text, count] of Object.entries(counts)) sum[text] = (sum[text] ?? 0) + count;
  into.set(name, sum);
}

/** Rows of floats are their bits already. */
const ofTexts = (texts: readonly (string | null)[]): Counts => {
  const counts: Counts = {};
  for (const text of texts) counts[String(text)] = (counts[String(text)] ?? 0) + 1;
  return counts;
};

async function countsIn(table: Table, rows: readonly string[] = []): Promise<Map<string, Counts>> {
  const all = new Map<string, Counts>();
  for await (const batch of table.readCounts!({ rows })) {
    for (const chunk of batch.columns) {
      expect([chunk.name, chunk.rows, "counts" in chunk]).toEqual([
        chunk.name,
        batch.rows,
        !rows.includes(chunk.name),
      ]);
      if ("counts" in chunk) {
        expect(chunk.counts.every((count) => count > 0)).toBe(true);
        const floats = chunk.values instanceof Float32Array || chunk.values instanceof Float64Array;
        const values = floats ? chunk.values : Array.from(chunk.values as ArrayLike<unknown>, String);
        added(all, chunk.name, expanded({ ...chunk, values: values as CountsChunk["values"] }));
      }
    }
  }
  return all;
}

describe("values without their rows", () => {
  it.each(files)("are those of the rows, %s", async (name) => {
    await using table = await open(fileOf(name));
    const rows = await textsIn(table);
    const counts = await countsIn(table);
    expect([...counts.keys()]).toEqual([...rows.keys()]);
    for (const [column, texts] of rows) expect(counts.get(column), column).toEqual(ofTexts(texts));
  });

  it.each(files)("are those of the rows for batches that cut pages, %s", async (name) => {
    await using source = await openSource(fileOf(name));
    const footer = await readFooter(source, undefined);
    for (const leaf of leavesOf(name, footer)) {
      if (leaf.store === null) continue;
      for (const [part, { rows: total }] of footer.groups.entries()) {
        if (total === 0) continue;
        const reader = new ChunkReader(
          source,
          leaf,
          footer.chunk(part, leaf.chunk, leaf.element)!.meta_data!,
          total,
          {
            windowBytes: 65_536,
            batchRows: total,
            pages: new HeldPages(() => Promise.reject(new Error("no page has more rows than its group"))),
          },
        );
        for (let done = 0; done < total; done += 37) {
          const [piece, ...others] = await reader.take(Math.min(37, total - done), undefined);
          if (piece?.kind !== "pages" || others.length > 0) throw new Error("expected pages");
          const { task } = piece;
          const { values, codes, dictionary, bits } = decodeColumn(task);
          const rows = Array.from({ length: task.rows }, (_, i) => {
            if (bits !== null && ((bits[i >> 3]! >> (i & 7)) & 1) === 0) return null;
            return values === null ? dictionary![codes![i]!] : values[i];
          });
          expect(expanded(countColumn(task)), `${leaf.name}, row ${done}`).toEqual(tally(rows));
        }
      }
    }
  });

  it.each(files)("and pages of more rows than a batch, which are decoded once, %s", async (name) => {
    await using source = await openSource(fileOf(name));
    const footer = await readFooter(source, undefined);
    for (const leaf of leavesOf(name, footer)) {
      if (leaf.store === null) continue;
      for (const [part, { rows: total }] of footer.groups.entries()) {
        if (total === 0) continue;
        const meta = footer.chunk(part, leaf.chunk, leaf.element)!.meta_data!;
        const read = async (batchRows: number) => {
          let held = 0;
          const pages = new HeldPages(async (task) => {
            held += task.rows;
            return decodeColumn(task);
          });
          const reader = new ChunkReader(source, leaf, meta, total, {
            windowBytes: 65_536,
            batchRows,
            pages,
          });
          const all: unknown[] = [];
          for (let done = 0; done < total; done += batchRows) {
            const rows = Math.min(batchRows, total - done);
            const pieces = await reader.take(rows, undefined);
            const own = pieces.flatMap((piece) => (piece.kind === "pages" ? [piece.task] : []));
            for (const { pages } of own)
              for (const page of pages) expect(page.values).toBeLessThan(batchRows + 1);
            const { values, codes, dictionary, bits, nulls } = await assembled(pieces, own.map(decodeColumn));
            for (let i = 0; i < rows; i++) {
              if (bits !== null && ((bits[i >> 3]! >> (i & 7)) & 1) === 0) all.push(null);
              else all.push(values === null ? dictionary![codes![i]!] : values[i]);
            }
            expect(all.slice(-rows).filter((value) => value === null)).toHaveLength(nulls);
          }
          return { all, held };
        };
        const whole = await read(total);
        const cut = await read(37);
        expect(cut.all).toEqual(whole.all);
        expect(cut.held).toBeLessThanOrEqual(total);
        expect(whole.held).toBe(0);
      }
    }
  });

  it("are counted if they repeat, and listed otherwise", async () => {
    const few = Array.from({ length: 1000 }, (_, i) => (i % 5 === 0 ? null : (i % 7) / 10));
    const mixed = Array.from({ length: 1000 }, (_, i) => (i < 500 ? i % 3 : i));
    const texts = few.map((value) => (value === null ? null : `text ${value}`));
    const bytes = parquetWriteBuffer({
      rowGroupSize: [600, 400],
      columnData: [
        { name: "few", data: few, type: "DOUBLE", encoding: "RLE_DICTIONARY" },
        { name: "many", data: mixed.map((_, i) => i / 3), type: "DOUBLE", encoding: "PLAIN" },
        { name: "mixed", data: mixed, type: "INT32" },
        { name: "text", data: texts, type: "STRING" },
        { name: "flag", data: few.map((value) => value !== null), type: "BOOLEAN" },
      ],
    });
    await using table = await open(bytes);
    const lengths: Record<string, number[]> = { few: [], many: [], mixed: [], text: [], flag: [] };
    for await (const { columns } of table.readCounts!()) {
      for (const chunk of columns as CountsChunk[])
        lengths[chunk.name]!.push(chunk.counts.length, chunk.values.length);
    }
    expect(lengths).toMatchObject({
      few: [7, 7, 7, 7],
      many: [0, 600, 0, 400],
      text: [7, 7, 7, 7],
      flag: [2, 2, 2, 2],
    });
    const rows = await textsIn(table);
    const counts = await countsIn(table, ["mixed"]);
    expect([...counts.keys()]).toEqual(["few", "many", "text", "flag"]);
    for (const [column, all] of counts) expect(all, column).toEqual(ofTexts(rows.get(column)!));
  });

  it("are counted beside a dictionary that no row uses", () => {
    const doubles = (values: number[]) => [...new Uint8Array(Float64Array.from(values).buffer)];
    const run = (rows: number, isPresent: number) => [2, 0, 0, 0, 2 * rows, isPresent];
    const pages = [
      { encoding: "PLAIN", values: 2, bytes: doubles([1, 2]) },
      { encoding: "RLE_DICTIONARY", values: 8, bytes: run(8, 0) },
      { encoding: "PLAIN", values: 3, bytes: [...run(3, 1), ...doubles([5, 5, 7])] },
    ];
    const [dictionary, ...rest] = pages.map(({ encoding, values, bytes }, i): PageTask => {
      const start = pages.slice(0, i).reduce((sum, page) => sum + page.bytes.length, 0);
      return {
        kind: i === 0 ? "dictionary" : "v1",
        start,
        end: start + bytes.length,
        size: bytes.length,
        values,
        encoding,
        levels: 0,
        repetition: 0,
        nulls: 0,
        compressed: false,
        levelEncoding: "RLE",
        crc: null,
      };
    });
    const counted = countColumn({
      name: "x",
      physical: "DOUBLE",
      typeLength: 0,
      level: 1,
      store: "f64",
      codec: "UNCOMPRESSED",
      bytes: Uint8Array.from(pages.flatMap(({ bytes }) => bytes)),
      isAlone: true,
      dictionary: dictionary!,
      pages: rest,
      skip: 0,
      rows: 11,
    });
    expect(expanded(counted)).toEqual(tally([...Array(8).fill(null), 5, 5, 7]));
    expect(counted.counts.length).toBeLessThanOrEqual(counted.values.length);
  });

  it("come with the rows of the columns that need them", async () => {
    await using table = await open(fileOf("pyarrow-dictionary-zstd-v2.parquet"));
    const names = ["f64", "i32", "text"];
    const [counted, plain] = [[], []] as [(Chunk | CountsChunk)[], Chunk[]];
    for await (const { columns } of table.readCounts!({ columns: names, rows: ["i32", "text"] }))
      counted.push(...columns);
    for await (const { columns } of table.read({ columns: names })) plain.push(...columns);
    expect(counted.map((chunk) => "counts" in chunk)).toEqual([true, false, false, true, false, false]);
    expect(counted.filter((chunk) => !("counts" in chunk))).toEqual(
      plain.filter(({ name }) => name !== "f64"),
    );
    await expect(async () => {
      for await (const _ of table.readCounts!({ rows: ["i65"] }));
    }).rejects.toMatchObject({ code: "ERR_INPUT" });
    await expect(async () => {
      for await (const _ of table.readCounts!({ row: ["i32"] } as never));
    }).rejects.toMatchObject({ code: "ERR_INPUT" });
  });
});
