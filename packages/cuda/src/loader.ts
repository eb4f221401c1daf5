import { createRequire } from "node:module";
import { PolybinError } from "@polybin/core";
import type { Native } from "./native.ts";

const require = createRequire(import.meta.url);

/** Where the addon may be: built in this checkout, or in the package of this platform. */
const PLACES = ["./polybin_cuda.node", `@polybin/cuda-${process.platform}-${process.arch}`];

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
  throw new PolybinError(
    "ERR_UNAVAILABLE",
    `the addon could not be loaded (${failures.join("; ")}); install the package of this platform, or build it where nvcc is`,
    { backend: "cuda" },
  );
}
