import { type Countable, type Engine, fileSamples } from "@polybin/core";
import type { Values } from "../data/distributions.ts";
import type { Tile, Truth } from "../data/tile.ts";
import { wrongOf } from "../peers/pool.ts";
import { NoAnswer, PEERS, type Peer, type PeerJob } from "../peers/process.ts";
import type { Caller } from "../runner/calls.ts";
import type { Contest } from "../runner/contest.ts";
import { counting, type Result } from "../runner/count.ts";
import { type CounterCell, callerOf } from "../runner/counter.ts";
import { cellName } from "../runner/names.ts";
import { Scope } from "../runner/scope.ts";
import { axisOf, bytesOf, type Cell, headOf, optionsOf } from "./cell.ts";
import type { Workshop } from "./workshop.ts";

/** The data that all contestants share, and their exact counts. */
export interface Lying {
  readonly tile: Tile;
  readonly data: Values;
  readonly job: PeerJob;
  readonly truth: Truth;
}

/** Finds the engine of a backend on the CPU. */
export function engineOf({ sides }: Workshop, cell: Cell): Engine {
  return sides.find(({ id, threads }) => id === cell.backend && threads === cell.threads)!.engine;
}

/** Makes a participant for each cell, and reports those that cannot take part. */
export async function participants<Of>(
  { report }: Workshop,
  cells: readonly Cell[],
  make: (cell: Cell) => Promise<Of>,
): Promise<Of[]> {
  const all: Of[] = [];
  for (const cell of cells) {
    try {
      all.push(await make(cell));
    } catch (error) {
      report.lose(cellName(cell), error as Error, cell.peer);
    }
  }
  return all;
}

/** The peers of a group, each in a process that ends with the group. */
export class Peers implements Disposable {
  readonly #shop: Workshop;
  readonly #job: PeerJob;
  readonly #all: Peer[] = [];

  constructor(shop: Workshop, job: PeerJob) {
    this.#shop = shop;
    this.#job = job;
  }

  /** Starts a cell's peer on the data. `device` is its GPU or "cpu", if it reports one. */
  async start({ peer: name }: Cell): Promise<{ readonly peer: Peer; readonly device: string | undefined }> {
    const kind = PEERS.find((kind) => kind.name === name)!;
    if (this.#shop.silent.has(kind.name)) throw new NoAnswer("it did not answer an earlier request");
    const peer = kind.start(this.#job, this.#shop.scratch);
    this.#all.push(peer);
    try {
      await peer.load();
      return { peer, device: kind.gpu ? await peer.where() : undefined };
    } catch (error) {
      this.lost(kind.name, error as Error);
      throw error;
    }
  }

  /** Remembers a peer that hangs. */
  lost(name: string, error: Error): void {
    if (error instanceof NoAnswer) this.#shop.silent.add(name);
  }

  [Symbol.dispose](): void {
    for (const peer of this.#all) peer[Symbol.dispose]();
  }
}

/** Makes our contest of whole calls. @param data the samples, unless they are in the file */
export function ours(
  engine: Engine,
  cell: Cell,
  { job, truth }: Lying,
  data: Values,
): Contest<readonly Result[]> {
  const { type } = cell;
  const bytes = bytesOf(cell);
  const input: Countable = cell.residence === "file" ? fileSamples({ path: job.file, type, bytes }) : data;
  return counting({
    row: { ...headOf(cell), device: engine.device },
    bytes,
    truth: async () => truth,
    call: () => engine.histograms(input, optionsOf(cell)),
  });
}

/** Makes a peer's contest. A peer on a GPU reports times of whole calls. */
export function theirs(peer: Peer, cell: Cell, truth: Truth, device: string | undefined): Contest<number> {
  const isOnGpu = device !== undefined && device !== "cpu";
  return {
    row: { ...headOf(cell), device },
    bytes: bytesOf(cell),
    call: () => peer.run(),
    wrong: () => wrongOf(peer, truth),
    time: (ms) => ms,
    callTime: (ms) => (isOnGpu ? ms : undefined),
  };
}

/** Counters that are freed when all are measured. */
export class Counters extends Scope {
  async caller(engine: Engine, input: CounterCell["input"], cell: Cell, { truth }: Lying): Promise<Caller> {
    const options = { axis: axisOf(cell), algorithm: cell.algorithm! };
    const counter = this.own(await engine.prepare({ type: cell.type, ...options }));
    const row = { ...headOf(cell), device: engine.device };
    const of = { engine, counter, options, input, row, bytes: bytesOf(cell), truth: async () => truth };
    return callerOf(of, { call: cell.call! });
  }
}
