import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fileOf, open, textsIn } from "../values.ts";
import { corpus, mutant, verdictOf } from "./mutants.ts";

/** Files with a few columns, which take little time, are damaged more often than those with all. */
const SMALL_BYTES = 15_000;
const CASES = 2000;
const SEED = Number(process.env["POLYBIN_SEED"] ?? 1);

describe("damaged files", () => {
  const files = corpus();
  const small = files.filter(({ bytes }) => bytes.length < SMALL_BYTES);

  it(`end in an error with a code, ${CASES} of them`, async () => {
    const verdicts = new Map<string, number>();
    for (let seed = SEED; seed < SEED + CASES; seed++) {
      const from = seed % 4 === 0 ? files : small;
      const { name, bytes } = from[(seed >> 2) % from.length]!;
      const damaged = mutant(bytes, seed);
      const verdict = await verdictOf(damaged.bytes, name.endsWith(".parquet") ? "parquet" : "arrow").catch((cause: unknown) => {
        throw new Error(`${name}, ${damaged.damage}, seed ${seed}`, { cause });
      });
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    }
    expect(verdicts.get("ERR_INPUT")).toBeGreaterThan(CASES / 2);
    expect(verdicts.get("read")).toBeGreaterThan(CASES / 20);
  }, 60_000);

  it("are never read after a truncation", async () => {
    for (const { name, bytes } of files) {
      // A stream may end after any message.
      if (name.endsWith(".arrows")) continue;
      for (const length of [0, 1, 4, 11, 12, bytes.length >> 1, bytes.length - 1]) {
        const format = name.endsWith(".parquet") ? "parquet" : "arrow";
        expect(await verdictOf(bytes.subarray(0, length), format), `${name}, ${length} bytes`).not.toBe("read");
      }
    }
  });

  it("are refused with a wrong checksum", async () => {
    // This file has checksums, and is not compressed, so that nothing else could notice a changed value.
    const bytes = new Uint8Array(readFileSync(fileOf("pyarrow-sums.parquet")));
    await using whole = await open(bytes.slice());
    expect((await textsIn(whole)).get("f64")).toHaveLength(150);
    const value = new Uint8Array(new Float64Array([1234.5]).buffer);
    const at = bytes.findIndex((_, i) => value.every((byte, k) => bytes[i + k] === byte));
    expect(at).toBeGreaterThan(0);
    bytes[at]! ^= 1;
    await using damaged = await open(bytes);
    await expect(textsIn(damaged)).rejects.toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("checksum") });
  });
});
