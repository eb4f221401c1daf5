import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { type Batch, openTable, type Table } from "../../src/index.ts";
import { type Sample, sampleOf } from "./texts.ts";

/** Whether the compiled reader is used, and the pieces that it read. */
const compiled = vi.hoisted(() => ({ isOn: true, pieces: 0, left: 0 }));

vi.mock("@polybin/native/csv", async (original) => {
  const own = await original<typeof import("@polybin/native/csv")>();
  const reader = own.csvReader();
  if (reader === null) throw new Error("expected an addon");
  const instructions = ["plain", "avx2", "best"] as const;
  let calls = 0;
  const told = <T>(found: T, taken: boolean): T => {
    compiled[taken ? "pieces" : "left"]++;
    return found;
  };
  return {
    ...own,
    csvReader: (): typeof reader => ({
      async read(bytes, request) {
        if (!compiled.isOn) return null;
        const found = await reader.read(bytes, { ...request, instructions: instructions[calls++ % 3]! });
        return told(found, found !== null);
      },
      async readPart(place, request) {
        if (!compiled.isOn) return [0, 0, true, null];
        const found = await reader.readPart(place, { ...request, instructions: instructions[calls++ % 3]! });
        return told(found, found[3] !== null);
      },
    }),
  };
});

const folder = mkdtempSync(join(tmpdir(), "polybin-compiled-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "sample.csv");

/** The batches of a table and the error that ended them, with values as their bytes. */
async function found(open: () => Promise<Table>, { columns, share }: Sample): Promise<unknown[]> {
  const all: unknown[] = [];
  try {
    await using table = await open();
    const count = table.parts!.length;
    const [from, to] = share === null ? [0, count] : share.map((at) => Math.floor(at * count)).sort((a, b) => a - b);
    const parts = share === null ? undefined : Array.from({ length: to! - from! }, (_, i) => from! + i);
    for await (const batch of table.read({ columns, parts })) all.push(plain(batch));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    all.push(`${code} ${message}`);
  }
  return all;
}

const plain = ({ rows, part, columns }: Batch): unknown => ({
  rows,
  part,
  columns: columns.map((chunk) => ({
    ...chunk,
    validity: chunk.validity && Buffer.from(chunk.validity.bits).toString("hex"),
    ...("values" in chunk && {
      type: chunk.values.constructor.name,
      values: Buffer.from(chunk.values.buffer, chunk.values.byteOffset, chunk.values.byteLength).toString("hex"),
    }),
  })),
});

async function both(sample: Sample, from: string | Uint8Array): Promise<[unknown[], unknown[]]> {
  const of = async (isOn: boolean) => {
    compiled.isOn = isOn;
    return await found(() => openTable(from, sample.options), sample);
  };
  return [await of(true), await of(false)];
}

const SEED = Number(process.env.POLYBIN_SEED ?? 1);
const RUNS = 3000 * Number(process.env.POLYBIN_RUNS ?? 1);

it("reads what the decoder reads, and refuses what it refuses", { timeout: 600_000 }, async () => {
  for (let run = 0; run < RUNS; run++) {
    const seed = SEED * 1_000_003 + run;
    const sample = sampleOf(seed);
    writeFileSync(file, sample.bytes);
    for (const from of [file, sample.bytes]) {
      const [own, expected] = await both(sample, from);
      expect({ seed, from: typeof from, found: own }).toEqual({ seed, from: typeof from, found: expected });
    }
  }
  expect(compiled.pieces).toBeGreaterThan(RUNS);
  expect(compiled.left).toBeGreaterThan(RUNS / 50);
});
