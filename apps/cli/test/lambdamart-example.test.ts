// docs/examples/lambdamart, as a user runs it: here, because an application may depend on every package.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { file, noise } from "./command.ts";
import { rankingText } from "./ranking.ts";

const EXAMPLE = new URL("../../../docs/examples/lambdamart/", import.meta.url);
const run = promisify(execFile);

/** What the example prints: NDCG after so many trees, and all but the last line, which tells times. */
async function example(...args: string[]) {
  const { stdout } = await run(process.execPath, [fileURLToPath(new URL("main.js", EXAMPLE)), ...args]);
  const lines = stdout.trimEnd().split("\n");
  const rows = lines.map((line) => line.trim().split(/ +/).map(Number)).filter((row) => row.length === 3);
  expect(lines.at(-2)).toMatch(/^scores [0-9a-f]{16}, the same bits/);
  expect(lines.at(-1)).toMatch(/^\w+ \(.*\): [\d.]+ s of training, \d+% of it in \d+ histogram calls$/);
  return { rows: rows as [trees: number, learned: number, heldOut: number][], printed: lines.slice(0, -1) };
}

test("generated data: NDCG improves, and cpu and workers print the same", async () => {
  const [workers, cpu] = await Promise.all([
    example("--trees", "12"),
    example("--trees", "12", "--backend", "cpu"),
  ]);
  expect(workers.printed).toEqual(cpu.printed);
  expect(cpu.rows.map(([trees]) => trees)).toEqual([0, 10, 12]);
  const [before, , after] = cpu.rows;
  expect(after![1]).toBeGreaterThan(before![1] + 0.2);
  expect(after![2]).toBeGreaterThan(before![2] + 0.2);
});

test("files: NDCG improves, and cpu and workers print the same", async () => {
  const sizes = Array.from({ length: 120 }, (_, query) => 5 + (query % 20));
  const documents = sizes.reduce((sum, size) => sum + size, 0);
  const files = [
    file("rank.train", rankingText(documents, 60, 23)),
    file("rank.train.query", `${sizes.join("\n")}\n`),
  ];
  const [workers, cpu] = await Promise.all([
    example(...files, "--trees", "5"),
    example(...files, "--trees", "5", "--backend", "cpu"),
  ]);
  expect(workers.printed).toEqual(cpu.printed);
  const [before, after] = cpu.rows;
  expect(after![1]).toBeGreaterThan(before![1] + 0.1);
  expect(after![2]).toBeGreaterThan(before![2] + 0.1);
});

test("neither query numbers nor comments are features", async () => {
  const { readRanking } = await import(new URL("data.js", EXAMPLE).href);
  const documents = file("documents", "# head\n2 qid:7 1:0.5 3:4 # a:9\n\n0 qid:7 3:1\r\n1 3:2\n");
  const queries = file("queries", "2\n1\n");
  const { labels, columns, queries: found } = readRanking(documents, queries);
  expect([...labels]).toEqual([2, 0, 1]);
  expect(columns.map((column: Float64Array) => [...column])).toEqual([
    [0.5, 0, 0],
    [4, 1, 2],
  ]);
  expect(found).toEqual([
    { from: 0, to: 2 },
    { from: 2, to: 3 },
  ]);
});

test("says how it is used", async () => {
  for (const args of [["one-file"], ["--backend", "abacus"], ["--trees", "few"], ["--queries", "0"]]) {
    await expect(example(...args)).rejects.toMatchObject({ code: 2, stderr: /^usage/ });
  }
});

test("lambdas are what exchanging two documents would change", async () => {
  const { lambdas, ndcg } = await import(new URL("lambdas.js", EXAMPLE).href);
  const random = noise(60, 3);
  const labels = Float64Array.from({ length: 30 }, (_, d) => random[d]! % 4);
  const scores = Float64Array.from({ length: 30 }, (_, d) => random[30 + d]! / 64 + d / 1e3);
  const queries = [
    { from: 0, to: 9 },
    { from: 9, to: 30 },
  ];
  const found = lambdas(queries, labels, scores);
  const [gradients, hessians] = [new Float64Array(30), new Float64Array(30)];
  for (const query of queries) {
    const of = (values: Float64Array) => ndcg([query], labels, values);
    for (let a = query.from; a < query.to; a++) {
      for (let b = query.from; b < query.to; b++) {
        if (labels[a]! <= labels[b]!) continue;
        const exchanged = scores.slice();
        [exchanged[a], exchanged[b]] = [scores[b]!, scores[a]!];
        const change = Math.abs(of(exchanged) - of(scores));
        const wrong = 1 - 1 / (1 + Math.exp(scores[b]! - scores[a]!));
        gradients[a]! += wrong * change;
        gradients[b]! -= wrong * change;
        for (const d of [a, b]) hessians[d]! += wrong * (1 - wrong) * change;
      }
    }
  }
  for (let d = 0; d < 30; d++) {
    expect(found.gradients[d]).toBeCloseTo(gradients[d]!, 10);
    expect(found.hessians[d]).toBeCloseTo(hessians[d]!, 10);
  }
});

test("a tree's splits are the best there are, its leaves Newton's steps", async () => {
  const { growTree, leafValue } = await import(new URL("tree.js", EXAMPLE).href);
  const { openEngine } = await import("@polybin/core");
  const [documents, features, ofBins] = [400, 5, 8];
  const values = noise(documents * features, 11).map((byte) => byte % ofBins);
  const bins = Array.from({ length: features }, (_, f) =>
    values.subarray(f * documents, (f + 1) * documents),
  );
  const gradients = Float64Array.from(noise(documents, 5), (byte, d) => byte / 100 - bins[2]![d]!);
  const hessians = Float64Array.from(noise(documents, 6), (byte) => byte / 256);
  await using engine = await openEngine();
  await using table = await engine.table({ values, features, documents, bins: ofBins });
  const all = Uint32Array.from({ length: documents }, (_, d) => d).filter((d) => d % 5 !== 4);
  const clock = { calls: 0, ms: 0 };
  const root = await growTree(table, bins, { gradients, hessians }, all, clock);
  // Of the root and of one child after each split: gradients and second derivatives.
  expect(clock.calls).toBe(2 * 8);

  // tree.js's rules, once more.
  const [least, regularisation] = [20, 0.1];
  const sum = (of: Float64Array, which: Uint32Array) => which.reduce((total, d) => total + of[d]!, 0);
  const step = (which: Uint32Array) => sum(gradients, which) / (sum(hessians, which) + regularisation);
  const lessens = (which: Uint32Array) => step(which) * sum(gradients, which);
  let leaves = 0;
  const look = (node: typeof root, which: Uint32Array) => {
    const parts = (feature: number, bin: number) => [
      which.filter((d) => bins[feature]![d]! <= bin),
      which.filter((d) => bins[feature]![d]! > bin),
    ];
    if (node.left === null) {
      leaves += 1;
      for (const d of which) expect(leafValue(root, bins, d)).toBeCloseTo(step(which), 4);
      return;
    }
    let best = 0;
    for (let feature = 0; feature < features; feature++) {
      for (let bin = 0; bin + 1 < ofBins; bin++) {
        const [left, right] = parts(feature, bin);
        if (left!.length < least || right!.length < least) continue;
        best = Math.max(best, lessens(left!) + lessens(right!) - lessens(which));
      }
    }
    expect(node.split.gain / best).toBeCloseTo(1, 4);
    const [left, right] = parts(node.split.feature, node.split.bin);
    look(node.left, left!);
    look(node.right, right!);
  };
  look(root, all);
  expect(leaves).toBe(8);
});
