import { closeSync, openSync, writeSync } from "node:fs";
import { type Countable, type Engine, fileSamples } from "@polybin/core";
import type { Values } from "../data/distributions.ts";
import { difference, Tile, type Truth } from "../data/tile.ts";
import { NoAnswer, PEERS, type Peer, type PeerJob } from "../peers/process.ts";
import type { Bench } from "../runner/bench.ts";
import type { Contest } from "../runner/contest.ts";
import type { Cell as Counting } from "../runner/count.ts";
import { cellName, dataName, lateLine, nameOf } from "../runner/names.ts";
import type { Row } from "../runner/row.ts";
import { type Contestant, measureInTurns } from "../runner/turns.ts";
import { axisOf, bytesOf, type Cell, shapeOf } from "./cell.ts";
import { measureLatency } from "./latency.ts";
import type { Workshop } from "./workshop.ts";

/** Number of generated samples. Larger data repeat them. */
const TILE_SAMPLES = 2 ** 22;

/** Measures cells over the same data: each GPU alone, so that it stays awake, and contestants on the CPU alternately. */
export async function measureGroup(shop: Workshop, cells: readonly Cell[]): Promise<void> {
  const { type, distribution, n, bins } = cells[0]!;
  const shape = shapeOf(type);
  const tile = Tile.of(shape, distribution, Math.min(n, TILE_SAMPLES));
  const job: PeerJob = {
    file: `${shop.scratch}/data`,
    n,
    type,
    bins,
    lo: 0,
    hi: shape.top,
  };
  const truth = await tile.counts(shop.oracle, n, { axis: axisOf({ type, bins }) });
  const onGpu = cells.filter(({ backend }) => backend !== null && shop.benches.has(backend));
  // Data on a GPU need no copy in host memory.
  const isHere = cells.some((cell) => !onGpu.includes(cell) || cell.residence !== "resident");
  const memory = new Uint8Array(new SharedArrayBuffer(isHere ? bytesOf({ type, n }) : 0));
  const data = tile.lay(memory, isHere ? n : 0);
  if (cells.some(({ peer, residence }) => peer !== null || residence === "file")) save(job.file, data);
  const plain = cells.filter(({ call }) => call === undefined);
  const onDevices = Map.groupBy(
    plain.filter((cell) => onGpu.includes(cell)),
    (cell) => cell.backend!,
  );
  for (const [backend, of] of onDevices) {
    await onDevice(shop, shop.benches.get(backend)!, tile, data, job, of);
  }
  const inTurns = plain.filter((cell) => !onGpu.includes(cell));
  if (inTurns.length > 0) await onHost(shop, data, job, truth, inTurns);
  const latency = cells.filter(({ call }) => call !== undefined);
  if (latency.length > 0) await measureLatency(shop, { tile, data, job, truth }, latency);
}

/** Bytes per write, since Node writes at most 2 GiB at once. */
const WRITTEN_BYTES = 2 ** 30;

function save(path: string, { buffer, byteOffset, byteLength }: Values): void {
  const file = openSync(path, "w");
  try {
    for (let at = 0; at < byteLength; ) {
      const bytes = Math.min(WRITTEN_BYTES, byteLength - at);
      at += writeSync(file, new Uint8Array(buffer, byteOffset + at, bytes));
    }
  } finally {
    closeSync(file);
  }
}

async function onDevice(
  { report, end }: Workshop,
  bench: Bench,
  tile: Tile,
  data: Values,
  job: PeerJob,
  cells: readonly Cell[],
): Promise<void> {
  await using loaded = await bench.load(tile, job.n);
  for (const cell of cells) {
    if (performance.now() >= end) {
      report.miss(lateLine(cell));
      continue;
    }
    const asked: Counting = {
      algorithm: cell.algorithm!,
      axis: axisOf(cell),
      ...(cell.k === undefined ? {} : { k: cell.k }),
    };
    const device = { device: bench.engine.device };
    if (cell.residence === "resident") {
      await bench.measure(loaded, asked, {
        ...device,
        ...(cell.variant === undefined ? {} : { variant: cell.variant }),
      });
      continue;
    }
    const input: Countable = cell.residence === "file" ? fileOf(job) : data;
    await bench.rounds(`${nameOf(cell)} on ${dataName(cell)}, ${cell.residence}`, {
      truth: () => loaded.truth(asked),
      call: () => bench.engine.histograms(input, asked),
      time: (_timings, ms) => ms,
      row: { ...placeOf(cell), ...device, algorithm: cell.algorithm },
      bytes: bytesOf(cell),
      ceiling: null,
    });
  }
}

