import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Tile } from "../data/tile.ts";
import { peerCaller } from "../peers/callers.ts";
import { loopPeer, PEERS, type Peer, type PeerJob } from "../peers/process.ts";
import type { Bench } from "../runner/bench.ts";
import type { Caller } from "../runner/calls.ts";
import type { Row } from "../runner/row.ts";

const BINS = 256;
/** Bytes per write. */
const PIECE = 2 ** 24;
/** Exponents of each peer's sizes. Some need seconds to count large data, and longer to read them. */
const CUB: Range = { uniform: [6, 30], others: [16, 30] };
const PYTHON: Range = { uniform: [10, 30], others: [22, 28] };
const STEP = 6;
const HOST_MOST = 2 ** 24;

interface Range {
  readonly uniform: readonly [number, number];
  readonly others: readonly [number, number];
}

/** Peers on the GPU and on the host, each in a process that stays. */
export class CallPeers {
  readonly #bench: Bench;
  readonly #file: string;
  readonly #gpu = new Map<string, Peer>();
  readonly #host: (readonly [variant: string, Peer])[] = [];
  #written = { name: "", size: 0 };

  private constructor(bench: Bench, scratch: string) {
    this.#bench = bench;
    this.#file = join(scratch, "data");
    const job: PeerJob = { file: this.#file, n: 0, type: "u8", bins: BINS, lo: 0, hi: BINS };
    const onGpu = bench.target.id === "cuda" ? ["cub", "cupy", "pytorch"] : [];
    for (const kind of PEERS.filter(({ name }) => [...onGpu, "c", "numpy", "opencv"].includes(name))) {
      const why = kind.absent(scratch);
      if (why !== null) bench.report.miss(`${kind.name}: ${why}`);
      else if (onGpu.includes(kind.name)) this.#gpu.set(kind.name, kind.start(job, scratch));
      else this.#host.push(["", kind.start(job, scratch)]);
    }
    for (const way of ["", "checks the range"]) this.#host.push([way, loopPeer(job, way)]);
  }

  static open(bench: Bench, scratch: string): CallPeers {
    return new CallPeers(bench, scratch);
  }

  /** Writes the peers' data, unless the file begins with them already. Only sorted data of different sizes differ. */
  #write(tile: Tile, bytes: number): void {
    const { name, size } = this.#written;
    if (name === tile.name && name !== "sorted" && size >= bytes) return;
    this.#written = { name: tile.name, size: bytes };
    const file = openSync(this.#file, "w");
    const data = tile.lay(this.#bench.host(bytes), bytes) as Uint8Array;
    for (let at = 0; at < bytes; at += PIECE) writeSync(file, data.subarray(at, at + PIECE));
    closeSync(file);
  }

  /** Makes callers of the peers on the GPU, with the data there. */
  async onGpu(tile: Tile, bytes: number): Promise<Caller[]> {
    const of: Caller[] = [];
    for (const [name, peer] of this.#gpu) {
      const exponent = Math.log2(bytes);
      const range = name === "cub" ? CUB : PYTHON;
      const [least, most] = range[tile.name === "uniform" ? "uniform" : "others"];
      if (exponent < least || exponent > most) continue;
      if (name !== "cub" && (exponent - least) % STEP !== 0 && exponent !== most) continue;
      if (!(await this.#load(peer, tile, bytes))) continue;
      const place = this.#place(tile, bytes, "resident");
      if (name !== "cub") of.push(peerCaller({ ...place, peer }));
      else
        for (const word of ["done", "home"]) {
          const variant = word === "done" ? "until the device is done" : "counts at home";
          of.push(peerCaller({ ...place, peer, word, row: { ...place.row, variant } }));
        }
    }
    return of;
  }

  /** Makes callers of the peers on the host. */
  async onHost(tile: Tile, bytes: number): Promise<Caller[]> {
    const of: Caller[] = [];
    if (bytes > HOST_MOST) return of;
    for (const [variant, peer] of this.#host) {
      if (!(await this.#load(peer, tile, bytes))) continue;
      const place = this.#place(tile, bytes, "upload");
      const row = { ...place.row, ...(variant === "" ? {} : { variant }), memory: "pageable" };
      of.push(peerCaller({ ...place, peer, row }));
    }
    return of;
  }

  async #load(peer: Peer, tile: Tile, bytes: number): Promise<boolean> {
    try {
      this.#write(tile, bytes);
      await peer.data(this.#file, bytes);
      return true;
    } catch (error) {
      this.#bench.report.miss(`${peer.name} on ${tile.name}, n = ${bytes}: ${(error as Error).message}`);
      return false;
    }
  }

  #place(tile: Tile, bytes: number, residence: Row["residence"]) {
    return {
      row: { type: "u8", bins: BINS, n: bytes, distribution: tile.name, residence },
      bytes,
      truth: () => tile.counts(this.#bench.oracle, bytes, {}),
    };
  }

  close(): void {
    for (const peer of this.#gpu.values()) peer.close();
    for (const [, peer] of this.#host) peer.close();
  }
}
