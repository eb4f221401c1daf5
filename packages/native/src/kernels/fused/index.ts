import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/**
 * Counts the cells of several columns: native/run/cells.cc mixes the rows of a block of samples and counts them with
 * kernel.cc of per-lane. The only column of a channel is counted as per-lane does.
 */
export const kernel: Kernel = { algorithm: algorithms.fused, name: "perLane", tables: "several" };
