import { PolybinError } from "@polybin/core";
import { type Calls, callsOn } from "./shared-engine.ts";

export * from "@polybin/core";

const calls: Calls = callsOn(
  async () => [],
  async () => {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      "expected samples in a page but received a table; read a File with openTableInPage of @polybin/columns/page and count its columns, or pass the type of its plain values",
    );
  },
);

export const histogram: Calls["histogram"] = calls.histogram;
export const histograms: Calls["histograms"] = calls.histograms;
export const joint: Calls["joint"] = calls.joint;
export const profile: Calls["profile"] = calls.profile;
export const compare: Calls["compare"] = calls.compare;
export const openEngine: Calls["openEngine"] = calls.openEngine;
