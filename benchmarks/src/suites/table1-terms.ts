import { LAUNCH, type Launch } from "./ncu.ts";

const { time, registers, sharedStatic, sharedDynamic, conflicts, wavefronts } = LAUNCH;
const IPC = "sm__inst_executed.avg.per_cycle_active";
const EXECUTED = "smsp__inst_executed.sum";
const ISSUED = "smsp__inst_issued.sum";
const LOADS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
const SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

/** Threads per warp and bytes per sector, the units of the counters. */
const WARP = 32;
const SECTOR = 32;

const conflictsOf = (what: string) => `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_${what}.sum`;
const sharedOf = (what: string) => `smsp__inst_executed_op_shared_${what}.sum`;
const stalledOn = (what: string) => `smsp__average_warps_issue_stalled_${what}_per_issue_active.ratio`;

/** The rows of Brown & Snoeyink's Table 1 in ncu's metrics on sm_90: one metric, or some and what they give. */
const TERMS: Readonly<
  Record<string, string | [of: (values: readonly number[], bytes: number) => number, ...string[]]>
> = {
  "Time (ns)": time,
  "Throughput GB/s": [([time], bytes) => bytes / time!, time],
  Registers: registers,
  "Shared Mem": [([some, more]) => some! + more!, sharedStatic, sharedDynamic],
  "Threads a block": LAUNCH.blockThreads,
  Blocks: LAUNCH.blocks,
  "Occupancy, achieved %": LAUNCH.occupancy,
  "Occupancy, at most %": LAUNCH.occupancyMost,
  "Warps/Cycles": "sm__warps_active.avg.per_cycle_active",
  "Ins/Byte": [([executed], bytes) => (executed! * WARP) / bytes, EXECUTED],
  IPC,
  II: ISSUED,
  "Bank Conflicts": conflicts,
  "Bank Conflicts, loads": conflictsOf("ld"),
  "Bank Conflicts, stores": conflictsOf("st"),
  "Bank Conflicts, atomics": conflictsOf("atom"),
  "Shared memory wavefronts": wavefronts,
  Cycles: "sm__cycles_elapsed.max",
  "Cycles II/IPC": [([issued, ipc]) => issued! / ipc!, ISSUED, IPC],
  Branches: "smsp__sass_inst_executed_op_branch.sum",
  "Branch targets": "smsp__sass_branch_targets.sum",
  "Divergent Branches": "smsp__sass_branch_targets_threads_divergent.sum",
  "Instruction Replays %": [([issued, executed]) => (issued! / executed! - 1) * 100, ISSUED, EXECUTED],
  "Global load bytes": [([sectors]) => sectors! * SECTOR, SECTORS],
  "Sectors a global load": [([sectors, loads]) => sectors! / loads!, SECTORS, LOADS],
  "DRAM bytes": "dram__bytes.sum",
  "DRAM bytes read": "dram__bytes_read.sum",
  "DRAM throughput %": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
  "Shared loads": sharedOf("ld"),
  "Shared stores": sharedOf("st"),
  "Shared atomics": sharedOf("atom"),
  "Stalled on global memory": stalledOn("long_scoreboard"),
  "Stalled on shared memory": stalledOn("short_scoreboard"),
  "Stalled on fixed latency": stalledOn("wait"),
  "Stalled at a barrier": stalledOn("barrier"),
  "Stalled on a full queue": stalledOn("mio_throttle"),
};

function metricsOf(term: (typeof TERMS)[string]): string[] {
  return typeof term === "string" ? [term] : (term.slice(1) as string[]);
}

/** The metrics of all terms. */
export const METRICS: readonly string[] = [...new Set(Object.values(TERMS).flatMap(metricsOf))];

/** The paper's terms, with their values and metrics. */
export type Terms = Readonly<Record<string, { readonly value: number | null; readonly metric: string }>>;

/** Computes the paper's terms for one launch over `bytes` bytes. A value is null if a metric is missing. */
export function termsOf({ metrics }: Launch, bytes: number): Terms {
  const terms = Object.entries(TERMS).map(([name, term]) => {
    const names = metricsOf(term);
    const values = names.map((name) => metrics[name] ?? Number.NaN);
    const value = typeof term === "string" ? values[0]! : term[0](values, bytes);
    return [name, { value: Number.isFinite(value) ? value : null, metric: names.join(", ") }];
  });
  return Object.fromEntries(terms) as Terms;
}
