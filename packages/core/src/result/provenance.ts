import type { Plan } from "../plan/index.ts";
import type { DeviceTimings } from "./counted.ts";

/** Durations of a call in milliseconds. */
export interface Timings extends DeviceTimings {
  /** The whole call. */
  readonly totalMs: number;
}

/** How a result was made. */
export interface Provenance {
  readonly backend: string;
  readonly device: string;
  readonly algorithm: string | null;
  /** Null if nothing had to be counted. */
  readonly plan: Plan | null;
  /** Null if no timings were requested. */
  readonly timings: Timings | null;
}
