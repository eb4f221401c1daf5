// One regression tree, grown best leaf first from histograms of gradients.

const LEAVES = 8;
/** Documents of a leaf, at least. */
const LEAST_DOCUMENTS = 20;
/** Added to every sum of second derivatives, so that no leaf takes a step out of all proportion. */
const REGULARISATION = 0.1;

/**
 * @param table the features, on the engine
 * @param bins of each feature, one bin a document: what the table holds
 * @param forces { gradients, hessians }, one a document
 * @param documents to learn from, ascending
 * @param clock { calls, ms } of the histograms
 */
export async function growTree(table, bins, forces, documents, clock) {
  const root = nodeOf(documents, await sumsOf(table, forces, documents, clock));
  const leaves = [root];
  while (leaves.length < LEAVES) {
    const node = leaves.reduce((best, leaf) => (leaf.split.gain > best.split.gain ? leaf : best));
    if (node.split.gain <= 0) break;
    const row = bins[node.split.feature];
    const left = node.documents.filter((d) => row[d] <= node.split.bin);
    const right = node.documents.filter((d) => row[d] > node.split.bin);
    // The smaller child is added up, the larger is what remains of the parent: no bit is lost in reproducible sums.
    const isLeftSmaller = left.length <= right.length;
    const smaller = await sumsOf(table, forces, isLeftSmaller ? left : right, clock);
    const larger = remainder(node.sums, smaller);
    node.left = nodeOf(left, isLeftSmaller ? smaller : larger);
    node.right = nodeOf(right, isLeftSmaller ? larger : smaller);
    node.sums = null;
    leaves.splice(leaves.indexOf(node), 1, node.left, node.right);
  }
  return root;
}

/** The value that a tree has for a document. */
export function leafValue(node, bins, document) {
  let at = node;
  while (at.left) at = bins[at.split.feature][document] <= at.split.bin ? at.left : at.right;
  return at.value;
}

/** Of each feature and bin: documents, and the sums of their gradients and second derivatives. */
async function sumsOf(table, { gradients, hessians }, documents, clock) {
  const start = performance.now();
  const [first, second] = await Promise.all([
    table.sums(gradients, { documents }),
    // The same documents lie in the same bins: they need not be counted again.
    table.sums(hessians, { documents, counts: false }),
  ]);
  clock.ms += performance.now() - start;
  clock.calls += 2;
  return { counts: first.counts, gradients: first.sums, hessians: second.sums };
}

function remainder(parent, child) {
  const less = (name) => parent[name].map((row, f) => row.map((sum, bin) => sum - child[name][f][bin]));
  return { counts: less("counts"), gradients: less("gradients"), hessians: less("hessians") };
}

function nodeOf(documents, sums) {
  const total = (rows) => rows[0].reduce((a, b) => a + b, 0);
  const [gradient, hessian] = [total(sums.gradients), total(sums.hessians)];
  // Newton's step.
  const value = gradient / (hessian + REGULARISATION);
  return { documents, sums, value, split: bestSplit(sums, documents.length, gradient, hessian), left: null };
}

/** Between which two bins of which feature leaves would lessen the loss most, by its second-order approximation. */
function bestSplit({ counts, gradients, hessians }, count, gradient, hessian) {
  const lessens = (g, h) => (g * g) / (h + REGULARISATION);
  const before = lessens(gradient, hessian);
  let best = { gain: 0, feature: -1, bin: -1 };
  for (const [feature, ofBins] of counts.entries()) {
    let [n, g, h] = [0, 0, 0];
    for (let bin = 0; bin + 1 < ofBins.length; bin++) {
      n += ofBins[bin];
      g += gradients[feature][bin];
      h += hessians[feature][bin];
      if (n < LEAST_DOCUMENTS || count - n < LEAST_DOCUMENTS) continue;
      const gain = lessens(g, h) + lessens(gradient - g, hessian - h) - before;
      if (gain > best.gain) best = { gain, feature, bin };
    }
  }
  return best;
}
