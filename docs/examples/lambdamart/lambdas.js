// What a ranker should change, and how good it is (Burges, "From RankNet to LambdaRank to LambdaMART", 2010).

/** NDCG looks at so many documents of a query. */
export const TOP = 10;

const gain = (label) => 2 ** label - 1;
const discount = (rank) => (rank < TOP ? 1 / Math.log2(2 + rank) : 0);
const descending = (values) => (a, b) => values[b] - values[a] || a - b;

/** The documents [from, to) of a query, best first. */
const ranked = ({ from, to }, values) =>
  Array.from({ length: to - from }, (_, i) => from + i).sort(descending(values));

const dcg = (order, labels) => order.reduce((sum, d, rank) => sum + gain(labels[d]) * discount(rank), 0);

/** Mean NDCG@TOP of those queries that have a relevant document. */
export function ndcg(queries, labels, scores) {
  const found = queries
    .map((query) => [dcg(ranked(query, scores), labels), dcg(ranked(query, labels), labels)])
    .filter(([, ideal]) => ideal > 0);
  return found.reduce((sum, [reached, ideal]) => sum + reached / ideal, 0) / found.length;
}

/**
 * LambdaRank. Each two documents of a query with different labels push each other apart: by how wrong their scores are
 * (the gradient of RankNet's loss) times by how much NDCG would change if they changed places. One gradient and one
 * second derivative a document; documents of other queries have 0.
 */
export function lambdas(queries, labels, scores) {
  const gradients = new Float64Array(scores.length);
  const hessians = new Float64Array(scores.length);
  for (const query of queries) {
    const order = ranked(query, scores);
    const ideal = dcg(ranked(query, labels), labels);
    for (const [i, a] of order.entries()) {
      for (let j = i + 1; j < order.length && (i < TOP || j < TOP); j++) {
        const b = order[j];
        if (labels[a] === labels[b]) continue;
        const [better, worse] = labels[a] > labels[b] ? [a, b] : [b, a];
        const change = ((gain(labels[better]) - gain(labels[worse])) * (discount(i) - discount(j))) / ideal;
        const wrong = 1 / (1 + Math.exp(scores[better] - scores[worse]));
        gradients[better] += wrong * change;
        gradients[worse] -= wrong * change;
        hessians[better] += wrong * (1 - wrong) * change;
        hessians[worse] += wrong * (1 - wrong) * change;
      }
    }
  }
  return { gradients, hessians };
}
