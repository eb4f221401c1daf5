import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** Runs kernel.cc: several tables, which neighbouring samples use in turn. */
export const kernel: Kernel = { algorithm: algorithms["per-lane"], name: "perLane", tables: "several" };
