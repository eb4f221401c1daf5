import { type Calls, callsOn } from "./shared-engine.ts";

export * from "@polybin/core";

const calls: Calls = callsOn(async () => []);

export const histogram: Calls["histogram"] = calls.histogram;
export const histograms: Calls["histograms"] = calls.histograms;
export const joint: Calls["joint"] = calls.joint;
export const openEngine: Calls["openEngine"] = calls.openEngine;
