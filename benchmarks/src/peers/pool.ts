import { join } from "node:path";
import type { Values } from "../data/distributions.ts";
import { save } from "../data/save.ts";
import type { Rows } from "../data/segment-rows.ts";
import { difference, type Truth } from "../data/tile.ts";
import type { Caller } from "../runner/calls.ts";
import type { Report } from "../runner/report.ts";
import type { SegmentShape } from "../runner/row.ts";
import { loopPeer, PEERS, type Peer, type PeerJob } from "./process.ts";

/** The data of a peer and the exact counts. A word chooses one of the peer's methods. */
export interface PeerCell extends Pick<Caller, "bytes"> {
  readonly row: Omit<Caller["row"], "backend" | "algorithm" | "peer" | "call">;
  readonly word?: string;
  truth(): Promise<Truth>;
}

/** Describes what is wrong with a peer's last counts; null if nothing is. */
export async function wrongOf(peer: Peer, truth: Truth): Promise<string | null> {
  return difference(truth, [{ counts: await peer.counts(), underflow: 0, overflow: 0, nan: 0 }]);
}

/** Makes a caller of a peer, in its own process and on its own clock. */
export function peerCaller(peer: Peer, { row, bytes, word, truth }: PeerCell): Caller {
  return {
    row: { ...row, backend: null, algorithm: null, peer: peer.name, call: "count" },
    bytes,
    burst: (most, seconds) => peer.calls(most, Math.max(seconds, 1e-9), word),
    wrong: async () => {
      await peer.run();
      return wrongOf(peer, await truth());
    },
  };
}

/** A peer and its variant, if it has several. */
export interface Entrant {
  readonly peer: Peer;
  readonly variant?: string | undefined;
  readonly threads: number;
}

/** Peers over one file of samples, each in a process that stays. It reports those that are not available. */
export class PeerPool implements Disposable {
  readonly entrants: readonly Entrant[];
  readonly #report: Report;
  readonly #file: string;

  /** @param loops variants of the plain loop */
  constructor(
    report: Report,
    scratch: string,
    job: Omit<PeerJob, "file" | "n">,
    names: readonly string[],
    loops: readonly string[] = [],
  ) {
    this.#report = report;
    this.#file = join(scratch, "data");
    const of = { ...job, file: this.#file, n: 0 };
    const others = PEERS.filter(({ name }) => names.includes(name)).flatMap((kind) => {
      const why = kind.refuses(of) ?? kind.absent(scratch);
      if (why !== null) report.missOnce(`${kind.name}, ${job.type}: ${why}`);
      return why === null ? [{ peer: kind.start(of, scratch), threads: kind.threads }] : [];
    });
    const plain = loops.map((variant) => ({
      ...{ peer: loopPeer(of, variant), threads: 1 },
      variant: variant || undefined,
    }));
    this.entrants = [...plain, ...others];
  }

  /** Replaces the samples that the peers load. */
  write(values: Values): void {
    save(this.#file, values);
  }

  /** Lets a peer load the first `n` samples. Reports why it cannot. */
  async load({ peer }: Entrant, n: number, what: string): Promise<boolean> {
    try {
      await peer.data(this.#file, n);
      return true;
    } catch (error) {
      this.#report.missOnce(`${peer.name}, ${what}: ${(error as Error).message}`);
      return false;
    }
  }

  /** Makes callers that count segments of the samples. */
  segments(shape: SegmentShape, distribution: string, rows: Rows): Caller[] {
    const { count, each } = shape;
    const n = count * each;
    return this.entrants.map(({ peer }): Caller => {
      let loaded = false;
      return {
        row: {
          ...{ backend: null, algorithm: null, peer: peer.name, call: "segments", type: "u8", bins: 256, n },
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
    });
  }

  [Symbol.dispose](): void {
    for (const { peer } of this.entrants) peer[Symbol.dispose]();
  }
}
