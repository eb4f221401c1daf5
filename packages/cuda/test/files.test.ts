import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileSamples } from "@polybin/core";
import type { Input } from "@polybin/core/backend";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withShares } from "../src/memory/index.ts";

const BYTES = 1000;
let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "polybin-cuda-"));
  path = join(folder, "bytes");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An input as an engine creates it for a call. */
function call(): Input {
  writeFileSync(path, new Uint8Array(BYTES));
  return { kind: "file", file: fileSamples({ path, bytes: BYTES }) };
}

const LATER = 4e9;
const changed = { code: "ERR_INPUT", message: expect.stringContaining("it was changed") };
const rewrite = () => {
  writeFileSync(path, new Uint8Array(BYTES).fill(1));
  utimesSync(path, LATER, LATER);
};

it("a file that is changed while it is read is refused", async () => {
  await expect(withShares(call(), 2, async () => rewrite())).rejects.toMatchObject(changed);
  const cut = withShares(call(), 2, async () => truncateSync(path, 10));
  await expect(cut).rejects.toMatchObject({ code: "ERR_INPUT" });
  expect(await withShares(call(), 2, async (shares) => shares.length)).toBe(2);
});

it("a file that is changed between two passes of a call is refused", async () => {
  const input = call();
  await withShares(input, 2, async () => {});
  rewrite();
  await expect(withShares(input, 2, async () => {})).rejects.toMatchObject(changed);
  // A new call accepts the changed file.
  await withShares({ ...input }, 2, async () => {});
});
