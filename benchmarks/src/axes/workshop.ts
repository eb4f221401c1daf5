import type { Engine } from "@polybin/core";
import type { Bench } from "../runner/bench.ts";
import type { Report } from "../runner/report.ts";
import type { OpenSide } from "./sides.ts";

/** What all groups share. */
export interface Workshop {
  readonly sides: readonly OpenSide[];
  /** Of each GPU backend. */
  readonly benches: ReadonlyMap<string, Bench>;
  readonly oracle: Engine;
  readonly report: Report;
  /** A folder for the file of the data and the peers' programs. */
  readonly scratch: string;
  readonly rounds: number;
  /** Samples of webgpu's line of types, of four bytes. */
  readonly floats: number;
  /** Peers that hung once, and are asked no more. */
  readonly silent: Set<string>;
  /** By performance.now(): no further cell begins. */
  readonly end: number;
  /** Seconds that a cell is measured for, if it has had its least rounds. */
  readonly cellSeconds: number;
}
