import type { Counter, Engine, Histogram } from "@polybin/core";
import type { Values } from "../data/distributions.ts";
import type { Tile, Truth } from "../data/tile.ts";
import { peerCaller } from "../peers/callers.ts";
import { PEERS, type Peer, type PeerJob } from "../peers/process.ts";
import { type Caller, measureCalls, type Pace } from "../runner/calls.ts";
import { type CounterCell, callerOf } from "../runner/counter.ts";
import { cellName } from "../runner/names.ts";
import { axisOf, bytesOf, type Cell } from "./cell.ts";
import type { Workshop } from "./workshop.ts";

/** Calls per cell, and number of turns. */
const CALLS = { most: 300, turns: 5 } as const;
/** The most seconds per cell. Hundreds of such small calls take less. */
const SECONDS = 0.1;

/** The data that all contestants share. */
export interface Lying {
  readonly tile: Tile;
  readonly data: Values;
  readonly job: PeerJob;
  readonly truth: Truth;
}

/** Measures calls one by one: each GPU alone, so that it stays awake, and contestants on the CPU alternately. */
export async function measureLatency(shop: Workshop, of: Lying, cells: readonly Cell[]): Promise<void> {
  const pace: Pace = { ...CALLS, seconds: Math.min(SECONDS, shop.cellSeconds) };
  for (const [backend, own] of Map.groupBy(cells, ({ backend }) => backend ?? "")) {
    const bench = shop.benches.get(backend);
    if (bench === undefined) continue;
    await using loaded = await bench.load(of.tile, of.job.n);
    await using ours = new Counters();
    const callers: Caller[] = [];
    for (const cell of own) callers.push(await ours.caller(bench.engine, loaded.resident, cell, of.truth));
    const before = bench.target.sleeps ? { before: () => bench.between() } : {};
    await measureCalls(shop.report, callers, { ...pace, ...before });
  }
  const rest = cells.filter(({ backend }) => !shop.benches.has(backend ?? ""));
  const peers: Peer[] = [];
  await using ours = new Counters();
  try {
    const callers: Caller[] = [];
    for (const cell of rest) {
      try {
        callers.push(
          cell.peer === null ? await onHost(shop, ours, cell, of) : await theirs(shop, peers, cell, of),
        );
      } catch (error) {
        if (cell.peer === null) shop.report.lose(cellName(cell), error as Error);
        else shop.report.miss(`${cellName(cell)}: ${(error as Error).message}`);
      }
    }
    await measureCalls(shop.report, callers, pace);
  } finally {
    for (const peer of peers) peer.close();
  }
}

/** Counters that are freed when all are measured. */
class Counters implements AsyncDisposable {
  readonly #all: Counter<Histogram>[] = [];

  async caller(engine: Engine, input: CounterCell["input"], cell: Cell, truth: Truth): Promise<Caller> {
    const { type, bins, n, distribution, residence, algorithm, threads } = cell;
    const options = { axis: axisOf(cell), algorithm: algorithm! };
    const counter = await engine.prepare({ type, ...options });
    this.#all.push(counter);
    return callerOf(
      {
        ...{ engine, counter, options, input },
        bytes: bytesOf(cell),
        truth: async () => truth,
        row: {
          ...{
            backend: cell.backend,
            device: engine.device,
            algorithm,
            type,
            bins,
            n,
            distribution,
            residence,
          },
          ...(threads === undefined ? {} : { threads }),
        },
      },
      { call: cell.call === "countSync" ? "countSync" : "count" },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const counter of this.#all) await counter.free();
  }
}

function onHost({ sides }: Workshop, ours: Counters, cell: Cell, { data, truth }: Lying): Promise<Caller> {
  const { engine } = sides.find(({ id, threads }) => id === cell.backend && threads === cell.threads)!;
  return ours.caller(engine, data, cell, truth);
}

async function theirs(
  { scratch, silent }: Workshop,
  peers: Peer[],
  cell: Cell,
  { job, truth }: Lying,
): Promise<Caller> {
  const kind = PEERS.find(({ name }) => name === cell.peer)!;
  if (silent.has(kind.name)) throw new Error("it did not answer an earlier request");
  const peer = kind.start(job, scratch);
  peers.push(peer);
  await peer.load();
  const device = kind.gpu ? { device: await peer.where() } : {};
  const { type, bins, n, distribution, residence, threads } = cell;
  return peerCaller({
    peer,
    row: {
      ...{ type, bins, n, distribution, residence, ...device },
      ...(threads === undefined ? {} : { threads }),
    },
    bytes: bytesOf(cell),
    truth: async () => truth,
  });
}
