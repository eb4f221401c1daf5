import type { ChannelsPlan } from "@polybin/core";
import type { Algorithm } from "@polybin/core/backend";
import type { JobValues } from "../../border/index.ts";

/** An algorithm whose kernel is kernel.cc in its folder. */
export interface Kernel {
  readonly algorithm: Algorithm;
  /** The name of its kernel (border/job.ts). */
  readonly name: string;
  /** Tables of a thread for each channel: one, or as many as a cache holds. */
  readonly tables: "one" | "several";
  /** Returns the numbers that only this kernel needs. Absent: it needs none. */
  numbers?(plan: ChannelsPlan, threads: number): Partial<JobValues>;
}
