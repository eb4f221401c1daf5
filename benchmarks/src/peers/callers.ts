import { difference, type Truth } from "../data/tile.ts";
import type { Caller } from "../runner/calls.ts";
import type { RowHead } from "../runner/contest.ts";
import type { Peer } from "./process.ts";

/** The data of a peer, and the exact counts. */
export interface PeerCell {
  readonly peer: Peer;
  /** The peer's word for one of its methods. */
  readonly word?: string;
  readonly row: Omit<RowHead, "backend" | "algorithm" | "peer" | "call">;
  readonly bytes: number;
  readonly ceiling?: number | null;
  truth(): Promise<Truth>;
}

/** Makes a caller of a peer, in its own process and on its own clock. */
export function peerCaller({ peer, word, row, bytes, ceiling = null, truth }: PeerCell): Caller {
  return {
    name: [peer.name, row.variant, row.distribution, `n = ${row.n}`].filter(Boolean).join(", "),
    row: { ...row, backend: null, algorithm: null, peer: peer.name, call: "count" },
    bytes,
    ceiling,
    burst: (most, seconds) => peer.calls(most, Math.max(seconds, 1e-9), word),
    wrong: async () => {
      await peer.run();
      return difference(await truth(), [{ counts: await peer.counts(), underflow: 0, overflow: 0, nan: 0 }]);
    },
  };
}
