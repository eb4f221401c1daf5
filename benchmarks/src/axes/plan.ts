import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import type { PeerKind } from "../peers/process.ts";
import { cellName } from "../runner/names.ts";
import type { Row } from "../runner/row.ts";
import { bytesOf, type Cell, type Contestant, type Data } from "./cell.ts";

/** How much data a contestant can be asked to count: by the CPU, by a GPU, or by a GPU that the CPU imitates. */
export type Pace = "host" | "gpu" | "software";

/** A backend that works here, with so many threads. */
export interface Side {
  readonly id: string;
  readonly pace: Pace;
  readonly threads?: number;
  /** What is measured on it, the best first. */
  readonly algorithms: readonly string[];
  readonly readsFiles: boolean;
  /** Can it count before it returns? Default no. */
  readonly countsSync?: boolean;
  /** Why it cannot count this; null where it can. */
  refuses(cell: Cell): string | null;
}

/** What is asked for: values of an axis leave the planned lines and take all combinations instead. */
export interface Ask {
  readonly quick: boolean;
  readonly algorithms?: readonly string[] | undefined;
  readonly types?: readonly Data["type"][] | undefined;
  readonly bins?: readonly number[] | undefined;
  readonly n?: readonly number[] | undefined;
  readonly distributions?: readonly Distribution[] | undefined;
  readonly residences?: readonly Row["residence"][] | undefined;
  /** Of calls that are measured one by one; the data are resident then. */
  readonly calls?: readonly NonNullable<Contestant["call"]>[] | undefined;
  /** Bytes that data may have: what memory is there. */
  readonly mostBytes: number;
}

/** Cells, the most important first, and those that cannot be, each with a sentence. */
export interface Planned {
  readonly cells: readonly Cell[];
  readonly missing: readonly string[];
}

/** Bytes of the data that all lines go through, and of the largest. */
const SIZES: Readonly<Record<"quick" | "full", Readonly<Record<Pace, { centre: number; most: number }>>>> = {
  quick: {
    host: { centre: 2 ** 22, most: 2 ** 24 },
    gpu: { centre: 2 ** 26, most: 2 ** 28 },
    software: { centre: 2 ** 20, most: 2 ** 20 },
  },
  full: {
    host: { centre: 2 ** 26, most: 2 ** 29 },
    gpu: { centre: 2 ** 30, most: 2 ** 32 },
    software: { centre: 2 ** 22, most: 2 ** 24 },
  },
};
/** Samples of four bytes that a pace's lines go through. */
export function floatsOf(quick: boolean, pace: Pace): number {
  return samplesOf("f32", SIZES[quick ? "quick" : "full"][pace].centre);
}

const LEAST_N = 2 ** 13;
/** Exponents of the samples that calls are measured on one by one. */
const CALL_SIZES = { quick: [10, 16, 20], full: [6, 10, 13, 16, 18, 20, 22, 24] } as const;
/** What imitates a GPU takes a second for more. */
const MOST_SOFTWARE_CALL = 16;
/** Exponents from one size to the next. */
const STEP = { quick: 3, full: 1 } as const;
/** Of the lines that are not about distributions. */
const PLAIN: Distribution = "uniform";
/** What shows an algorithm that depends on the data, where time is short. */
const TELLING: readonly Distribution[] = ["uniform", "zeros"];
const BINS = [64, 1024, 4096, 65_536];
/** Brown & Snoeyink's Figure 4 at its turns. */
const KS = [1, 4, 15, 21, 31, 32, 63];
/** Two orders of magnitude slower than the rest on a GPU: measured on less. */
const SLOW: readonly string[] = ["bank-owned", "global"];
const SLOW_SHARE = 16;
/** Peers that are slow are asked for no more than this. */
const SLOW_PEER_SAMPLES = 2 ** 22;
const MOST_64 = 64;

/**
 * Plans lines through the axes that cross in one point, bytes in 256 bins from memory: along distributions, algorithms,
 * sizes, calls, types, bins, residences and trish's k, in this order. Pure.
 */
export function planCells(sides: readonly Side[], peers: readonly PeerKind[], ask: Ask): Planned {
  const chosen = [ask.types, ask.bins, ask.n, ask.distributions, ask.residences, ask.calls].some(Boolean);
  const lines = chosen ? product(sides, peers, ask) : sweeps(sides, peers, ask);
  const cells = new Map<string, Cell>();
  const missing = new Set<string>();
  for (const cell of lines) {
    if (ask.algorithms && cell.algorithm !== null && !ask.algorithms.includes(cell.algorithm)) continue;
    const key = JSON.stringify([...Object.entries(cell)].filter(([name]) => name !== "sweep").sort());
    if (cells.has(key)) continue;
    const why = refusal(cell, sides, peers, ask);
    if (why === null) cells.set(key, cell);
    else missing.add(`${cellName(cell)}: ${why}`);
  }
  return { cells: [...cells.values()], missing: [...missing] };
}

