import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { native } from "@polybin/native";
import type { CsvRequest, JsonlRequest, TextPartReader, TextReader } from "@polybin/native/readers";
import { afterAll, beforeEach, describe, expect, it, type TestContext, vi } from "vitest";
import { type Batch, type CountsBatch, openTable, type Table } from "../../src/index.ts";
import { isValid } from "../../src/table/index.ts";
import { linesOf } from "./lines.ts";
import { type Sample, sampleOf } from "./texts.ts";

type Kind = "addon" | "WebAssembly";
/** The compiled reader that is used, and the pieces that it read. Null: JavaScript reads. */
const compiled = vi.hoisted(() => ({ kind: null as Kind | null, pieces: 0, left: 0 }));

vi.mock("@polybin/native/readers", async (original) => {
  const own = await original<typeof import("@polybin/native/readers")>();
  const [csv, jsonl, module] = [own.csvReader(), own.jsonlReader(), await own.textInWebAssembly()];
  const instructions = ["plain", "avx2", "best"] as const;
  let calls = 0;
  const told = <T>(found: T, taken: boolean): T => {
    compiled[taken ? "pieces" : "left"]++;
    return found;
  };
  const reading = <R>(reader: TextReader<R>, of: (request: R) => R): TextReader<R> => ({
    async read(bytes, request) {
      const found = await reader.read(bytes, of(request));
      return told(found, found !== null);
    },
  });
  const readingParts = <R>(reader: TextPartReader<R>, of: (request: R) => R): TextPartReader<R> => ({
    ...reading(reader, of),
    async readPart(place, request) {
      const found = await reader.readPart(place, of(request));
      return told(found, found[3] !== null);
    },
  });
  const varied = (of: CsvRequest) => ({ ...of, instructions: instructions[calls++ % 3]! });
  const same = <R>(of: R) => of;
  return {
    ...own,
    csvReader: () => (compiled.kind === "addon" && csv !== null ? readingParts(csv, varied) : null),
    jsonlReader: () =>
      compiled.kind === "addon" && jsonl !== null ? readingParts<JsonlRequest>(jsonl, same) : null,
    textInWebAssembly: async () =>
      compiled.kind === "WebAssembly" && module !== null
        ? { csv: reading<CsvRequest>(module.csv, same), jsonl: reading<JsonlRequest>(module.jsonl, same) }
        : null,
  };
});

const probe = await native().probe();
const real = await vi.importActual<typeof import("@polybin/native/readers")>("@polybin/native/readers");
const hasModule = (await real.textInWebAssembly()) !== null;

/** Skips a test without the reader. */
function use(kind: Kind, test: TestContext): void {
  compiled.kind = kind;
  if (kind === "addon" && !probe.available) test.skip(probe.reason);
  if (kind === "WebAssembly" && !hasModule) test.skip("the build had no compiler for WebAssembly");
}

