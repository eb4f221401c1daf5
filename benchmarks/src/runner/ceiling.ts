import type { Row } from "./row.ts";
import { throughput } from "./statistics.ts";

/** How fast bytes can be moved: read on a device, or copied to it. */
export interface Moved extends Pick<Row, "residence" | "ms" | "ceilingPercent"> {
  readonly peer: string;
  readonly variant?: string;
  readonly memory?: string;
  readonly bytes: number;
  /** Distribution of the bytes, if it matters. Default: any. */
  readonly distribution?: string;
}

/** Makes the row of a ceiling. It counts nothing, so it has no bins. */
export function movedRow({ bytes, distribution = "any", ...place }: Moved): Row {
  return {
    backend: null,
    algorithm: null,
    type: "u8",
    bins: 0,
    n: bytes,
    distribution,
    ...place,
    gbps: throughput(bytes, place.ms),
    exact: true,
  };
}
