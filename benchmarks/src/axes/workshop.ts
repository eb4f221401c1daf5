import type { Engine } from "@polybin/core";
import type { Bench } from "../runner/bench.ts";
import type { Report } from "../runner/report.ts";
import type { OpenSide } from "./sides.ts";

/** The engines, limits and report that all groups share. */
export interface Workshop {
  readonly sides: readonly OpenSide[];
  /** The bench of each GPU backend. */
  readonly benches: ReadonlyMap<string, Bench>;
  readonly oracle: Engine;
  readonly report: Report;
  /** A folder for the data file and the peers' programs. */
  readonly scratch: string;
  readonly rounds: number;
  /** Number of four-byte samples in webgpu's line of types. */
  readonly floats: number;
  /** Peers that hung once and are not used again. */
  readonly silent: Set<string>;
  /** The time by performance.now() after which no further cell begins. */
  readonly end: number;
  /** Seconds of measuring per cell, once it has had its minimum of rounds. */
  readonly cellSeconds: number;
}
