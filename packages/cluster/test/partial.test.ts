import { integer, isPolybinError, openEngine, regular } from "@polybin/core";
import { expect, test } from "vitest";
import {
  checkShard,
  checkTask,
  decodePart,
  decodePartial,
  encodePart,
  encodePartial,
  finish,
  Inputs,
  mergePartials,
  missingShards,
  type Part,
  type PartialResult,
  type Plan,
  partialKey,
  partText,
  planTask,
  runShard,
  type Shard,
  shardsOf,
  type Task,
} from "../src/shards/index.ts";
import { csvOf, file, random, rowsOf } from "./rows.ts";

/** Partials of a small table in some shards. */
async function made(
  plan: Plan,
  shards = 5,
  rows = 200,
): Promise<{ task: Task; shards: Shard[]; partials: PartialResult[] }> {
  await using engine = await openEngine();
  await using inputs = await Inputs.open([file("table.csv", csvOf(rowsOf(rows)))], {
    read: { partBytes: 512 },
  });
  const task = planTask(inputs, plan);
  const cut = shardsOf(task, inputs.tables, { shards });
  const partials: PartialResult[] = [];
  for (const shard of cut) partials.push(await runShard(engine, task, shard, { threads: 0 }));
  return { task, shards: cut, partials };
}

const PRICE = { name: "price", axis: { axis: regular(20, -20, 80) } } as const;
const HIST: Plan = { count: "hist", columns: [PRICE, { name: "country" }, { name: "paid" }], by: "country" };
const JOINT: Plan = { count: "joint", columns: [PRICE, { name: "id", axis: { axis: integer(0, 4) } }] };
const EXTENT: Plan = { count: "hist", columns: [{ name: "price" }, { name: "id" }] };

test("ends of 64-bit integers are exact in bytes and JSON, and merge in any order", async () => {
  await using engine = await openEngine();
  const ids = [2n ** 62n + 1n, -(2n ** 53n) - 1n, 5n, 2n ** 63n - 1n];
  await using inputs = await Inputs.open([file("ids.csv", `id\n${ids.join("\n")}\n`)], {
    read: { partBytes: 64 },
  });
  const task = planTask(inputs, { count: "hist", columns: [{ name: "id" }] });
  const partials: PartialResult[] = [];
  for (const shard of shardsOf(task, inputs.tables, { shards: 2 })) {
    const partial = await runShard(engine, task, shard, { threads: 0 });
    for (const part of [encodePart({ task, partial }), Buffer.from(partText({ task, partial }))])
      expect(decodePart(part)).toEqual({ task, partial });
    partials.push(partial);
  }
  const merged = await mergePartials(partials);
  expect(encodePartial(await mergePartials(partials.reverse()))).toEqual(encodePartial(merged));
  expect(merged.payload).toMatchObject({ extents: [{ min: ids[1], max: ids[3] }] });
  const forged = partText({ task, partial: merged }).replace(`"${ids[3]}"`, '"9e9"');
  expect(() => decodePart(Buffer.from(forged))).toThrow(/an integer is written in a wrong way/);
});

test.each([
  ["hist", HIST],
  ["joint", JOINT],
  ["extent", EXTENT],
] as const)("%s: bytes and JSON hold everything", async (count, plan) => {
  const { task, partials } = await made(plan);
  expect(task.count).toBe(count);
  for (const partial of [...partials, await mergePartials(partials.slice(1, 4))]) {
    expect(decodePartial(encodePartial(partial))).toEqual(partial);
    for (const part of [encodePart({ task, partial }), Buffer.from(partText({ task, partial }))]) {
      const read = decodePart(part);
      expect(read).toEqual({ task, partial });
      expect(encodePart(read)).toEqual(encodePart({ task, partial }));
    }
  }
});

test.each([
  ["hist", HIST],
  ["joint", JOINT],
  ["extent", EXTENT],
] as const)("%s: merging has the same bits in every order and grouping", async (_count, plan) => {
  const { partials } = await made(plan);
  const expected = encodePartial(await mergePartials(partials));
  const next = random(7);
  for (let run = 0; run < 20; run++) {
    const level = partials
      .map((partial) => ({ partial, key: next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ partial }) => partial);
    while (level.length > 1) {
      const some = level.splice(Math.floor(next() * (level.length - 1)), 2 + Math.floor(next() * 2));
      level.splice(Math.floor(next() * level.length), 0, await mergePartials(some));
    }
    expect(encodePartial(level[0]!)).toEqual(expected);
  }
});

