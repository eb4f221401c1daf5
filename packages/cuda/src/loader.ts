import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { PolybinError } from "@polybin/core";
import type { Native } from "./native.ts";

const require = createRequire(import.meta.url);

/** What the advice depends on: this package's own manifest. */
export interface Where {
  readonly version: string;
  /** The packages of the platforms that there are. */
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const PLATFORM = `${process.platform}-${process.arch}`;

/** Where the addon may be: built in this checkout, or in the package of this platform. */
const PLACES = ["./polybin_cuda.node", packageOf(PLATFORM)];

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
  const isCheckout = existsSync(new URL("../native", import.meta.url));
  const help = remedy(PLATFORM, isCheckout, require("../package.json") as Where);
  throw new PolybinError(
    "ERR_UNAVAILABLE",
    `the addon could not be loaded (${failures.join("; ")}); ${help}`,
    { backend: "cuda" },
  );
}

/** What whoever runs this on a platform can do. */
export function remedy(
  platform: string,
  isCheckout: boolean,
  { version, optionalDependencies }: Where,
): string {
  const name = packageOf(platform);
  const all = Object.keys(optionalDependencies);
  if (!all.includes(name)) {
    const others = all.map((of) => of.slice(packageOf("").length)).join(", ");
    return `there is none for ${platform}, only for ${others}: take another backend`;
  }
  if (isCheckout) return "`npm run setup` builds it where nvcc and g++ are";
  const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  return (
    `install ${name}@${version} beside @polybin/cuda: from the registry (npm leaves it out with --omit=optional), ` +
    `or ./${file}, which \`npm run pack\` makes of a checkout where nvcc and g++ are`
  );
}

function packageOf(platform: string): string {
  return `@polybin/cuda-${platform}`;
}
