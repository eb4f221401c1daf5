import { expect, it } from "vitest";
import { integer } from "../src/axis/index.ts";
import { openEngine } from "../src/engine/open.ts";
import { errorOf } from "./helpers.ts";

it("a method that was taken out of its object says how to call it", async () => {
  await using engine = await openEngine();
  const axis = integer(0, 4);
  await using counter = await engine.prepare({ axis });
  const pairs = await engine.prepare({
    columns: [
      { type: "u8", axis },
      { type: "u8", axis },
    ],
  });
  const taken: readonly (readonly [string, object, readonly string[]])[] = [
    [
      "engine",
      engine,
      ["histogram", "histograms", "joint", "segments", "prepare", "upload", "table", "extent", "encode"],
    ],
    ["engine", engine, ["allocate", "supports", "explain", "close"]],
    ["counter", counter, ["count", "countSync", "countAll", "accumulate", "take", "free"]],
    ["counter", pairs, ["count", "countSync", "countAll", "accumulate", "take", "free"]],
  ];
  for (const [name, of, methods] of taken) {
    for (const key of methods) {
      const method = (of as Readonly<Record<string, () => unknown>>)[key]!;
      expect(method.name).toBe(key);
      const error = errorOf(() => method.call(undefined));
      expect([error.code, error.message]).toEqual([
        "ERR_INPUT",
        expect.stringContaining(`expected ${name}.${key}(…) but ${key} was called without its ${name}`),
      ]);
    }
  }
  const { histogram } = engine;
  expect((await histogram.bind(engine)(Uint8Array.of(1))).sum()).toBe(1);
});
