import { combinations } from "../data/combinations.ts";
import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import type { PeerKind } from "../peers/process.ts";
import { cellName } from "../runner/names.ts";
import type { Row } from "../runner/row.ts";
import { bytesOf, CALLS, type Cell, type Contestant, type Data } from "./cell.ts";

/** The speed class of a contestant, which decides the size of its data: a CPU, a GPU, or a GPU imitated by software. */
export type Pace = "host" | "gpu" | "software";

/** An available backend with a number of threads. */
export interface Side {
  readonly id: string;
  readonly pace: Pace;
  readonly threads?: number;
  /** The algorithms to measure, the best first. */
  readonly algorithms: readonly string[];
  readonly readsFiles: boolean;
  /** Whether it can count synchronously. Default: false. */
  readonly countsSync?: boolean;
  /** Returns why it cannot count a cell; null if it can. */
  refuses(cell: Cell): Promise<string | null>;
}

/** The requested cells. Values for an axis replace the planned lines by all combinations. */
export interface Ask {
  readonly quick: boolean;
  readonly algorithms?: readonly string[] | undefined;
  readonly types?: readonly Data["type"][] | undefined;
  readonly bins?: readonly number[] | undefined;
  readonly n?: readonly number[] | undefined;
  readonly distributions?: readonly Distribution[] | undefined;
  readonly residences?: readonly Row["residence"][] | undefined;
  /** Kinds of call that are measured one by one, on resident data. */
  readonly calls?: readonly NonNullable<Contestant["call"]>[] | undefined;
  /** The largest size of data in bytes that fits into memory. */
  readonly mostBytes: number;
}

/** Cells, the most important first, and a sentence for each impossible one. */
export interface Planned {
  readonly cells: readonly Cell[];
  readonly missing: readonly string[];
}

/** Size in bytes of the data where all lines cross, and of the largest data. */
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
/** Number of four-byte samples where the lines of a pace cross. */
export function floatsOf(quick: boolean, pace: Pace): number {
  return samplesOf("f32", SIZES[quick ? "quick" : "full"][pace].centre);
}

const LEAST_N = 2 ** 13;
/** Exponents of the numbers of samples for calls that are measured one by one. */
const CALL_SIZES = { quick: [10, 16, 20], full: [6, 10, 13, 16, 18, 20, 22, 24] } as const;
/** The largest such exponent on a software device, which takes a second for more. */
const MOST_SOFTWARE_CALL = 16;
/** Exponents from one size to the next. */
const STEP = { quick: 3, full: 1 } as const;
/** The distribution of lines that vary something else. */
const PLAIN: Distribution = "uniform";
/** Distributions that reveal a dependence on the data in a quick run. */
const TELLING: readonly Distribution[] = ["uniform", "zeros"];
const BINS = [64, 1024, 4096, 65_536];
/** Values of k at the turning points of Brown & Snoeyink's Figure 4. */
const KS = [1, 4, 15, 21, 31, 32, 63];
/** Algorithms two orders of magnitude slower than the rest on a GPU, which are measured on less data. */
const SLOW: readonly string[] = ["bank-owned", "global"];
const SLOW_SHARE = 16;
/** The most samples for slow peers. */
const SLOW_PEER_SAMPLES = 2 ** 22;
const MOST_64 = 64;

/**
 * Plans lines through the axes, along distributions, algorithms, sizes, calls, types, bins, residences and trish's k, in
 * this order. The lines cross at bytes in memory with 256 bins.
 */
export async function planCells(
  sides: readonly Side[],
  peers: readonly PeerKind[],
  ask: Ask,
): Promise<Planned> {
  const chosen = [ask.types, ask.bins, ask.n, ask.distributions, ask.residences, ask.calls].some(Boolean);
  const lines = chosen ? product(sides, peers, ask) : sweeps(sides, peers, ask);
  const cells = new Map<string, Cell>();
  const missing = new Set<string>();
  for (const cell of lines) {
    if (ask.algorithms && cell.algorithm !== null && !ask.algorithms.includes(cell.algorithm)) continue;
    const key = JSON.stringify([...Object.entries(cell)].filter(([name]) => name !== "sweep").sort());
    if (cells.has(key)) continue;
    const why = await refusal(cell, sides, peers, ask);
    if (why === null) cells.set(key, cell);
    else missing.add(`${cellName(cell)}: ${why}`);
  }
  return { cells: [...cells.values()], missing: [...missing] };
}

