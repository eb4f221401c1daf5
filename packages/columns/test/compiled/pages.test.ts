import { readdirSync } from "node:fs";
import { native } from "@polybin/native";
import { parquetWriteBuffer } from "hyparquet-writer";
import { beforeEach, expect, it, type TestContext } from "vitest";
import { ChunkReader } from "../../src/formats/parquet/chunk.ts";
import { decodeCompiled } from "../../src/formats/parquet/compiled.ts";
import { decodeColumn } from "../../src/formats/parquet/decode/column.ts";
import { countColumn } from "../../src/formats/parquet/decode/counts.ts";
import { readFooter } from "../../src/formats/parquet/footer.ts";
import type { HeldPages } from "../../src/formats/parquet/held.ts";
import { Memory } from "../../src/formats/parquet/memory.ts";
import { leavesOf } from "../../src/formats/parquet/schema.ts";
import type { ColumnTask } from "../../src/formats/parquet/task.ts";
import { type Location, openSource } from "../../src/index.ts";
import { fileOf } from "../tables/values.ts";
import { randomOf } from "./random.ts";

const probe = await native().probe();
beforeEach((test: TestContext) => {
  if (!probe.available) test.skip(probe.reason);
});

type Random = () => number;

/** Columns whose pages hold more values than compiled code unpacks at a time, with runs, nulls and dictionaries. */
function large(random: Random): Uint8Array {
  const rows = 5000;
  const column = (value: (i: number) => unknown, nulls = 0) =>
    Array.from({ length: rows }, (_, i) => (random() < nulls ? null : value(i)));
  const whole = (below: number) => Math.floor(random() * below);
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "fare", data: column(() => whole(900) / 4, 0.1), type: "DOUBLE" },
        { name: "distance", data: column(() => random() * 9, 0.3), type: "DOUBLE" },
        { name: "sorted", data: column((i) => i >> 8), type: "INT32" },
        { name: "seldom", data: column(whole.bind(null, 70), 0.99), type: "INT32" },
        { name: "none", data: column(() => null), type: "INT64", nullable: true },
        { name: "time", data: column((i) => BigInt(i) << 33n, 0.01), type: "INT64" },
        { name: "word", data: column(() => `word ${whole(40)}`, 0.1), type: "STRING" },
        { name: "text", data: column((i) => "é".repeat(i % 9) + whole(4000), 0.1), type: "STRING" },
        { name: "flag", data: column((i) => i % 3 === 0, 0.2), type: "BOOLEAN" },
      ],
      pageSize: 9000,
    }),
  );
}

/** The tasks of all columns of a file, for batches of random sizes. */
async function tasksOf(place: Location, random: Random): Promise<ColumnTask[]> {
  await using source = await openSource(place);
  const footer = await readFooter(source, undefined);
  const tasks: ColumnTask[] = [];
  for (const leaf of leavesOf(source.name, footer)) {
    if (leaf.store === null) continue;
    for (const [part, { rows }] of footer.groups.entries()) {
      if (rows === 0) continue;
      const batchRows = 1 + Math.floor(random() * rows);
      // Nothing is held, so that every batch decodes its pages.
      const pages = { hold: () => null } as unknown as HeldPages;
      const meta = footer.chunk(part, leaf.chunk, leaf.element)!.meta_data!;
      const reader = new ChunkReader(source, leaf, meta, rows, { windowBytes: 65_536, batchRows, pages });
      for (let done = 0; done < rows; ) {
        const take = Math.min(batchRows, rows - done);
        for (const piece of await reader.take(take, undefined))
          if (piece.kind === "pages") tasks.push(piece.task);
        done += take;
      }
    }
  }
  return tasks;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength).slice();

/** What was decoded, with values as their bytes, and without those of rows that are null. */
function plain(found: ReturnType<typeof decodeColumn> | ReturnType<typeof countColumn>): unknown {
  const { nulls, values } = found;
  if ("counts" in found) {
    const bytes = Array.isArray(values) ? values : bytesOf(values as Float64Array);
    return { nulls, type: values!.constructor.name, bytes, counts: [...found.counts] };
  }
  const { bits, codes, dictionary } = found;
  const array = codes ?? (values as Float64Array);
  const bytes = bytesOf(array);
  const size = array.BYTES_PER_ELEMENT;
  for (let row = 0; bits !== null && row < array.length; row++)
    if (((bits[row >> 3]! >> (row & 7)) & 1) === 0) bytes.fill(0, row * size, (row + 1) * size);
  return { nulls, type: array.constructor.name, bytes, dictionary, bits: bits === null ? null : [...bits] };
}

/** Decodes a task by compiled code and by JavaScript. Null: it was not decoded. */
async function both(task: ColumnTask, isCounted: boolean, threads: number) {
  const batch = { file: "x", rows: task.rows, columns: [task], counted: [isCounted] };
  const [own] = await decodeCompiled(batch, threads, new Memory());
  let expected: unknown = null;
  try {
    expected = plain(isCounted ? countColumn(task) : decodeColumn(task));
  } catch {
    // A damaged page.
  }
  return { own: own === null ? null : plain(own!), expected };
}

/** Replaces some bytes of the pages, or what their headers state. */
function damaged(task: ColumnTask, random: Random): ColumnTask {
  const bytes = task.bytes.slice();
  const changes = Math.floor(random() * 3);
  for (let i = 0; i < changes; i++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  if (random() < 0.5) return { ...task, bytes };
  const at = Math.floor(random() * task.pages.length);
  const stated = Math.floor(random() * 200);
  const field = (["values", "size", "levels", "nulls"] as const)[Math.floor(random() * 4)]!;
  const pages = task.pages.map((page, i) => (i === at ? { ...page, [field]: stated } : page));
  return { ...task, bytes, pages };
}

const files = readdirSync(fileOf(".")).filter((name) => name.endsWith(".parquet"));
/** Files whose columns of numbers compiled code reads. */
const READ = [
  "pyarrow-plain-none-v1",
  "pyarrow-plain-snappy-v2",
  "pyarrow-dictionary-zstd-v2",
  "pyarrow-dictionary-gzip-v1",
  "pyarrow-delta-brotli-v1",
  "pyarrow-delta-lz4-v2",
  "written",
];

it.each([...files, "written"])(
  "pages are decoded as by JavaScript, whole and damaged, %s",
  async (name) => {
    const random = randomOf(7);
    const place = name === "written" ? large(random) : fileOf(name);
    let [read, texts, refused] = [0, 0, 0];
    for (const task of await tasksOf(place, random)) {
      for (const isCounted of [false, true]) {
        const { own, expected } = await both(task, isCounted, 2);
        expect(expected).not.toBeNull();
        if (own === null) continue;
        read++;
        if (task.store === "string") texts++;
        expect({ name: task.name, own }).toEqual({ name: task.name, own: expected });
        for (let i = 0; i < 4; i++) {
          const mutated = await both(damaged(task, random), isCounted, i % 2);
          if (mutated.own === null) refused++;
          else
            expect({ name: task.name, own: mutated.own }).toEqual({ name: task.name, own: mutated.expected });
        }
      }
    }
    if (READ.some((start) => name.startsWith(start))) {
      expect(texts).toBeGreaterThan(1);
      expect(read - texts).toBeGreaterThan(14);
      expect(refused).toBeGreaterThan(10);
    }
  },
  30_000,
);
