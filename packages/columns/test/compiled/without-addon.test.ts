// What reads text where there is no addon, as in a page.
import { beforeEach, expect, it, vi } from "vitest";
import { openTable, type Table, textReader } from "../../src/index.ts";
import { openTableInPage } from "../../src/page.ts";

vi.mock("@polybin/native/readers", async (original) => ({
  ...(await original<typeof import("@polybin/native/readers")>()),
  csvReader: () => null,
  jsonlReader: () => null,
}));

beforeEach(async (test) => {
  if ((await textReader()) !== "WebAssembly") test.skip("the build had no compiler for WebAssembly");
});

const ROWS = 30_000;
const NAMES = ["été", "a, b", 'say "so"', "x".repeat(40)];
const TEXTS = {
  csv: [
    "n,text",
    ...Array.from({ length: ROWS }, (_, i) => `${i % 50},"${NAMES[i % 4]!.replaceAll('"', '""')}"`),
  ].join("\r\n"),
  jsonl: Array.from({ length: ROWS }, (_, i) => JSON.stringify({ n: i % 50, text: NAMES[i % 4] })).join("\n"),
};

/** How often each value occurs. JavaScript would leave the values in their rows. */
async function counted(table: Table): Promise<Record<string, Record<string, number>>> {
  const found: Record<string, Record<string, number>> = {};
  for await (const { columns } of table.readCounts!()) {
    for (const chunk of columns) {
      if (!("counts" in chunk)) throw new Error(`expected that compiled code counts ${chunk.name}`);
      found[chunk.name] ??= {};
      const own = found[chunk.name]!;
      for (const [i, count] of chunk.counts.entries()) {
        const value = String(chunk.values[i]);
        own[value] = (own[value] ?? 0) + count;
      }
    }
  }
  return found;
}

const EXPECTED = {
  n: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i, ROWS / 50])),
  text: Object.fromEntries(NAMES.map((name) => [name, ROWS / 4])),
};

it.each(Object.entries(TEXTS))("a page reads %s in WebAssembly", async (format, text) => {
  const buffer = globalThis.Buffer;
  vi.stubGlobal("Buffer", undefined);
  try {
    await using table = await openTableInPage(new Blob([text]), `a.${format}`);
    expect(await counted(table)).toEqual(EXPECTED);
  } finally {
    vi.stubGlobal("Buffer", buffer);
  }
});

it.each(Object.entries(TEXTS))("each thread of a pool reads %s in WebAssembly", async (format, text) => {
  const options = { format, threads: 2, partBytes: 100_000 };
  await using table = await openTable(Buffer.from(text), options);
  expect(table.parts!.length).toBeGreaterThan(3);
  expect(await counted(table)).toEqual(EXPECTED);
});

it("names the line that does not fit, as JavaScript does", async () => {
  await using table = await openTable(Buffer.from(`n\n${"1\n".repeat(2_000_000)}x\n2\n`), { format: "csv" });
  await expect(counted(table)).rejects.toThrow('line 2000002: expected i32 in column "n" but found "x"');
});
