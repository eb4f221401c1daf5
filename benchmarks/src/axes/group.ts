import { save } from "../data/save.ts";
import { Tile } from "../data/tile.ts";
import { peerCaller } from "../peers/pool.ts";
import { measureCalls, type Pace } from "../runner/calls.ts";
import { cellName, lateLine } from "../runner/names.ts";
import { type Contestant, measureInTurns } from "../runner/turns.ts";
import { axisOf, bytesOf, type Cell, headOf, optionsOf, shapeOf } from "./cell.ts";
import { Counters, engineOf, type Lying, ours, Peers, participants, theirs } from "./contestants.ts";
import type { Workshop } from "./workshop.ts";

/** Number of generated samples. Larger data repeat them. */
const TILE_SAMPLES = 2 ** 22;
/** Calls per cell, and number of turns, if calls are measured one by one. */
const CALLS = { most: 300, turns: 5 } as const;
/** The most seconds for them. Hundreds of such small calls take less. */
const CALL_SECONDS = 0.1;

/** Measures cells over the same data: each GPU alone, so that it stays awake, and contestants on the CPU alternately. */
export async function measureGroup(shop: Workshop, cells: readonly Cell[]): Promise<void> {
  const { type, distribution, n, bins } = cells[0]!;
  const shape = shapeOf(type);
  const tile = Tile.of(shape, distribution, Math.min(n, TILE_SAMPLES));
  const job = { file: `${shop.scratch}/data`, n, type, bins, lo: 0, hi: shape.top };
  const truth = await tile.counts(shop.oracle, n, { axis: axisOf({ type, bins }) });
  const isOnGpu = ({ backend }: Cell) => shop.benches.has(backend ?? "");
  // Data on a GPU need no copy in host memory.
  const isHere = cells.some((cell) => !isOnGpu(cell) || cell.residence !== "resident");
  const memory = new Uint8Array(new SharedArrayBuffer(isHere ? bytesOf({ type, n }) : 0));
  const of: Lying = { tile, data: tile.lay(memory, isHere ? n : 0), job, truth };
  if (cells.some(({ peer, residence }) => peer !== null || residence === "file")) save(job.file, of.data);
  for (const measured of [wholly, oneByOne]) {
    const some = cells.filter(({ call }) => (call === undefined) === (measured === wholly));
    for (const [backend, own] of Map.groupBy(some.filter(isOnGpu), (cell) => cell.backend!)) {
      await measured.onDevice(shop, backend, of, own);
    }
    const rest = some.filter((cell) => !isOnGpu(cell));
    if (rest.length > 0) await measured.onHost(shop, of, rest);
  }
}

/** A way to measure cells: on one device, and on the CPU alternately. */
interface Measured {
  onDevice(shop: Workshop, backend: string, of: Lying, cells: readonly Cell[]): Promise<void>;
  onHost(shop: Workshop, of: Lying, cells: readonly Cell[]): Promise<void>;
}

const wholly: Measured = {
  async onDevice({ report, end, benches }, backend, of, cells) {
    const bench = benches.get(backend)!;
    const { engine } = bench;
    await using loaded = await bench.load(of.tile, of.job.n);
    for (const cell of cells) {
      if (performance.now() >= end) report.miss(lateLine(cell));
      else if (cell.residence !== "resident")
        await bench.contest(cellName(cell), ours(engine, cell, of, of.data));
      else await bench.measure(loaded, optionsOf(cell), { device: engine.device });
    }
  },
  async onHost(shop, of, cells) {
    using peers = new Peers(shop, of.job);
    const Copy = of.data.constructor as new (values: Lying["data"]) => Lying["data"];
    const contestants = await participants(shop, cells, async (cell): Promise<Contestant> => {
      const name = cellName(cell);
      if (cell.peer === null) {
        // An upload starts in memory that threads do not share.
        const data = cell.residence === "upload" ? new Copy(of.data) : of.data;
        return { name, ...ours(engineOf(shop, cell), cell, of, data) };
      }
      const { peer, device } = await peers.start(cell);
      return { name, ...theirs(peer, cell, of.truth, device), lost: (error) => peers.lost(peer.name, error) };
    });
    await measureInTurns(shop.report, contestants, { rounds: shop.rounds, seconds: shop.cellSeconds });
  },
};

const oneByOne: Measured = {
  async onDevice(shop, backend, of, cells) {
    const bench = shop.benches.get(backend)!;
    await using loaded = await bench.load(of.tile, of.job.n);
    await using counters = new Counters();
    const callers = await participants(shop, cells, (cell) =>
      counters.caller(bench.engine, loaded.resident, cell, of),
    );
    const before = bench.target.sleeps ? { before: () => bench.between() } : {};
    await measureCalls(shop.report, callers, { ...paceOf(shop), ...before });
  },
  async onHost(shop, of, cells) {
    using peers = new Peers(shop, of.job);
    await using counters = new Counters();
    const callers = await participants(shop, cells, async (cell) => {
      if (cell.peer === null) return counters.caller(engineOf(shop, cell), of.data, cell, of);
      const { peer, device } = await peers.start(cell);
      const row = { ...headOf(cell), device };
      return peerCaller(peer, { row, bytes: bytesOf(cell), truth: async () => of.truth });
    });
    await measureCalls(shop.report, callers, paceOf(shop));
  },
};

function paceOf({ cellSeconds }: Workshop): Pace {
  return { ...CALLS, seconds: Math.min(CALL_SECONDS, cellSeconds) };
}