async function refusal(
  cell: Cell,
  sides: readonly Side[],
  peers: readonly PeerKind[],
  ask: Ask,
): Promise<string | null> {
  const bytes = bytesOf(cell);
  if (bytes > ask.mostBytes)
    return `its ${bytes} bytes exceed the ${ask.mostBytes} bytes that fit into memory`;
  if (cell.peer !== null) {
    const { n, type, bins } = cell;
    const peer = peers.find(({ name }) => name === cell.peer)!;
    if (peer.slow && n > SLOW_PEER_SAMPLES)
      return `it is slow, so it counts at most ${SLOW_PEER_SAMPLES} samples`;
    return peer.refuses({ file: "", n, type, bins, lo: 0, hi: 0 });
  }
  const side = sides.find(({ id, threads }) => id === cell.backend && threads === cell.threads)!;
  if (cell.residence === "file" && !side.readsFiles) return "it does not read files itself";
  if (cell.call === "countSync" && !side.countsSync)
    return "it cannot count synchronously, or does so with one thread only";
  return side.refuses(cell);
}

/** Makes every combination of the requested values, with the lines' crossing point for the other axes. */
function* product(sides: readonly Side[], peers: readonly PeerKind[], ask: Ask): Iterable<Cell> {
  for (const pace of pacesOf(sides)) {
    const who = [...everyAlgorithm(sides, pace), ...peersOf(peers, pace, sides)];
    const all = combinations<Data & Pick<Cell, "residence">>({
      type: ask.types ?? "u8",
      bins: ask.bins ?? 256,
      n: ask.n ?? 0,
      distribution: ask.distributions ?? PLAIN,
      residence: ask.residences ?? "resident",
    });
    for (const data of all) {
      const n = data.n || samplesOf(data.type, SIZES[ask.quick ? "quick" : "full"][pace].centre);
      for (const one of who) {
        if (one.peer !== null && data.residence !== "resident") continue;
        const cell = { sweep: "chosen", ...one, ...data, n };
        if (ask.calls === undefined) yield cell;
        // A peer has only \`count\`.
        else if (data.residence === "resident")
          for (const call of ask.calls) if (cell.peer === null || call === "count") yield { ...cell, call };
      }
    }
  }
}

/** The data and contestants of the lines of one pace. */
interface Field {
  readonly quick: boolean;
  readonly pace: Pace;
  /** The point where the lines cross. */
  readonly centre: Data;
  /** Size of the largest data in bytes. */
  readonly most: number;
  /** Each backend with its best algorithm, and with every one. */
  readonly best: readonly Contestant[];
  readonly every: readonly Contestant[];
  /** Each backend's best algorithm, with each kind of call. */
  readonly called: readonly Contestant[];
  /** All peers, those that take part in every line of a quick run, and these with \`best\`. */
  readonly peers: readonly Contestant[];
  readonly fast: readonly Contestant[];
  readonly usual: readonly Contestant[];
}

/** Makes all lines. The first one has all contestants. Slow software devices come last in the others. */
function* sweeps(sides: readonly Side[], peers: readonly PeerKind[], ask: Ask): Iterable<Cell> {
  const fields = pacesOf(sides).map((pace) => fieldOf(pace, sides, peers, ask.quick));
  const [[first, ...rest], hosts] = [Object.keys(LINES), fields.filter(({ pace }) => pace !== "software")];
  const software = fields.filter(({ pace }) => pace === "software");
  const order = [
    ...fields.map((field) => [first!, field] as const),
    ...[hosts, software].flatMap((some) =>
      rest.flatMap((line) => some.map((field) => [line, field] as const)),
    ),
  ];
  for (const [sweep, field] of order) {
    for (const [varied, who] of LINES[sweep]!(field)) {
      for (const one of who) yield { sweep, ...field.centre, ...one, ...varied };
    }
  }
}

function fieldOf(pace: Pace, sides: readonly Side[], peers: readonly PeerKind[], quick: boolean): Field {
  const { centre, most } = SIZES[quick ? "quick" : "full"][pace];
  const here = sides.filter((side) => side.pace === pace);
  const best = here.map((side) => ours(side, side.algorithms[0]!));
  const fast = peersOf(quick ? peers.filter(({ slow }) => !slow) : peers, pace, sides);
  return {
    ...{ quick, pace, most, best, fast, usual: [...best, ...fast] },
    centre: { type: "u8", bins: 256, n: centre, distribution: PLAIN },
    every: everyAlgorithm(sides, pace),
    called: here.flatMap(({ countsSync }, i) => {
      const calls = countsSync ? CALLS.toReversed() : (["count"] as const);
      return calls.map((call) => ({ ...best[i]!, call }));
    }),
    peers: peersOf(peers, pace, sides),
  };
}

