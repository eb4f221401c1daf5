export type { JobStatus, Removed } from "./admin.ts";
export {
  Cluster,
  type ClusterOptions,
  type ClusterProgress,
  type HistAnswer,
  type HistRequest,
  type JointAnswer,
  type JointRequest,
  type ProfileRequest,
  type RequestOptions,
} from "./cluster.ts";
export { endWithParent, type LocalCluster, type LocalOptions, openLocal } from "./local/index.ts";
export { openWorker, type WorkerOptions } from "./open-worker.ts";
export type { QueueWorker, WorkerEvent } from "./worker.ts";
