import { expect, it, vi } from "vitest";
import { read } from "../tables.ts";

vi.mock("@polybin/native/csv", async (original) => ({
  ...(await original<typeof import("@polybin/native/csv")>()),
  csvReader: () => null,
}));

it("reads CSV without an addon", async () => {
  expect(await read('a,b\n1,"x, y"\n,NA\n2.5,\n', { format: "csv" })).toEqual({
    a: [1, null, 2.5],
    b: ["x, y", "NA", null],
  });
});
