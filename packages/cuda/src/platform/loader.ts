import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { PolybinError } from "@polybin/core";
import type { Native } from "../border/index.ts";

const require = createRequire(import.meta.url);

/** The platforms that there is a package for: the folders of npm/. */
export const PLATFORMS: readonly string[] = ["linux-x64"];

const PLATFORM = `${process.platform}-${process.arch}`;

/** Where the addon may be: built in this checkout, or in the package of this platform. */
const PLACES = ["../polybin_cuda.node", packageOf(PLATFORM)];

/**
 * The addon. Nothing is loaded before it is asked for, so the package can be imported anywhere.
 * @throws ERR_UNAVAILABLE with one sentence: what each place said, and what helps.
 */
export function loaded(): Native {
  const failures: string[] = [];
  for (const place of PLACES) {
    try {
      return require(place) as Native;
    } catch (error) {
      const [first = "failed"] = (error as Error).message.split("\n");
      failures.push(`${place}: ${first}`);
    }
  }
  // What is published has no sources of the addon.
  const isCheckout = existsSync(new URL("../../native", import.meta.url));
  const message = `the addon could not be loaded (${failures.join("; ")}); ${remedy(PLATFORM, isCheckout)}`;
  throw new PolybinError("ERR_UNAVAILABLE", message, { backend: "cuda" });
}

/** What whoever runs this on a platform can do. */
export function remedy(platform: string, isCheckout: boolean): string {
  if (!PLATFORMS.includes(platform)) {
    return `there is none for ${platform}, only for ${PLATFORMS.join(", ")}: take another backend`;
  }
  if (isCheckout) return "`npm run setup` builds it where nvcc and g++ are";
  const name = packageOf(platform);
  return (
    `install ${name} of the same version beside @polybin/cuda: from the registry (npm leaves it out with ` +
    `--omit=optional), or the archive of it that \`npm run pack\` makes of a checkout where nvcc and g++ are`
  );
}

function packageOf(platform: string): string {
  return `@polybin/cuda-${platform}`;
}