/** The change of a step at the crossing point, and who counts it. */
type Step = readonly [varied: Partial<Cell>, who: readonly Contestant[]];

/** The lines, the most important first. */
const LINES: Readonly<Record<string, (field: Field) => readonly Step[]>> = {
  distributions: ({ best, peers, usual }) => [
    [{}, [...best, ...peers]],
    ...DISTRIBUTIONS.map((distribution): Step => [{ distribution }, usual]),
  ],
  algorithms: ({ quick, pace, centre, every }) =>
    (quick ? TELLING : DISTRIBUTIONS).flatMap((distribution) =>
      every.map((one): Step => {
        const n = pace !== "host" && SLOW.includes(one.algorithm!) ? centre.n / SLOW_SHARE : centre.n;
        const bins = one.algorithm === "per-thread-64" ? MOST_64 : centre.bins;
        return [{ n, bins, distribution }, [one]];
      }),
    ),
  sizes: ({ quick, pace, most, best, usual }) => {
    const factor = 2 ** STEP[quick ? "quick" : "full"];
    const steps: Step[] = [];
    for (let n = LEAST_N; n <= most; n *= factor) {
      steps.push([{ n }, usual]);
      if (pace !== "host") steps.push([{ n, residence: "upload" }, best]);
    }
    return steps;
  },
  /** Calls that are measured one by one, awaited and, if possible, synchronous. */
  calls: ({ quick, pace, called, fast }) =>
    CALL_SIZES[quick ? "quick" : "full"]
      .filter((exponent) => pace !== "software" || exponent <= MOST_SOFTWARE_CALL)
      .flatMap((exponent): Step[] => [
        [{ n: 2 ** exponent }, called],
        [{ n: 2 ** exponent, call: "count" }, fast],
      ]),
  types: (field) =>
    (isShort(field) ? (["f32"] as const) : (["u16", "u32", "f32", "f64"] as const)).map((type) => [
      { type, n: samplesOf(type, field.centre.n) },
      field.usual,
    ]),
  bins: (field) =>
    (isShort(field) ? [1024] : BINS).map((bins) => [
      { type: "u16", n: samplesOf("u16", field.centre.n), bins },
      field.usual,
    ]),
  residence: ({ best }) => (["upload", "file"] as const).map((residence) => [{ residence }, best]),
  k: ({ quick, every }) => {
    const trish = every.filter(({ algorithm }) => algorithm === "trish");
    return quick ? [] : KS.map((k): Step => [{ variant: `k=${k}`, k }, trish]);
  },
};

/** SwiftShader takes seconds to compile a kernel for each type and axis, so a quick run has few of them. */
function isShort({ quick, pace }: Field): boolean {
  return quick && pace === "software";
}

function ours({ id, threads }: Side, algorithm: string): Contestant {
  return { backend: id, algorithm, peer: null, residence: "resident", ...(threads && { threads }) };
}

function everyAlgorithm(sides: readonly Side[], pace: Pace): Contestant[] {
  const here = sides.filter((side) => side.pace === pace);
  return here.flatMap((side) => side.algorithms.map((slug) => ours(side, slug)));
}

/** Peers join the CPU's backends. Peers with a GPU join the GPU's backends if one of ours has that GPU, too. */
function peersOf(peers: readonly PeerKind[], pace: Pace, sides: readonly Side[]): Contestant[] {
  if (pace === "software") return [];
  const hasGpu = pacesOf(sides).includes("gpu");
  const here = peers.filter(({ gpu }) => (pace === "host" ? !(gpu && hasGpu) : gpu));
  const place = { backend: null, algorithm: null, residence: "resident" } as const;
  return here.map(({ name, threads }) => ({ ...place, peer: name, ...(pace === "host" && { threads }) }));
}

function pacesOf(sides: readonly Side[]): Pace[] {
  return (["host", "gpu", "software"] as const).filter((pace) => sides.some((side) => side.pace === pace));
}

function samplesOf(type: Data["type"], bytes: number): number {
  return bytes / bytesOf({ type, n: 1 });
}
