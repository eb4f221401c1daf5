import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/**
 * Counts segments: native/run/segments.cc counts each with kernel.cc of this folder in tables, and adds these to its row.
 */
export const kernel: Kernel = { algorithm: algorithms["per-segment"], name: "perSegment", tables: "several" };