function refusal(cell: Cell, sides: readonly Side[], peers: readonly PeerKind[], ask: Ask): string | null {
  const bytes = bytesOf(cell);
  if (bytes > ask.mostBytes)
    return `its ${bytes} bytes are more than the ${ask.mostBytes} that memory has room for`;
  if (cell.peer !== null) {
    const { n, type, bins } = cell;
    const peer = peers.find(({ name }) => name === cell.peer)!;
    if (peer.slow && n > SLOW_PEER_SAMPLES) return `it is slow: no more than ${SLOW_PEER_SAMPLES} samples`;
    return peer.refuses({ file: "", n, type, bins, lo: 0, hi: 0 });
  }
  const side = sides.find(({ id, threads }) => id === cell.backend && threads === cell.threads)!;
  if (cell.residence === "file" && !side.readsFiles) return "it does not read files itself";
  if (cell.call === "countSync" && !side.countsSync)
    return "it does not count before it returns, or is asked to with one thread";
  return side.refuses(cell);
}

/** Every combination of what was asked for, with the lines' crossing point where nothing was. */
function* product(sides: readonly Side[], peers: readonly PeerKind[], ask: Ask): Iterable<Cell> {
  for (const pace of pacesOf(sides)) {
    const { centre } = SIZES[ask.quick ? "quick" : "full"][pace];
    for (const type of ask.types ?? (["u8"] as const)) {
      for (const bins of ask.bins ?? [256]) {
        for (const n of ask.n ?? [samplesOf(type, centre)]) {
          for (const distribution of ask.distributions ?? [PLAIN]) {
            const data = { type, bins, n, distribution };
            for (const residence of ask.residences ?? (["resident"] as const)) {
              const who = [...everyAlgorithm(sides, pace), ...peersOf(peers, pace, sides)];
              for (const one of who) {
                if (one.peer !== null && residence !== "resident") continue;
                const cell = { sweep: "chosen", ...data, ...one, residence };
                if (ask.calls === undefined) yield cell;
                else if (residence === "resident") yield* calledAs(cell, ask.calls);
              }
            }
          }
        }
      }
    }
  }
}

/** A peer is called in one way. */
function* calledAs(cell: Cell, calls: NonNullable<Ask["calls"]>): Iterable<Cell> {
  for (const call of calls) if (cell.peer === null || call === "count") yield { ...cell, call };
}

/** What the lines of one pace are made of. */
interface Field {
  readonly quick: boolean;
  readonly pace: Pace;
  /** Where the lines cross. */
  readonly centre: Data;
  /** Bytes of the largest data. */
  readonly most: number;
  /** Each backend with its best algorithm, and with every one. */
  readonly best: readonly Contestant[];
  readonly every: readonly Contestant[];
  /** The best, in each way to call it. */
  readonly called: readonly Contestant[];
  readonly peers: readonly Contestant[];
  /** Those of the peers that may take part in every line of a quick run. */
  readonly fast: readonly Contestant[];
}

/** The first line is everybody's; then what imitates a GPU, and is slow, comes last. */
function* sweeps(sides: readonly Side[], peers: readonly PeerKind[], ask: Ask): Iterable<Cell> {
  const fields = pacesOf(sides).map((pace) => fieldOf(pace, sides, peers, ask.quick));
  for (const field of fields) yield* distributions(field);
  for (const software of [false, true]) {
    const some = fields.filter(({ pace }) => (pace === "software") === software);
    for (const line of [algorithms, sizes, latency, types, bins, residences, ks]) {
      for (const field of some) yield* line(field);
    }
  }
}

function fieldOf(pace: Pace, sides: readonly Side[], peers: readonly PeerKind[], quick: boolean): Field {
  const { centre, most } = SIZES[quick ? "quick" : "full"][pace];
  const here = sides.filter((side) => side.pace === pace);
  const fast = peers.filter(({ slow }) => !slow);
  return {
    quick,
    pace,
    centre: { type: "u8", bins: 256, n: centre, distribution: PLAIN },
    most,
    best: here.map((side) => ours(side, side.algorithms[0]!)),
    every: everyAlgorithm(sides, pace),
    called: here.flatMap((side) => {
      const best = ours(side, side.algorithms[0]!);
      const sync = side.countsSync ? [{ ...best, call: "countSync" as const }] : [];
      return [...sync, { ...best, call: "count" as const }];
    }),
    peers: peersOf(peers, pace, sides),
    fast: peersOf(quick ? fast : peers, pace, sides),
  };
}

