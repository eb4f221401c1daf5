/** The job of a run. */
export interface Job {
  readonly backend: string;
  readonly algorithm: string;
  readonly distribution: string;
  /** 2^power bytes. */
  readonly power: number;
  readonly rounds: number;
  /** TRISH's k, if the reader chose one. */
  readonly k?: number;
}

/** One round as reported by the server. */
export interface Round {
  readonly round: number;
  readonly total: number;
  /** Whether it counts. The first rounds compile kernels and wake the device. */
  readonly warm: boolean;
  readonly ms: number;
  readonly gbps: number;
  readonly algorithm: string;
  readonly device: string;
}

/** A run of a job that has ended or still goes on. */
export interface Run {
  readonly id: number;
  readonly job: Job;
  readonly rounds: readonly Round[];
  /** GB/s of the plain copy of the same bytes, for data in the memory of the host. */
  readonly copyGbps: number | null;
  readonly end: "running" | "done" | "stopped" | "failed";
}

/** Median and quartiles. */
export interface Spread {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Returns the rounds that count. */
export const measuredRounds = ({ rounds }: Run): Round[] => rounds.filter(({ warm }) => warm);

/** Returns the median and the quartiles of the GB/s of the rounds that count; null if none does. Ranks are rounded up. */
export function spreadOf(run: Run): Spread | null {
  const sorted = measuredRounds(run)
    .map(({ gbps }) => gbps)
    .sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const at = (part: number): number => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]!;
  return { low: at(0.25), middle: at(0.5), high: at(0.75) };
}

const KEY = "polybin-runs";
const MOST_RUNS = 20;

/** Returns the runs that this tab of the browser keeps. */
export function keptRuns(): Run[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as Run[];
  } catch {
    return [];
  }
}

/** Keeps the last runs that have rounds, until the reader closes the tab. */
export function keepRuns(runs: readonly Run[]): void {
  const kept = runs.filter(({ rounds, end }) => rounds.length > 0 && end !== "running").slice(-MOST_RUNS);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // They then last while the page is open.
  }
}
