import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** Runs kernel.cc: one table for each thread. */
export const kernel: Kernel = { algorithm: algorithms["per-thread"], name: "perThread", tables: "one" };
