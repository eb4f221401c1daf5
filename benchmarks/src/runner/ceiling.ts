import type { Row } from "./row.ts";
import { throughput } from "./statistics.ts";

/** How fast bytes can be moved at all: read on a device, or copied to it. */
export interface Moved extends Pick<Row, "residence" | "ms" | "ceilingPercent"> {
  readonly peer: string;
  readonly variant?: string;
  readonly memory?: string;
  readonly bytes: number;
  /** Of the bytes, where it was asked for; default any. */
  readonly distribution?: string;
}

/** The row of it: nothing is counted, so there are no bins. */
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
