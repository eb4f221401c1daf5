import { openEngine } from "@polybin/core";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, expect, it } from "vitest";
import { histogram, joint, openTable } from "../../src/index.ts";
import { plain } from "./plain.ts";

const engine = await openEngine();
afterAll(() => engine.close());

const x = Float64Array.from({ length: 300 }, (_, i) => 1 + i / 2);
const y = Float64Array.from({ length: 300 }, (_, i) => Math.cos(i));
const w = Float64Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? 1 : -1));

/** A file whose statistics of x end at a value, which is written as 8 bytes, in every row group. */
function stating(ends: readonly (readonly [before: number, after: number])[]): Uint8Array {
  const columnData = [
    { name: "x", data: x, type: "DOUBLE" as const },
    { name: "y", data: y, type: "DOUBLE" as const },
    { name: "w", data: w, type: "DOUBLE" as const },
  ];
  const file = Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 100 }));
  const footer = file.length - 8 - file.readUInt32LE(file.length - 8);
  for (const [before, after] of ends) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(before);
    let found = 0;
    for (let at = file.indexOf(bytes, footer); at >= 0; at = file.indexOf(bytes, at + 8)) {
      file.writeDoubleLE(after, at);
      found += 1;
    }
    expect(found).toBeGreaterThan(0);
  }
  return new Uint8Array(file);
}

const wrong: (readonly [string, Uint8Array])[] = [
  ["too small a maximum", stating([[150.5, 120]])],
  ["too large a minimum", stating([[1, 10]])],
  [
    "both, in the middle",
    stating([
      [1, 49],
      [150.5, 101],
    ]),
  ],
];

it.each(wrong)("with %s, the range is that of the values", async (_, file) => {
  await using table = await openTable(file);
  const stated = table.parts!.map((part) => part.statistics("x")!);
  expect(stated[0]!.min !== 1 || stated[2]!.max !== 150.5).toBe(true);
  for (const keepBytes of [0, 1e8]) {
    const options = { column: "x", bins: 10, keepBytes };
    expect(plain(await histogram(engine, table, options))).toEqual(
      plain(await engine.histogram(x, { bins: 10 })),
    );
    // Weights whose sums outside of the range are 0.
    const weighed = await histogram(engine, table, { ...options, weights: "w" });
    expect(plain(weighed)).toEqual(plain(await engine.histogram(x, { bins: 10, weights: w })));
    const axes = [{ bins: 3 }, { bins: 4 }];
    const two = await joint(engine, table, { columns: ["y", "x"], axes, keepBytes });
    expect(plain(two)).toEqual(plain(await engine.joint([y, x], { axes })));
  }
  const passes: string[] = [];
  await histogram(engine, table, {
    column: "x",
    keepBytes: 0,
    onProgress: ({ pass, passes: all }) => void passes.push(`${pass}/${all}`),
  });
  expect([...new Set(passes)]).toEqual(["1/1", "2/3", "3/3"]);
});

it("reads a file with right statistics once", async () => {
  await using table = await openTable(stating([[150.5, 150.5]]));
  const passes = new Set<string>();
  const h = await histogram(engine, table, {
    column: "x",
    bins: 10,
    onProgress: ({ pass, passes: all }) => void passes.add(`${pass}/${all}`),
  });
  expect([...passes]).toEqual(["1/1"]);
  expect(plain(h)).toEqual(plain(await engine.histogram(x, { bins: 10 })));
});
