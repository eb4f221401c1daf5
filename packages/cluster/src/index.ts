/**
 * Counting on the workers of a Redis: a cluster, its workers, and a cluster of one machine. For Node.
 */
export * from "./queue/index.ts";
