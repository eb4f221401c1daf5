import type { Launch } from "./ncu-csv.ts";

/** ncu's metrics on sm_90 for Brown & Snoeyink's Table 1. */
export const METRICS = {
  time: "gpu__time_duration.sum",
  registers: "launch__registers_per_thread",
  sharedStatic: "launch__shared_mem_per_block_static",
  sharedDynamic: "launch__shared_mem_per_block_dynamic",
  blockThreads: "launch__block_size",
  blocks: "launch__grid_size",
  occupancy: "sm__warps_active.avg.pct_of_peak_sustained_active",
  occupancyMost: "sm__maximum_warps_per_active_cycle_pct",
  warps: "sm__warps_active.avg.per_cycle_active",
  ipc: "sm__inst_executed.avg.per_cycle_active",
  executed: "smsp__inst_executed.sum",
  issued: "smsp__inst_issued.sum",
  cycles: "sm__cycles_elapsed.max",
  conflictsLoad: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
  conflictsStore: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
  conflictsAtomic: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
  conflicts: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
  wavefronts: "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
  branches: "smsp__sass_inst_executed_op_branch.sum",
  branchTargets: "smsp__sass_branch_targets.sum",
  divergent: "smsp__sass_branch_targets_threads_divergent.sum",
  read: "dram__bytes_read.sum",
  memory: "dram__throughput.avg.pct_of_peak_sustained_elapsed",
  loads: "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
  loadSectors: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
  sharedLoads: "smsp__inst_executed_op_shared_ld.sum",
  sharedStores: "smsp__inst_executed_op_shared_st.sum",
  sharedAtomics: "smsp__inst_executed_op_shared_atom.sum",
  stallGlobal: "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
  stallShared: "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
  stallFixed: "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
  stallBarrier: "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
  stallQueue: "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
} as const;

/** Threads per warp and bytes per sector, the units of the counters. */
const WARP = 32;
const SECTOR = 32;

/** The rows of Table 1: the paper's terms, with their values and metrics. */
export type Terms = Readonly<Record<string, { readonly value: number | null; readonly metric: string }>>;

/** Computes the paper's terms for one launch over `bytes` bytes. A value is null if a metric is missing. */
export function termsOf({ metrics }: Launch, bytes: number): Terms {
  const of = (name: keyof typeof METRICS): number => metrics[METRICS[name]] ?? Number.NaN;
  const term = (value: number, ...names: (keyof typeof METRICS)[]) => ({
    value: Number.isFinite(value) ? value : null,
    metric: names.map((name) => METRICS[name]).join(", "),
  });
  return {
    "Time (ns)": term(of("time"), "time"),
    "Throughput GB/s": term(bytes / of("time"), "time"),
    Registers: term(of("registers"), "registers"),
    "Shared Mem": term(of("sharedStatic") + of("sharedDynamic"), "sharedStatic", "sharedDynamic"),
    "Threads a block": term(of("blockThreads"), "blockThreads"),
    Blocks: term(of("blocks"), "blocks"),
    "Occupancy, achieved %": term(of("occupancy"), "occupancy"),
    "Occupancy, at most %": term(of("occupancyMost"), "occupancyMost"),
    "Warps/Cycles": term(of("warps"), "warps"),
    "Ins/Byte": term((of("executed") * WARP) / bytes, "executed"),
    IPC: term(of("ipc"), "ipc"),
    II: term(of("issued"), "issued"),
    "Bank Conflicts": term(of("conflicts"), "conflicts"),
    "Bank Conflicts, loads": term(of("conflictsLoad"), "conflictsLoad"),
    "Bank Conflicts, stores": term(of("conflictsStore"), "conflictsStore"),
    "Bank Conflicts, atomics": term(of("conflictsAtomic"), "conflictsAtomic"),
    "Shared memory wavefronts": term(of("wavefronts"), "wavefronts"),
    Cycles: term(of("cycles"), "cycles"),
    "Cycles II/IPC": term(of("issued") / of("ipc"), "issued", "ipc"),
    Branches: term(of("branches"), "branches"),
    "Branch targets": term(of("branchTargets"), "branchTargets"),
    "Divergent Branches": term(of("divergent"), "divergent"),
    "Instruction Replays %": term((of("issued") / of("executed") - 1) * 100, "issued", "executed"),
    "Global load bytes": term(of("loadSectors") * SECTOR, "loadSectors"),
    "Sectors a global load": term(of("loadSectors") / of("loads"), "loadSectors", "loads"),
    "DRAM bytes read": term(of("read"), "read"),
    "DRAM throughput %": term(of("memory"), "memory"),
    "Shared loads": term(of("sharedLoads"), "sharedLoads"),
    "Shared stores": term(of("sharedStores"), "sharedStores"),
    "Shared atomics": term(of("sharedAtomics"), "sharedAtomics"),
    "Stalled on global memory": term(of("stallGlobal"), "stallGlobal"),
    "Stalled on shared memory": term(of("stallShared"), "stallShared"),
    "Stalled on fixed latency": term(of("stallFixed"), "stallFixed"),
    "Stalled at a barrier": term(of("stallBarrier"), "stallBarrier"),
    "Stalled on a full queue": term(of("stallQueue"), "stallQueue"),
  };
}
