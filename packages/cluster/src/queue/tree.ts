/** A place in the tree of merges. Level 0 has the shards, and each node above merges its children. */
export interface Node {
  readonly level: number;
  readonly index: number;
}

/** A tree of merges over a number of shards. Its shape follows from two numbers, so every worker knows it. */
export interface Tree {
  readonly shards: number;
  /** Children of a node at most. */
  readonly width: number;
}

/** Returns the number of nodes on each level, the shards first. The last level has one node. */
function levelsOf({ shards, width }: Tree): number[] {
  const levels = [shards];
  for (let nodes = shards; nodes > 1; levels.push(nodes)) nodes = Math.ceil(nodes / width);
  return levels;
}

/** Returns the root: the node whose result is the job's result. */
export function rootOf(tree: Tree): Node {
  return { level: levelsOf(tree).length - 1, index: 0 };
}

/** Whether the tree has this node. */
export function hasNode(tree: Tree, { level, index }: Node): boolean {
  return index < (levelsOf(tree)[level] ?? 0);
}

/** Returns the children of a node in their order. */
export function childrenOf(tree: Tree, { level, index }: Node): Node[] {
  if (level === 0) return [];
  const first = index * tree.width;
  const end = Math.min(first + tree.width, levelsOf(tree)[level - 1]!);
  return Array.from({ length: end - first }, (_, i) => ({ level: level - 1, index: first + i }));
}

/** The shards below a node, or the one that it is. */
export interface ShardRange {
  readonly first: number;
  /** The one after the last. */
  readonly end: number;
  /** Shards of the whole job. */
  readonly of: number;
}

export function shardsBelow({ shards, width }: Tree, { level, index }: Node): ShardRange {
  const each = width ** level;
  return { first: index * each, end: Math.min(shards, (index + 1) * each), of: shards };
}

/** Returns the nodes above a node, up to the root. */
export function ancestorsOf(tree: Tree, { level, index }: Node): Node[] {
  const { level: top } = rootOf(tree);
  const above: Node[] = [];
  for (
    let at = level + 1, i = Math.floor(index / tree.width);
    at <= top;
    at++, i = Math.floor(i / tree.width)
  ) {
    above.push({ level: at, index: i });
  }
  return above;
}

/** Returns all nodes, from the root down. */
export function* nodesOf(tree: Tree): Generator<Node> {
  const levels = levelsOf(tree);
  for (let level = levels.length - 1; level >= 0; level--) {
    for (let index = 0; index < levels[level]!; index++) yield { level, index };
  }
}

/** Writes a node as "LEVEL.INDEX". */
export const nodeText = ({ level, index }: Node): string => `${level}.${index}`;
