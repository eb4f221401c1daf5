import type { Plan } from "../plan/index.ts";
import type { DeviceTimings } from "./counted.ts";

/** Durations of a call in milliseconds. */
export interface Timings extends DeviceTimings {
  /** The whole call. */
  readonly totalMs: number;
}

/** The part of a plan that names its algorithm. */
export interface Planned {
  readonly algorithm: string;
}

/** How a result was made. */
export interface Provenance<P extends Planned = Plan> {
  readonly backend: string;
  readonly device: string;
  readonly algorithm: P["algorithm"] | null;
  /** Null if nothing had to be counted. */
  readonly plan: P | null;
  /** Null if no timings were requested. */
  readonly timings: Timings | null;
}