test("unlike tasks, unlike cuts, a shard twice and missing shards are refused", async () => {
  const { task, partials } = await made(HIST);
  const other = await made(JOINT);
  const otherCut = await made(HIST, 4);
  const refusal = (message: string) => ({ code: "ERR_INPUT", message: expect.stringContaining(message) });
  await expect(mergePartials([])).rejects.toMatchObject(refusal("at least one"));
  await expect(mergePartials([partials[0]!, other.partials[1]!])).rejects.toMatchObject(refusal("two tasks"));
  await expect(
    mergePartials([partials[0]!, { ...otherCut.partials[1]!, task: partials[0]!.task }]),
  ).rejects.toMatchObject(refusal("two cuts"));
  const some = await mergePartials(partials.slice(1, 4));
  await expect(mergePartials([some, partials[2]!])).rejects.toMatchObject(refusal("some twice: 2"));
  await expect(mergePartials([some, partials[0]!, some])).rejects.toMatchObject(
    refusal("some twice: 1 to 3"),
  );
  expect(missingShards(some)).toEqual([
    [0, 0],
    [4, 4],
  ]);
  expect(() => finish(task, some)).toThrow("some are missing: 0, 4;");
  expect(() => finish(other.task, partials[0]!)).toThrow("another");
  expect(new Set(partials.map(partialKey)).size).toBe(5);
});

test("2,000 damaged partials are refused or hold the same, and are never merged into something else", async () => {
  const next = random(11);
  const below = (n: number) => Math.floor(next() * n);
  const sources: { part: Part; bytes: Uint8Array }[] = [];
  for (const plan of [HIST, JOINT, EXTENT]) {
    const { task, partials } = await made(plan);
    const part = { task, partial: partials[2]! };
    for (const bytes of [encodePart(part), encodePartial(part.partial), Buffer.from(partText(part))])
      sources.push({ part, bytes });
  }
  let refused = 0;
  for (let run = 0; run < 2000; run++) {
    const { part, bytes } = sources[run % sources.length]!;
    const damaged = damage(bytes, below);
    try {
      const isPartial = Buffer.from(damaged.subarray(0, 6)).toString() === "PBPART";
      const found = isPartial ? { task: part.task, partial: decodePartial(damaged) } : decodePart(damaged);
      // White space of the JSON may change, and nothing else.
      expect(found).toEqual(part);
    } catch (error) {
      if (!isPolybinError(error)) throw error;
      expect(["ERR_INPUT", "ERR_LIMIT", "ERR_AXIS", "ERR_UNSUPPORTED"]).toContain(error.code);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(1900);
});

test("damage with a matching checksum is refused, too", async () => {
  const { createHash } = await import("node:crypto");
  const next = random(5);
  const below = (n: number) => Math.floor(next() * n);
  const { task, partials } = await made(HIST);
  const whole = encodePartial(await mergePartials(partials));
  for (let run = 0; run < 1000; run++) {
    const body = Buffer.from(damage(whole.subarray(0, -16), below));
    if (body.length < 12) continue;
    body.writeUInt32LE(body.length + 16, 8);
    const signed = Buffer.concat([body, createHash("sha256").update(body).digest().subarray(0, 16)]);
    try {
      // A count that moved to another bin cannot be recognized, but the sums of all columns still hold.
      const result = finish(task, decodePartial(signed));
      if (result.count !== "hist") throw new Error("expected counts");
      for (const { groups } of result.columns) {
        const total = groups.reduce(
          (sum, { histogram }) => sum + histogram.sum({ flow: true }) + histogram.masked,
          0,
        );
        expect(total).toBe(result.rows);
      }
    } catch (error) {
      if (!isPolybinError(error)) throw error;
      expect(["ERR_INPUT", "ERR_LIMIT"]).toContain(error.code);
    }
  }
});

/** Changes, cuts out, repeats or appends some bytes. */
function damage(bytes: Uint8Array, below: (n: number) => number): Uint8Array {
  const at = below(bytes.length);
  switch (below(5)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
      return Buffer.concat([
        bytes.subarray(0, at),
        bytes.subarray(Math.min(bytes.length, at + 1 + below(8))),
      ]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 1 - below(8)))]);
    default: {
      const changed = bytes.slice();
      for (let i = 0; i <= below(3); i++) changed[below(bytes.length)]! ^= 1 << below(8);
      // An even number of flips of one bit changes nothing.
      return Buffer.from(changed).equals(bytes) ? bytes.slice(1) : changed;
    }
  }
}

