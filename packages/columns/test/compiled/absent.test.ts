import { expect, it, vi } from "vitest";
import { read } from "../tables.ts";

vi.mock("@polybin/native/readers", async (original) => ({
  ...(await original<typeof import("@polybin/native/readers")>()),
  csvReader: () => null,
  jsonlReader: () => null,
}));

it("reads text without an addon", async () => {
  expect(await read('a,b\n1,"x, y"\n,NA\n2.5,\n', { format: "csv" })).toEqual({
    a: [1, null, 2.5],
    b: ["x, y", "NA", null],
  });
  expect(await read('{"a":1}\n{"b":"x"}\n', { format: "jsonl" })).toEqual({ a: [1, null], b: [null, "x"] });
});