/** Measures ours on the CPU and peers alternately. */
async function onHost(
  { sides, report, scratch, rounds, cellSeconds, silent }: Workshop,
  data: Values,
  job: PeerJob,
  truth: Truth,
  cells: readonly Cell[],
): Promise<void> {
  const peers: Peer[] = [];
  const contestants = cells.map((cell): Contestant => {
    const name = cellName(cell);
    if (cell.peer === null) {
      const side = sides.find(({ id, threads }) => id === cell.backend && threads === cell.threads)!;
      return { name, open: () => ours(side.engine, cell, data, job, truth) };
    }
    const kind = PEERS.find(({ name: of }) => of === cell.peer)!;
    return {
      name,
      isPeer: true,
      open: async () => {
        if (silent.has(kind.name)) throw new NoAnswer("it did not answer an earlier request");
        const peer = kind.start(job, scratch);
        peers.push(peer);
        await peer.load();
        return theirs(peer, cell, truth, kind.gpu ? await peer.where() : undefined);
      },
      lost: (error) => {
        if (error instanceof NoAnswer) silent.add(kind.name);
      },
    };
  });
  try {
    await measureInTurns(report, contestants, { rounds, seconds: cellSeconds });
  } finally {
    for (const peer of peers) peer.close();
  }
}

function ours(
  engine: Engine,
  cell: Cell,
  data: Values,
  job: PeerJob,
  truth: Truth,
): Contest<Awaited<ReturnType<Engine["histograms"]>>> {
  const options = {
    algorithm: cell.algorithm!,
    axis: axisOf(cell),
    ...(cell.k === undefined ? {} : { k: cell.k }),
  };
  const input: Countable =
    cell.residence === "file"
      ? fileOf(job)
      : cell.residence === "upload"
        ? (new (data.constructor as new (values: Values) => Values)(data) as Values)
        : data;
  return {
    call: () => engine.histograms(input, options),
    wrong: async (found) => difference(truth, found),
    time: (_found, ms) => ms,
    row: () => ({
      ...placeOf(cell),
      backend: cell.backend,
      device: engine.device,
      algorithm: cell.algorithm,
    }),
    bytes: bytesOf(cell),
    ceiling: null,
  };
}

/** Makes a peer's contest. @param device the peer's device, if it reports one. A peer on a GPU reports times of whole calls. */
function theirs(peer: Peer, cell: Cell, truth: Truth, device?: string): Contest<number> {
  const isOnGpu = device !== undefined && device !== "cpu";
  return {
    call: () => peer.run(),
    wrong: async () =>
      difference(truth, [{ counts: await peer.counts(), underflow: 0, overflow: 0, nan: 0 }]),
    time: (ms) => ms,
    ...(isOnGpu ? { callTime: (ms: number) => ms } : {}),
    row: () => ({
      ...placeOf(cell),
      backend: null,
      ...(device === undefined ? {} : { device }),
      algorithm: null,
      peer: cell.peer,
    }),
    bytes: bytesOf(cell),
    ceiling: null,
  };
}

function fileOf({ file, n, type }: PeerJob): Countable {
  return fileSamples({
    path: file,
    type: type as Cell["type"],
    bytes: bytesOf({ type: type as Cell["type"], n }),
  });
}

function placeOf({ variant, threads, type, bins, n, distribution, residence }: Cell) {
  return {
    ...(variant === undefined ? {} : { variant }),
    ...(threads === undefined ? {} : { threads }),
    type,
    bins,
    n,
    distribution,
    residence,
  } satisfies Partial<Row>;
}
