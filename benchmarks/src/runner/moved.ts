import type { Row } from "./row.ts";
import { percentOf, throughput } from "./statistics.ts";

/** Another program's milliseconds for bytes, and GB/s at which the device can read them. */
type Times = Omit<Row, "backend" | "algorithm" | "residence" | "exact" | "gbps" | "ceilingPercent"> &
  Partial<Row> & { readonly bytes: number; readonly ceiling?: number | null };

/** Makes the row of another program's times, by default exact and on resident data. */
export function peerRow({ bytes, ceiling = null, ...row }: Times): Row {
  const gbps = throughput(bytes, row.ms);
  const ceilingPercent = percentOf(gbps, ceiling);
  return { backend: null, algorithm: null, residence: "resident", exact: true, ...row, gbps, ceilingPercent };
}

/** Makes the row of bytes that are moved: read on a device, or copied to it. It counts nothing, so it has no bins. */
export function movedRow(peer: string, bytes: number, ms: readonly number[], place: Partial<Row>): Row {
  const moved = { peer, type: "u8", bins: 0, n: bytes, distribution: "any", bytes, ms };
  return { ...peerRow(moved), ceilingPercent: 100, ...place };
}
