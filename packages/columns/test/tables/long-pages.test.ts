import zlib from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { forge, plainHeader } from "./damaged/forge.ts";
import { open } from "./values.ts";

// Only the decoder in JavaScript decompresses where a test can count it.
vi.mock("@polybin/native/readers", async (original) => ({
  ...(await original<typeof import("@polybin/native/readers")>()),
  parquetReader: () => null,
}));

const ROWS = 8_000_000;

/** Columns of doubles, each of one page of 64 MB: zeros, and a last row that is 1. All columns share the page's bytes. */
function zeros(columns: number): Uint8Array {
  const values = new Float64Array(ROWS);
  values[ROWS - 1] = 1;
  const page = new Uint8Array(values.buffer);
  const body = zlib.zstdCompressSync(page);
  const header = plainHeader(ROWS, page.length, body.length);
  const meta = { codec: "ZSTD", total_uncompressed_size: BigInt(page.length) } as const;
  return forge({ pages: [{ header, body }], rows: BigInt(ROWS), meta, columns });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a page of more rows than a batch", () => {
  it.each(["read", "readCounts"] as const)(
    "is decompressed once (%s)",
    async (call) => {
      const decompressed = vi.spyOn(zlib, "zstdDecompressSync");
      await using table = await open(zeros(3), { threads: 0 });
      let [rows, sum, batches] = [0, 0, 0];
      for await (const batch of table[call]!()) {
        rows += batch.rows;
        batches++;
        for (const chunk of batch.columns) {
          if (!("values" in chunk)) throw new Error("expected values");
          expect(chunk.values).toHaveLength(batch.rows);
          for (const value of chunk.values as Float64Array) sum += value;
        }
      }
      expect([rows, sum]).toEqual([ROWS, 3]);
      expect(batches).toBeGreaterThan(1);
      expect(decompressed).toHaveBeenCalledTimes(3);
    },
    60_000,
  );

  it("does not keep an abort waiting for the other columns' pages", async () => {
    const decompressed = vi.spyOn(zlib, "zstdDecompressSync");
    const columns = 24;
    await using table = await open(zeros(columns), { threads: 0 });
    const controller = new AbortController();
    const reading = (async () => {
      for await (const { rows } of table.read({ signal: controller.signal })) expect(rows).toBeGreaterThan(0);
    })();
    setTimeout(() => controller.abort(), 1);
    await expect(reading).rejects.toThrow(/abort/i);
    expect(decompressed.mock.calls.length).toBeLessThan(columns);
  }, 60_000);
});
