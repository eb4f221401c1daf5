// Documents to rank: { name, labels, columns, queries }, columns[feature][document], queries of documents [from, to).
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/**
 * From a LIBSVM file (`label [qid:n] index:value … # comment`, a document a line) and a file of how many documents each
 * query has.
 */
export function readRanking(path, queryPath) {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "");
  const labels = Float64Array.from(lines, (line) => Number.parseFloat(line));
  const columns = new Map();
  for (const [document, line] of lines.entries()) {
    for (const pair of line.split(/\s+/).slice(1)) {
      if (pair.startsWith("qid:")) continue;
      const [feature, value] = pair.split(":").map(Number);
      if (!columns.has(feature)) columns.set(feature, new Float64Array(lines.length));
      columns.get(feature)[document] = value;
    }
  }
  const sizes = readFileSync(queryPath, "utf8").trim().split(/\s+/).map(Number);
  const queries = queriesOf(sizes);
  if (queries.at(-1).to !== lines.length) {
    throw new Error(`${queryPath} has ${queries.at(-1).to} documents, ${path} ${lines.length}`);
  }
  return { name: basename(path), labels, columns: [...columns.values()], queries };
}

/** The same without files: labels of 0 to 4 that depend on some features, on two of them together, and on chance. */
export function generatedRanking(queryCount, features = 40) {
  const random = mulberry32(2026);
  const queries = queriesOf(Array.from({ length: queryCount }, () => 8 + Math.floor(random() * 25)));
  const documents = queries.at(-1).to;
  // Sparse, as features of a search engine are.
  const columns = Array.from({ length: features }, (_, f) =>
    Float64Array.from({ length: documents }, () => (random() < f / (2 * features) ? 0 : random())),
  );
  const labels = Float64Array.from({ length: documents }, (_, d) => {
    const [a, b, c, e] = columns.map((column) => column[d]);
    return Math.min(4, Math.floor(5 * (0.35 * a + 0.3 * b * b + 0.35 * c * e + 0.5 * random()) ** 2));
  });
  return { name: "generated", labels, columns, queries };
}

function queriesOf(sizes) {
  let to = 0;
  return sizes.map((size) => {
    to += size;
    return { from: to - size, to };
  });
}

/** Tommy Ettinger's generator: the same numbers everywhere. */
function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
