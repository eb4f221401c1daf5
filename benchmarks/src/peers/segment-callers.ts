import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Rows } from "../data/segment-rows.ts";
import type { Caller } from "../runner/calls.ts";
import type { Report } from "../runner/report.ts";
import type { SegmentShape } from "../runner/row.ts";
import { loopPeer, PEERS, type Peer, type PeerJob } from "./process.ts";

const BINS = 256;
/** Bytes per write. */
const PIECE = 2 ** 26;

/** Peers that count segments, each in a process that stays. */
export class SegmentPeers {
  readonly #file: string;
  readonly #peers: Peer[] = [];

  constructor(report: Report, scratch: string, names: readonly string[]) {
    this.#file = join(scratch, "data");
    const job: PeerJob = { file: this.#file, n: 0, type: "u8", bins: BINS, lo: 0, hi: BINS };
    for (const kind of PEERS.filter(({ name }) => names.includes(name))) {
      const why = kind.absent(scratch);
      if (why !== null) report.miss(`${kind.name}: ${why}`);
      else this.#peers.push(kind.name === "js-loop" ? loopPeer(job, "") : kind.start(job, scratch));
    }
  }

  callers(data: Uint8Array, shape: SegmentShape, distribution: string, rows: Rows): Caller[] {
    const file = openSync(this.#file, "w");
    for (let at = 0; at < data.length; at += PIECE) writeSync(file, data.subarray(at, at + PIECE));
    closeSync(file);
    return this.#peers.map((peer) => this.#caller(peer, shape, distribution, rows));
  }

  #caller(peer: Peer, shape: SegmentShape, distribution: string, rows: Rows): Caller {
    const { count, each } = shape;
    const n = count * each;
    let loaded = false;
    return {
      name: `${peer.name}, ${count} segments of ${each}, ${distribution}`,
      row: {
        ...{ backend: null, algorithm: null, peer: peer.name, call: "segments", type: "u8", bins: BINS, n },
        ...{ distribution, residence: "resident", segments: shape },
      },
      bytes: n,
      burst: async (most, seconds) => {
        if (!loaded) await peer.data(this.#file, n);
        loaded = true;
        return peer.segments(each, most, Math.max(seconds, 1e-9));
      },
      // Compares some rows only, because printing a whole matrix takes longer than counting it.
      wrong: async () => {
        for (const at of [0, count >> 1, count - 1]) {
          const wrong = rows.differenceAt(at, await peer.row(at));
          if (wrong !== null) return wrong;
        }
        return null;
      },
    };
  }

  close(): void {
    for (const peer of this.#peers) peer.close();
  }
}
