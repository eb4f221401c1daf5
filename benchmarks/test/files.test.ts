import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readResults } from "../src/axes/files.ts";
import { WrongUse } from "../src/command/wrong-use.ts";
import { read, scratch } from "./shared.ts";

const OLD = fileURLToPath(new URL("../results/amd-epyc-2/axes-quick.json", import.meta.url));
const bad = join(scratch(), "bad.json");

it("reads what a run wrote", () => {
  expect(readResults(OLD).rows.length).toBeGreaterThan(0);
});

const { rows, ...rest } = read(OLD);
const withRow = (row: unknown) => JSON.stringify({ ...rest, rows: [rows[0], row] });
it.each([
  ["{", "cannot read"],
  ["null", "it is null"],
  [withRow(null), "row 1: it is null"],
  [withRow("row"), 'row 1: it is "row"'],
  [withRow({ ...rows[0], ms: [] }), "row 1: ms is []"],
  [withRow({ ...rows[0], ms: [1, 0] }), "row 1: ms is [1,0]"],
  [withRow({ ...rows[0], callMs: ["1"] }), 'row 1: callMs is ["1"]'],
  [withRow({ ...rows[0], n: "8192" }), 'row 1: n is "8192"'],
  [withRow({ ...rows[0], residence: "disk" }), 'row 1: residence is "disk"'],
  [withRow({ ...rows[0], exact: undefined }), "row 1: exact is undefined"],
  [JSON.stringify({ ...rest, rows, missing: null }), "missing is null"],
  [JSON.stringify({ ...rest, rows, schema: 2 }), "schema is 2"],
])("a file that is none is told by name, with what is wrong in it: %#", (text, words) => {
  writeFileSync(bad, text);
  for (const told of [WrongUse, bad, words]) expect(() => readResults(bad)).toThrow(told);
});