const folder = mkdtempSync(join(tmpdir(), "polybin-compiled-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "sample.csv");

/** The batches of a table, with values as their bytes, and the error that ended them. */
interface Found {
  readonly batches: unknown[];
  readonly error: string | null;
}

async function found(open: () => Promise<Table>, { columns, share }: Sample): Promise<Found> {
  const batches: unknown[] = [];
  try {
    await using table = await open();
    const count = table.parts!.length;
    const [from, to] =
      share === null ? [0, count] : share.map((at) => Math.floor(at * count)).sort((a, b) => a - b);
    const parts = share === null ? undefined : Array.from({ length: to! - from! }, (_, i) => from! + i);
    for await (const batch of table.read({ columns, parts })) batches.push(plain(batch));
    return { batches, error: null };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { batches, error: `${code} ${message}` };
  }
}

const plain = ({ rows, part, columns }: Batch): unknown => ({
  rows,
  part,
  columns: columns.map((chunk) => ({
    ...chunk,
    validity: chunk.validity && Buffer.from(chunk.validity.bits).toString("hex"),
    ...("values" in chunk && {
      type: chunk.values.constructor.name,
      values: Buffer.from(chunk.values.buffer, chunk.values.byteOffset, chunk.values.byteLength).toString(
        "hex",
      ),
    }),
  })),
});

/** What a compiled reader and what JavaScript reads. */
async function both(kind: Kind, sample: Sample, from: string | Uint8Array): Promise<readonly [Found, Found]> {
  const of = async (by: Kind | null) => {
    compiled.kind = by;
    return await found(() => openTable(from, sample.options), sample);
  };
  const [own, expected] = [await of(kind), await of(null)];
  if (own.error === null || expected.error === null) return [own, expected];
  // With threads, it depends on the time how many batches come before an error.
  const common = Math.min(own.batches.length, expected.batches.length);
  const cut = ({ batches, error }: Found): Found => ({ batches: batches.slice(0, common), error });
  return [cut(own), cut(expected)];
}

const SEED = Number(process.env.POLYBIN_SEED ?? 1);
/** How many files of each kind: for each of POLYBIN_RUNS as many as end within the test's time at night. */
const SAMPLES = { CSV: { of: sampleOf, runs: 16 }, "JSON lines": { of: linesOf, runs: 8 } };

type Tally = Map<string, Map<string, number>>;

/** How often each value of each column occurs, and the chunks that have counts. */
async function tallyOf(batches: AsyncIterable<CountsBatch>): Promise<{ tally: Tally; counted: number }> {
  const tally: Tally = new Map();
  let counted = 0;
  for await (const { columns } of batches) {
    for (const chunk of columns) {
      const own = tally.get(chunk.name) ?? new Map<string, number>();
      tally.set(chunk.name, own);
      const add = (value: unknown, count: number): void => {
        const text = Object.is(value, -0) ? "-0" : String(value);
        own.set(text, (own.get(text) ?? 0) + count);
      };
      const isNull = (row: number) => chunk.nulls > 0 && !("counts" in chunk) && !isValid(chunk, row);
      if (chunk.nulls > 0) add(null, chunk.nulls);
      if ("counts" in chunk) {
        counted++;
        expect(chunk.values.length).toBe(chunk.counts.length);
        for (const [i, count] of chunk.counts.entries()) {
          expect(count).toBeGreaterThan(0);
          add(chunk.values[i], count);
        }
      } else {
        for (let row = 0; row < chunk.rows; row++) {
          if (isNull(row)) continue;
          if ("values" in chunk) add(chunk.values[row], 1);
          else add("codes" in chunk ? chunk.dictionary[chunk.codes[row]!] : chunk.strings[row], 1);
        }
      }
    }
  }
  return { tally, counted };
}

describe.each<Kind>(["addon", "WebAssembly"])("compiled code, %s,", (kind) => {
  beforeEach((test: TestContext) => use(kind, test));

  it.each(Object.entries(SAMPLES))(
    "reads of %s what the decoder reads, and refuses what it refuses",
    { timeout: 600_000 },
    async (_, { of, runs }) => {
      const all = runs * Number(process.env.POLYBIN_RUNS ?? 25);
      [compiled.pieces, compiled.left] = [0, 0];
      for (let run = 0; run < all; run++) {
        const seed = SEED * 1_000_003 + run;
        const sample = of(seed);
        writeFileSync(file, sample.bytes);
        for (const from of [file, sample.bytes]) {
          const [own, expected] = await both(kind, sample, from);
          expect({ seed, from: typeof from, found: own }).toEqual({
            seed,
            from: typeof from,
            found: expected,
          });
        }
      }
      expect(compiled.pieces).toBeGreaterThan(all);
      expect(compiled.left).toBeGreaterThan(all / 50);
    },
  );

  it.each(Object.entries(SAMPLES))(
    "counts the values of %s that it reads",
    { timeout: 60_000 },
    async (_, { of, runs }) => {
      compiled.kind = kind;
      let counted = 0;
      for (let run = 0; run < runs * 8; run++) {
        const seed = SEED * 1_000_003 + run;
        const sample = of(seed);
        writeFileSync(file, sample.bytes);
        const { columns } = sample;
        const tallies: Tally[] = [];
        try {
          await using table = await openTable(file, sample.options);
          tallies.push((await tallyOf(table.read({ columns }))).tally);
          const found = await tallyOf(table.readCounts!({ columns }));
          counted += found.counted;
          tallies.push(found.tally);
          const rows =
            columns ?? table.columns.filter(({ type }) => type.kind !== "refused").map(({ name }) => name);
          const kept = await tallyOf(table.readCounts!({ columns, rows }));
          expect(kept.counted).toBe(0);
          tallies.push(kept.tally);
        } catch (error) {
          if ((error as { code?: string }).code === undefined) throw error;
          continue;
        }
        for (const tally of tallies) expect({ seed, tally }).toEqual({ seed, tally: tallies[0] });
      }
      expect(counted).toBeGreaterThan(10);
    },
  );

  it("keeps the rows of values that hardly repeat, and of those that it leaves", async () => {
    const rows = 20_000;
    const lines = Array.from({ length: rows }, (_, i) =>
      [
        i,
        i % 8000,
        (i % 100) / 8,
        i % 7 === 0 ? "" : -0.5 * (i % 3),
        i % 5 === 0 ? "" : "ab".repeat(i % 40),
      ].join(),
    );
    const bytes = Buffer.from(`id,often,part,nulls,text\n${lines.join("\n")}\n`);
    compiled.kind = kind;
    await using table = await openTable(bytes, { format: "csv", threads: 0 });
    const { tally } = await tallyOf(table.read());
    const found = await tallyOf(table.readCounts!());
    expect(found.tally).toEqual(tally);
    for await (const { columns } of table.readCounts!()) {
      expect(columns.map((chunk) => ("counts" in chunk ? chunk.counts.length : null))).toEqual([
        ...[null, 8000, 100, 3, 32],
      ]);
    }
    // Nobody but JavaScript reads so many digits.
    const long = Buffer.from(`a\n${"0.5\n".repeat(100)}0.${"1".repeat(40)}\n`);
    await using other = await openTable(long, { format: "csv", threads: 0 });
    for await (const { columns } of other.readCounts!()) expect("counts" in columns[0]!).toBe(false);
  });

  it("reads more strings than a dictionary has", async () => {
    const texts = Array.from({ length: 70_000 }, (_, i) =>
      i % 1000 === 7 ? "" : `"text, ""${i % 69_000}"""`,
    );
    const bytes = Buffer.from(`a,b\n${texts.map((text, i) => `${i},${text}`).join("\n")}\n`);
    const options = { format: "csv", threads: 0 };
    compiled.pieces = 0;
    const [own, expected] = await both(kind, { bytes, options, columns: undefined, share: null }, bytes);
    expect(own).toEqual(expected);
    // The first records, and the piece.
    expect(compiled.pieces).toBe(2);
  });

  it("reads what has no column", async () => {
    const options = { format: "csv", threads: 0 };
    for (const text of ["", "\n", "\n\n", "\r\n"]) {
      writeFileSync(file, text);
      for (const share of [null, [0, 1]] as const) {
        const [own, expected] = await both(
          kind,
          { bytes: Buffer.from(text), options, columns: undefined, share },
          file,
        );
        expect({ text, found: own }).toEqual({ text, found: expected });
      }
    }
  });
});
