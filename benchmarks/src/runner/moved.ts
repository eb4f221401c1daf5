import type { Row } from "./row.ts";
import { throughput } from "./statistics.ts";

/** Makes the row of bytes that are moved: read on a device, or copied to it. It counts nothing, so it has no bins. */
export function movedRow(peer: string, bytes: number, ms: readonly number[], place: Partial<Row>): Row {
  return {
    ...{ backend: null, algorithm: null, peer, type: "u8", bins: 0, n: bytes, distribution: "any" },
    ...{ residence: "resident", ms, gbps: throughput(bytes, ms), ceilingPercent: 100, exact: true },
    ...place,
  };
}
