import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openTable } from "../src/index.ts";

const LINE = {
  csv: "12345678,0.125,some text that is long enough\n",
  jsonl: '{"a":12345678,"b":0.125,"c":"some text"}\n',
};
const PART = 65_536;
/** The first megabyte shows the types. */
const SAMPLE = 1_048_576;

describe("a stream without end", () => {
  it.each([
    ["csv", 0],
    ["csv", 2],
    ["jsonl", 2],
  ] as const)("of %s with %i threads is read no faster than its reader takes it", async (format, threads) => {
    let given = 0;
    let isEnded = false;
    async function* endless() {
      const piece = Buffer.from(LINE[format].repeat(500));
      try {
        for (;;) {
          given += piece.length;
          yield piece;
        }
      } finally {
        isEnded = true;
      }
    }
    await using table = await openTable(endless(), {
      format,
      threads,
      partBytes: PART,
      ...(format === "csv" ? { header: ["a", "b", "c"] } : {}),
    });
    let batches = 0;
    for await (const batch of table.read()) {
      expect(batch.rows).toBeGreaterThan(0);
      batches++;
      // Each batch is a part, and at most threads + 2 parts are read before they are asked for.
      expect(given).toBeLessThan(SAMPLE + (batches + threads + 3) * PART);
      if (batches === 40) break;
    }
    await table.close();
    expect(isEnded).toBe(true);
  });

  it("without a newline is refused", async () => {
    async function* endless() {
      const piece = Buffer.alloc(1_048_576, "x");
      for (;;) yield piece;
    }
    for (const format of ["csv", "jsonl"]) {
      await expect(openTable(endless(), { format })).rejects.toMatchObject({ code: "ERR_LIMIT" });
    }
  });

  it("with a quotation mark that is not closed is refused", async () => {
    async function* endless() {
      yield Buffer.from(`${LINE.csv.repeat(30_000)}1,2,"`);
      for (;;) yield Buffer.from(LINE.csv.repeat(10_000));
    }
    await using table = await openTable(endless(), { format: "csv", header: false, threads: 0 });
    const reading = (async () => {
      for await (const _ of table.read());
    })();
    await expect(reading).rejects.toThrow(/ERR_LIMIT|at most 16777216 bytes.*quote: null/);
  });
});

describe("a record of 9 MB", () => {
  it.each([
    ["of one line", '"a".repeat(9e6)'],
    ["of many lines in quotation marks", `'"' + "abcdefgh,\\n".repeat(9e5) + '"'`],
  ])("%s takes a few times its size of memory", (_, field) => {
    // A process of its own, whose peak is that of this table alone.
    const script = `import { openTable } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
      const text = Buffer.from("x,y\\n" + "1,q\\n".repeat(3e5) + "2," + ${field} + "\\n3,r\\n");
      const peak = () => process.resourceUsage().maxRSS / 1024;
      const before = peak();
      await using table = await openTable(text, { format: "csv", threads: 0, quotedNewlines: true });
      let sum = 0;
      for await (const { columns: [x] } of table.read({ columns: ["x"] })) for (const value of x.values) sum += value;
      console.log(sum, peak() - before < 500 ? "below 500 MiB" : peak() - before);`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect([stdout, stderr]).toEqual(["300005 below 500 MiB\n", ""]);
  });
});