function* distributions({ centre, best, peers, fast }: Field): Iterable<Cell> {
  const plain = { sweep: "distributions", ...centre };
  for (const one of [...best, ...peers]) yield { ...plain, ...one };
  for (const distribution of DISTRIBUTIONS) {
    for (const one of [...best, ...fast]) yield { ...plain, distribution, ...one };
  }
}

function* algorithms({ quick, pace, centre, every }: Field): Iterable<Cell> {
  for (const distribution of quick ? TELLING : DISTRIBUTIONS) {
    for (const one of every) {
      const n = pace !== "host" && SLOW.includes(one.algorithm!) ? centre.n / SLOW_SHARE : centre.n;
      const bins = one.algorithm === "per-thread-64" ? MOST_64 : centre.bins;
      yield { sweep: "algorithms", ...centre, n, bins, distribution, ...one };
    }
  }
}

function* sizes({ quick, pace, centre, most, best, fast }: Field): Iterable<Cell> {
  for (let n = LEAST_N; n <= most; n *= 2 ** STEP[quick ? "quick" : "full"]) {
    const data = { sweep: "sizes", ...centre, n };
    for (const one of [...best, ...fast]) yield { ...data, ...one };
    if (pace === "host") continue;
    for (const one of best) yield { ...data, ...one, residence: "upload" };
  }
}

/** Calls one by one, awaited and, where that can be, not. */
function* latency({ quick, pace, centre, called, fast }: Field): Iterable<Cell> {
  for (const exponent of CALL_SIZES[quick ? "quick" : "full"]) {
    if (pace === "software" && exponent > MOST_SOFTWARE_CALL) continue;
    const data = { sweep: "calls", ...centre, n: 2 ** exponent };
    for (const one of called) yield { ...data, ...one };
    for (const one of fast) yield { ...data, ...one, call: "count" };
  }
}

function* types(field: Field): Iterable<Cell> {
  const { centre, best, fast } = field;
  for (const type of isShort(field) ? (["f32"] as const) : (["u16", "u32", "f32", "f64"] as const)) {
    const data = { sweep: "types", ...centre, type, n: samplesOf(type, centre.n) };
    for (const one of [...best, ...fast]) yield { ...data, ...one };
  }
}

function* bins(field: Field): Iterable<Cell> {
  const { centre, best, fast } = field;
  const data = { sweep: "bins", ...centre, type: "u16" as const, n: samplesOf("u16", centre.n) };
  for (const count of isShort(field) ? [1024] : BINS) {
    for (const one of [...best, ...fast]) yield { ...data, bins: count, ...one };
  }
}

function* residences({ centre, best }: Field): Iterable<Cell> {
  for (const residence of ["upload", "file"] as const) {
    for (const one of best) yield { sweep: "residence", ...centre, ...one, residence };
  }
}

function* ks({ quick, centre, every }: Field): Iterable<Cell> {
  if (quick) return;
  for (const k of KS) {
    for (const one of every.filter(({ algorithm }) => algorithm === "trish")) {
      yield { sweep: "k", ...centre, ...one, variant: `k=${k}`, k };
    }
  }
}

/** SwiftShader compiles for seconds, a kernel for every type and way to find the bin: in a quick run, few. */
function isShort({ quick, pace }: Field): boolean {
  return quick && pace === "software";
}

function ours({ id, threads }: Side, algorithm: string): Contestant {
  const of = threads === undefined ? {} : { threads };
  return { backend: id, algorithm, peer: null, residence: "resident", ...of };
}

function everyAlgorithm(sides: readonly Side[], pace: Pace): Contestant[] {
  const here = sides.filter((side) => side.pace === pace);
  return here.flatMap((side) => side.algorithms.map((slug) => ours(side, slug)));
}

/** Peers count beside the CPU's backends, and those with a GPU beside the GPU's, if one of ours has it, too. */
function peersOf(peers: readonly PeerKind[], pace: Pace, sides: readonly Side[]): Contestant[] {
  if (pace === "software") return [];
  const hasGpu = pacesOf(sides).includes("gpu");
  const here = peers.filter(({ gpu }) => (pace === "host" ? !(gpu && hasGpu) : gpu));
  return here.map(({ name, threads }) => ({
    backend: null,
    algorithm: null,
    peer: name,
    residence: "resident",
    ...(pace === "host" ? { threads } : {}),
  }));
}

function pacesOf(sides: readonly Side[]): Pace[] {
  return (["host", "gpu", "software"] as const).filter((pace) => sides.some((side) => side.pace === pace));
}

function samplesOf(type: Data["type"], bytes: number): number {
  return bytes / bytesOf({ type, n: 1 });
}
