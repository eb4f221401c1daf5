import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { type Addon, loadAddon } from "@polybin/core/backend";
import type { Native } from "../border/index.ts";
import { PLATFORMS } from "./generated/platforms.ts";

/** The native half of this backend. */
export const addon: Addon = {
  backend: "native",
  platforms: PLATFORMS,
  tools: "g++",
  host: process,
  load: createRequire(import.meta.url),
  isCheckout: () => existsSync(new URL("../../native", import.meta.url)),
};

/** Loads the addon on first use, so the package can be imported anywhere. @throws ERR_UNAVAILABLE */
export const loaded = () => loadAddon(addon) as Native;
