import { openTable } from "@polybin/columns";
import { compare } from "@polybin/columns/compare";
import { openEngine } from "@polybin/core";
import { expect, onTestFinished, test } from "vitest";
import {
  comparisonPasses,
  decodeTwo,
  encodeTwo,
  Inputs,
  mergeTwo,
  type Part,
  runShard,
  shardsOf,
  type Two,
  twoText,
} from "../src/shards/index.ts";
import { csvOf, file, random, rowsOf } from "./rows.ts";

const READ = { partBytes: 2048 };
const OPTIONS = { distinctLimit: 50, top: 5 };

/** The inputs of two tables, and the parts of their shards of the next pass. */
async function opened() {
  const engine = await openEngine();
  const before = [file("a.csv", csvOf(rowsOf(700))), file("b.csv", csvOf(rowsOf(300, 3)))];
  const now = [
    file("c.csv", csvOf(rowsOf(900, 5).map((row) => ({ ...row, price: row.price && row.price * 2 })))),
  ];
  const [a, b] = [await Inputs.open(before, { read: READ }), await Inputs.open(now, { read: READ })];
  const passes = await comparisonPasses(a, b, OPTIONS);
  const parts = async (of: number): Promise<Two<Part>[]> => {
    const { tasks } = passes;
    const sides = [a, b].map(({ tables }, i) => tasks[i] && shardsOf(tasks[i], tables, { shards: of }));
    return Promise.all(
      Array.from({ length: of }, async (_, shard) => {
        const part = async (i: 0 | 1): Promise<Part | null> => {
          const task = tasks[i];
          if (task === null) return null;
          return { task, partial: await runShard(engine, task, sides[i]![shard]!, { threads: 0 }) };
        };
        return [await part(0), await part(1)] as const;
      }),
    );
  };
  const close = async (): Promise<void> => {
    await Promise.all([engine, a, b].map((of) => of[Symbol.asyncDispose]()));
  };
  onTestFinished(close);
  return { engine, passes, parts, before, now };
}

test("two tables in shards equal a comparison in this process", async () => {
  const { engine, passes, parts, before, now } = await opened();
  for (const of of [3, 1, 5]) {
    if (passes.isDone) break;
    let all: Two<Part> | null = null;
    for (const two of (await parts(of)).reverse()) {
      const read = decodeTwo(Buffer.from(twoText(decodeTwo(encodeTwo(two)))));
      expect(Buffer.compare(encodeTwo(read), encodeTwo(two))).toBe(0);
      all = all === null ? read : await mergeTwo(all, read);
    }
    passes.add([all![0]?.partial ?? null, all![1]?.partial ?? null]);
  }
  expect([passes.isDone, passes.count]).toEqual([true, 2]);
  const found = passes.json(engine, { totalMs: 0, passMs: [] });
  const tables = await Promise.all(
    [...before, ...now].map((path) => openTable(path, { ...READ, threads: 0 })),
  );
  // Without kept values, it reads twice, as shards do.
  const whole = await compare(engine, tables.slice(0, 2), tables.slice(2), { ...OPTIONS, keepBytes: 0 });
  const content = (json: typeof whole) => ({
    ...json,
    a: { ...json.a, timings: null },
    b: { ...json.b, timings: null },
  });
  expect(content(found)).toEqual(content(whole));
  const price = found.columns.find(({ name }) => name === "price");
  expect(price?.distance).toMatchObject({ over: "bins" });
  expect(price?.distance?.jensenShannon).toBeGreaterThan(0);
  await Promise.all(tables.map((table) => table.close()));
});

test("damaged files and counts of another pass are refused with a code", async () => {
  const { passes, parts } = await opened();
  const [two] = await parts(1);
  const partials = two!.map((part) => part!.partial) as [Part["partial"], Part["partial"]];
  for (const wrong of [
    [partials[0], null],
    [null, null],
    [partials[1], partials[0]],
  ] as const)
    expect(() => passes.add(wrong)).toThrow(expect.objectContaining({ code: "ERR_INPUT" }));
  const next = random(7);
  const files = [encodeTwo(two!), Buffer.from(twoText(two!)), encodeTwo([two![0], null])];
  expect(decodeTwo(files[2]!)[1]).toBeNull();
  expect(() => decodeTwo(encodeTwo([null, null]))).toThrow(expect.objectContaining({ code: "ERR_INPUT" }));
  await expect(mergeTwo([two![0], null], two!)).rejects.toMatchObject({ code: "ERR_INPUT" });
  let refused = 0;
  for (let run = 0; run < 300; run++) {
    const bytes = Uint8Array.from(files[run % files.length]!);
    const at = Math.floor(next() * bytes.length);
    if (next() < 0.3) {
      expect(() => decodeTwo(bytes.subarray(0, at))).toThrow(expect.objectContaining({ code: "ERR_INPUT" }));
      continue;
    }
    bytes[at]! ^= 1 << Math.floor(next() * 8);
    try {
      // A changed byte of JSON may be a space.
      decodeTwo(bytes);
    } catch (error) {
      refused++;
      expect(error).toMatchObject({ code: expect.stringMatching(/^ERR_(INPUT|LIMIT)$/) });
    }
  }
  expect(refused).toBeGreaterThan(150);
});
