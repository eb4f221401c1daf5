import { readdirSync, readFileSync } from "node:fs";
import { isPolybinError } from "@polybin/core";
import { describe, expect, it } from "vitest";
import { fileOf, open, textsIn } from "../values.ts";

const bytesOf = (name: string) => new Uint8Array(readFileSync(fileOf(name)));

/** Reads a file. Returns "read", or the code of the error. */
async function verdictOf(bytes: Uint8Array, format: string): Promise<string> {
  try {
    await using table = await open(bytes, { format });
    await textsIn(table);
    return "read";
  } catch (error) {
    return isPolybinError(error) ? error.code : String(error);
  }
}

describe("damaged files", () => {
  it("are never read after a truncation", async () => {
    // A stream may end after any message, so it is not among them.
    const names = readdirSync(fileOf(".")).filter((name) => /\.(parquet|arrow)$/.test(name));
    expect(names.length).toBeGreaterThan(12);
    for (const name of names) {
      const bytes = bytesOf(name);
      for (const length of [0, 1, 4, 11, 12, bytes.length >> 1, bytes.length - 1]) {
        const verdict = await verdictOf(
          bytes.subarray(0, length),
          name.endsWith(".parquet") ? "parquet" : "arrow",
        );
        expect(["ERR_INPUT", "ERR_LIMIT"], `${name}, ${length} bytes`).toContain(verdict);
      }
    }
  });

  it("are refused with a wrong checksum", async () => {
    // This file has checksums, and is not compressed, so that nothing else could notice a changed value.
    const bytes = bytesOf("pyarrow-sums.parquet");
    expect(await verdictOf(bytes, "parquet")).toBe("read");
    const value = new Uint8Array(new Float64Array([1234.5]).buffer);
    const at = bytes.findIndex((_, i) => value.every((byte, k) => bytes[i + k] === byte));
    expect(at).toBeGreaterThan(0);
    bytes[at]! ^= 1;
    await using damaged = await open(bytes);
    await expect(textsIn(damaged)).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("checksum"),
    });
  });

  it.each<[string, Readonly<Record<number, number>>, RegExp]>([
    ["pyarrow-sums.parquet", { 23: 0x62 }, /the encoding without a name of numbers is unknown/],
    ["pyarrow-sums.parquet", { 25: 0x62 }, /the encoding without a name of levels is unknown/],
    ["pyarrow-deltas.arrows", { 75: 99 }, /a field has the type 99, and the last one is 26/],
    ["pyarrow-deltas.arrows", { 60: 127, 62: 0 }, /a position in the metadata lies outside them/],
  ])("of an encoding or a type that is unknown are refused: %s, %j", async (name, changes, message) => {
    const bytes = bytesOf(name);
    for (const [at, byte] of Object.entries(changes)) bytes[Number(at)] = byte;
    const reading = (async () => {
      await using table = await open(bytes);
      await textsIn(table);
    })();
    await expect(reading).rejects.toThrow(message);
  });
});
