// LambdaMART: boosted regression trees on LambdaRank's gradients, whose histograms polybin adds up.
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { cpu, indices, openEngine, quantiles } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { generatedRanking, readRanking } from "./data.js";
import { lambdas, ndcg, TOP } from "./lambdas.js";
import { growTree, leafValue } from "./tree.js";

const USAGE = `usage: node main.js [FILE QUERYFILE] [--backend piscina|cpu] [--trees 50] [--queries 150]
FILE is LIBSVM text, QUERYFILE has the documents of each query. Without them so many queries are generated.`;
const BINS = 64;
const LEARNING_RATE = 0.1;
/** Of every so many queries one is not learned from, to see what the trees are worth. */
const HELD_OUT = 5;
const BACKENDS = { piscina, cpu };

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: "string", default: "piscina" },
    trees: { type: "string", default: "50" },
    queries: { type: "string", default: "150" },
  },
});
const [trees, generated] = [Number(options.trees), Number(options.queries)];
const isCount = (count) => Number.isInteger(count) && count > 0;
if (
  ![0, 2].includes(files.length) ||
  !Object.hasOwn(BACKENDS, options.backend) ||
  ![trees, generated].every(isCount)
) {
  console.error(USAGE);
  process.exit(2);
}

const { name, labels, columns, queries } =
  files.length === 2 ? readRanking(...files) : generatedRanking(generated);
const isHeldOut = (_, query) => query % HELD_OUT === HELD_OUT - 1;
const heldOut = queries.filter(isHeldOut);
const learned = queries.filter((...query) => !isHeldOut(...query));

// Floats become bins once; the table then stays on the engine.
const axes = columns.map((column) => quantiles(BINS, column));
const features = [...columns.keys()].filter((f) => axes[f].bins > 1);
const bins = features.map((f) => Uint8Array.from(indices(axes[f], columns[f])));
const values = new Uint8Array(features.length * labels.length);
for (const [f, row] of bins.entries()) values.set(row, f * labels.length);
const engine = await openEngine({ backend: BACKENDS[options.backend]() });
const table = await engine.table({
  values,
  features: features.length,
  documents: labels.length,
  bins: features.map((f) => axes[f].bins),
});

console.log(
  `${name}: ${labels.length} documents of ${queries.length} queries, ${heldOut.length} of them held out; ` +
    `${features.length} features, at most ${BINS} bins\n\n` +
    `trees  NDCG@${TOP} learned  held out`,
);
const scores = new Float64Array(labels.length);
const report = (trees) =>
  console.log(
    `${String(trees).padStart(5)}  ${ndcg(learned, labels, scores).toFixed(5).padStart(15)}  ` +
      `${ndcg(heldOut, labels, scores).toFixed(5).padStart(8)}`,
  );
report(0);

const documents = Uint32Array.from(
  learned.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
);
const clock = { calls: 0, ms: 0 };
let trainingMs = 0;
for (let tree = 1; tree <= trees; tree++) {
  const start = performance.now();
  const root = await growTree(table, bins, lambdas(learned, labels, scores), documents, clock);
  for (let d = 0; d < scores.length; d++) scores[d] += LEARNING_RATE * leafValue(root, bins, d);
  trainingMs += performance.now() - start;
  if (tree % 10 === 0 || tree === trees) report(tree);
}

const digest = createHash("sha256").update(scores).digest("hex").slice(0, 16);
console.log(`\nscores ${digest}, the same bits on every backend`);
console.log(
  `${engine.backend} (${engine.device}): ${(trainingMs / 1000).toFixed(2)} s of training, ` +
    `${Math.round((100 * clock.ms) / trainingMs)}% of it in ${clock.calls} histogram calls`,
);
await engine.close();
