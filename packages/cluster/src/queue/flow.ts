import { PolybinError } from "@polybin/core";
import type { FlowJob, FlowJobNode } from "bullmq";
import { PREFIX, QUEUE, queueId } from "./keys.ts";
import { ENTRY_OPTIONS, MAX_FLOW_SHARDS, PAYLOAD_BYTES } from "./limits.ts";
import { payloadOf } from "./payload.ts";
import { childrenOf, type Node, nodeText, rootOf, type Tree } from "./tree.ts";

/** The missing nodes of one run. */
export interface FlowRequest {
  readonly id: string;
  readonly run: number;
  readonly tree: Tree;
  /** The shards' payloads, by index. */
  readonly shards: readonly unknown[];
  /** Nodes that have their results. They and all below them are left out. */
  readonly kept: ReadonlySet<string>;
}

/**
 * Builds the flow of a run: merges wait for their children. Null if even the root has its result.
 * @throws ERR_LIMIT for too many shards, or a shard too large for the queue.
 */
export function flowOf(request: FlowRequest): FlowJob | null {
  const { tree, shards } = request;
  if (tree.shards > MAX_FLOW_SHARDS) {
    throw new PolybinError(
      "ERR_LIMIT",
      `expected at most ${MAX_FLOW_SHARDS} shards for a queue but received ${tree.shards}; cut larger shards`,
    );
  }
  for (const [index, shard] of shards.entries()) {
    const length = JSON.stringify(shard).length;
    // Half of the limit leaves room for the other fields.
    if (length > PAYLOAD_BYTES / 2) {
      throw new PolybinError(
        "ERR_LIMIT",
        `expected a description of at most ${PAYLOAD_BYTES / 2} bytes for shard ${index} but received ${length}; cut smaller shards`,
      );
    }
  }
  return nodeOf(request, rootOf(tree));
}

function nodeOf(request: FlowRequest, node: Node): FlowJobNode | null {
  const { id, run, tree, shards, kept } = request;
  if (kept.has(nodeText(node))) return null;
  const children = childrenOf(tree, node).flatMap((child) => nodeOf(request, child) ?? []);
  const shard = node.level === 0 ? shards[node.index] : undefined;
  const isRoot = node.level === rootOf(tree).level;
  return {
    name: node.level === 0 ? "shard" : "merge",
    queueName: QUEUE,
    prefix: PREFIX,
    data: payloadOf({ job: id, run, node, shard }),
    opts: {
      jobId: queueId(id, run, node),
      ...ENTRY_OPTIONS,
      // A merge without one of its children would never start.
      ...(!isRoot && { failParentOnFailure: true }),
    },
    ...(children.length > 0 && { children }),
  } as FlowJobNode;
}

/** Returns which shards have results: bit i of byte floor(i / 8), the highest bit first. */
export function countedBits(tree: Tree, kept: ReadonlySet<string>): Buffer {
  const bits = Buffer.alloc(Math.ceil(tree.shards / 8));
  const mark = (node: Node, covered: boolean): void => {
    const has = covered || kept.has(nodeText(node));
    if (node.level > 0) for (const child of childrenOf(tree, node)) mark(child, has);
    else if (has) bits[node.index >> 3]! |= 0x80 >> (node.index & 7);
  };
  mark(rootOf(tree), false);
  return bits;
}
