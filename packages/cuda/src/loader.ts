import { createRequire } from "node:module";
import type { Native } from "./native.ts";

const require = createRequire(import.meta.url);

/** Where the addon may be: built in this checkout, or in the package of this platform. */
const PLACES = ["./polybin_cuda.node", `@polybin/cuda-${process.platform}-${process.arch}`];

/**
 * The addon, or one sentence with what each place said and what helps. Nothing is loaded before it is
 * asked for, so the package can be imported anywhere.
 */
export function load(): Native | string {
  const failures: string[] = [];
  for (const place of PLACES) {
    try {
      return require(place) as Native;
    } catch (error) {
      const [first = "failed"] = (error as Error).message.split("\n");
      failures.push(`${place}: ${first}`);
    }
  }
  return `the addon could not be loaded (${failures.join("; ")}); install the package of this platform, or build it where nvcc is`;
}