test("a task and a shard from outside are checked before anything is opened", async () => {
  const { task, shards } = await made(HIST);
  expect(checkTask(JSON.parse(JSON.stringify(task)))).toEqual(task);
  expect(checkShard(JSON.parse(JSON.stringify(shards[1])), task)).toEqual(shards[1]);
  const wrong: [unknown, string][] = [
    [null, "an object"],
    [[], "an object"],
    [{ ...task, version: 2 }, "version"],
    [{ ...task, colums: [] }, "did you mean columns"],
    [{ ...task, count: "constructor" }, "count"],
    [{ ...task, files: [] }, "files"],
    [{ ...task, files: new Array(100_001).fill(task.files[0]) }, "files"],
    [{ ...task, files: [{ ...task.files[0], size: -1 }] }, "size"],
    [{ ...task, files: [{ ...task.files[0], location: "x".repeat(1e6) }] }, "location"],
    [{ ...task, columns: [task.columns[0], task.columns[0]] }, "once"],
    [
      { ...task, columns: [{ ...task.columns[0], axis: { type: "regular", bins: 1e9, lo: 0, hi: 1 } }] },
      "bins",
    ],
    [{ ...task, columns: [{ ...task.columns[0], axis: { type: "category", values: ["a"] } }] }, "axis"],
    [{ ...task, columns: [{ ...task.columns[0], type: { kind: "__proto__" } }] }, "kind"],
    [
      { ...task, columns: [{ ...task.columns[0], type: { kind: "decimal", scale: 2.5, precision: 3 } }] },
      "scale",
    ],
    [{ ...task, count: "joint" }, "but received strings"],
    [{ ...task, count: "joint", columns: [task.columns[0], task.columns[2]] }, "null for joint"],
    [{ ...task, count: "joint", columns: [task.columns[0]], by: null }, "2 columns"],
    [{ ...task, read: "a" }, "read"],
    [{ ...task, read: { s3: { endpoint: "http://inside" } } }, "in read of the task but received s3"],
    [{ ...task, read: { headers: { authorization: "x" } } }, "did you mean header?"],
    [{ ...task, read: { allow: ["/"] } }, "received allow"],
    [{ ...task, files: [{ ...task.files[0], size: 1e12 }] }, "partBytes"],
    [{ ...task, options: nested(30) }, "levels"],
  ];
  for (const [given, message] of wrong) expect(() => checkTask(given), message).toThrow(message);
  for (const given of [
    null,
    { ...shards[1], index: 5 },
    { ...shards[1], of: 1e9 },
    { ...shards[1], job: "abc" },
    { ...shards[1], reads: [{ file: 1, first: 0, end: 1 }] },
    { ...shards[1], reads: [{ file: 0, first: 3, end: 3 }] },
    { ...shards[1], reads: new Array(1000).fill({ file: 0, first: 0, end: 1 }) },
  ]) {
    expect(() => checkShard(given, task)).toThrow(expect.objectContaining({ code: "ERR_INPUT" }));
  }
});

const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });

test("more different strings than the limit are refused", async () => {
  await using engine = await openEngine();
  const texts = Array.from({ length: 70_000 }, (_, i) => `t${i}`);
  await using inputs = await Inputs.open([file("a.csv", `text\n${texts.join("\n")}\n`)], {
    read: { partBytes: 65_536 },
  });
  const task = planTask(inputs, { count: "hist", columns: [{ name: "text" }] });
  const [one] = shardsOf(task, inputs.tables, { shards: 1 });
  await expect(runShard(engine, task, one!, { threads: 0 })).rejects.toMatchObject({ code: "ERR_LIMIT" });
  const [a, b] = shardsOf(task, inputs.tables, { shards: 2 });
  const halves = [
    await runShard(engine, task, a!, { threads: 0 }),
    await runShard(engine, task, b!, { threads: 0 }),
  ];
  await expect(mergePartials(halves)).rejects.toMatchObject({ code: "ERR_LIMIT" });
});
