import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { Native } from "../border/index.ts";
import { failure } from "./errors.ts";

const require = createRequire(import.meta.url);

/** The platforms that have a package: the folders of npm/. */
export const PLATFORMS: readonly string[] = ["linux-x64"];

const PLATFORM = `${process.platform}-${process.arch}`;

/** The places of the addon: this checkout's build, or the package of this platform. */
const PLACES = ["../polybin_native.node", packageOf(PLATFORM)];

/**
 * Loads the addon on first use, so the package can be imported anywhere.
 * @throws ERR_UNAVAILABLE with one sentence: the failure of each place, and the remedy.
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
  // A published package has no sources of the addon.
  const isCheckout = existsSync(new URL("../../native", import.meta.url));
  const message = `the addon could not be loaded (${failures.join("; ")}); ${remedy(PLATFORM, isCheckout)}`;
  throw failure("ERR_UNAVAILABLE", message);
}

/** Returns what the user can do on a platform. */
export function remedy(platform: string, isCheckout: boolean): string {
  if (!PLATFORMS.includes(platform)) {
    return `there is no addon for ${platform}, only for ${PLATFORMS.join(", ")}: use another backend`;
  }
  if (isCheckout) return "`npm run setup` builds it if g++ is installed";
  const name = packageOf(platform);
  return (
    `install ${name} in the version of @polybin/native: from the registry (npm omits it with ` +
    `--omit=optional), or from the archive that \`npm run pack\` builds in a checkout with g++`
  );
}

function packageOf(platform: string): string {
  return `@polybin/native-${platform}`;
}
