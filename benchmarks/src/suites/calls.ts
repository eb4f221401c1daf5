import { type Engine, integer, openEngine } from "@polybin/core";
import { DISTRIBUTIONS, type Values } from "../data/distributions.ts";
import { BYTES, Tile } from "../data/tile.ts";
import { DawnFloor } from "../peers/dawn.ts";
import { PeerPool, peerCaller } from "../peers/pool.ts";
import type { Bench } from "../runner/bench.ts";
import { type CallPlace, callersOn } from "../runner/call-cells.ts";
import { type Caller, callAgain, measureCalls, type Pace } from "../runner/calls.ts";
import { movedRow } from "../runner/moved.ts";
import type { Row } from "../runner/row.ts";
import { Scope } from "../runner/scope.ts";
import { IMITATED } from "../runner/target.ts";
import { aSecond, bySize, CUB_ON_DEVICE, CUB_ON_HOST, ratios } from "../tables/calls.ts";
import { wantedOf, wantedText } from "../tables/wanted.ts";
import { cubKernels } from "./cub.ts";
import { PER_LANE } from "./sweeps.ts";

const AXIS = integer(0, 256);
/** Number of generated samples. Larger data repeat them. */
const TILE_SAMPLES = 2 ** 22;
/** The fewest sorted samples, which consist of levels with equal counts. */
const SORTED_LEAST = 2 ** 16;
/** How long every call is measured, and the share of that time for each distribution other than uniform. */
const PACE: Pace = { most: 500, seconds: 0.1, turns: 4 };
const OTHERS_SHARE = 0.5;
/** The largest data for many calls at once. Larger ones only wait for the kernels and would take seconds. */
const MOST_TOGETHER = 2 ** 26;
/** The pace of a software device. */
const SOFTWARE_PACE: Pace = { most: 5, seconds: 0.01, turns: 1 };

/** The sizes for one kind of device, as powers of two. */
interface Plan {
  /** Sizes of uniform bytes, with every kind of call. */
  readonly sizes: readonly number[];
  /** Sizes of the other distributions, with the plain kinds of call. */
  readonly others: readonly number[];
  /** Sizes of uniform bytes in host memory. */
  readonly host: readonly number[];
}
const PLANS: Readonly<Record<"cuda" | "webgpu" | "software", Plan>> = {
  cuda: {
    sizes: [6, 10, 13, 16, 18, 20, 22, 24, 26, 28, 30, 32],
    others: [16, 20, 22, 24, 26, 28, 30],
    host: [6, 10, 13, 16, 18, 20, 22, 24, 26, 28, 30],
  },
  webgpu: {
    sizes: [6, 10, 13, 16, 18, 20, 22, 24, 26, 28, 30],
    others: [16, 22, 28],
    host: [6, 10, 16, 20, 24, 28],
  },
  // A software device takes milliseconds per call. This only shows that everything runs.
  software: { sizes: [6, 10], others: [10], host: [10] },
};

/** Everything that the cells share. */
interface Setup {
  readonly bench: Bench;
  /** An engine as a program opens it. The bench's own engine reports kernel times. */
  readonly engine: Engine;
  readonly peers: CallPeers | null;
  readonly pace: Pace;
  readonly software: boolean;
}

/**
 * Measures whole calls until the counts are on the host: by size, distribution and kind of call, from device memory and
 * host memory. Also measures the kernels alone, the plain copies, and other programs' calls.
 */
export async function calls(bench: Bench): Promise<void> {
  const { target, report } = bench;
  await using engine = await openEngine({ backend: target.backend() });
  const software = IMITATED.test(engine.device);
  const plan = PLANS[software ? "software" : target.id];
  await using scope = new Scope();
  const peers = software ? null : scope.own(new CallPeers(bench, scope.folder()));
  const before = target.sleeps && !software ? { before: () => bench.between() } : {};
  const pace = { ...(software ? SOFTWARE_PACE : PACE), ...before };
  const setup: Setup = { bench, engine, peers, pace, software };
  if (target.id === "webgpu") await floor(setup);
  for (const distribution of DISTRIBUTIONS) {
    const tile = Tile.of(BYTES, distribution, Math.min(TILE_SAMPLES, 2 ** Math.max(...plan.sizes)));
    const exponents = distribution === "uniform" ? plan.sizes : plan.others;
    if (distribution === "sorted" && 2 ** exponents[0]! < SORTED_LEAST) continue;
    for (const exponent of exponents) await guarded(setup, "resident", tile, 2 ** exponent, resident);
    if (distribution !== "uniform") continue;
    for (const exponent of plan.host) await guarded(setup, "the host's", tile, 2 ** exponent, fromHost);
    if (target.id === "cuda") await cubKernels(bench, plan.sizes, plan.others);
  }
  const wanted = wantedOf(report.rows, target.id);
  report.note("what calls should come to", wanted);
  printTables(report.rows);
  if (!software) console.log(`\n${wantedText(wanted).join("\n")}`);
}

/** Prints summary tables of the rows. */
function printTables(rows: readonly Row[]): void {
  const of = { rows, basis: "calls" } as const;
  const [ours, done, home] = ["`@polybin/cuda`, countSync", CUB_ON_DEVICE, CUB_ON_HOST] as const;
  const tables = [
    bySize(of),
    aSecond(of),
    ratios({ rows, basis: "kernels" }, "`@polybin/cuda`, per-lane", "CUB"),
  ];
  tables.push(ratios(of, ours, done), ratios(of, "`@polybin/cuda`, count", home));
  tables.push(bySize({ ...of, residence: "upload" }));
  for (const table of tables) if (table.length > 0) console.log(`\n${table.join("\n")}`);
}

/** Measures a cell if time is left. The suite continues if it fails. */
async function guarded(
  setup: Setup,
  where: string,
  tile: Tile,
  bytes: number,
  measure: (setup: Setup, tile: Tile, bytes: number) => Promise<void>,
): Promise<void> {
  const what = `calls on ${where} ${tile.name}, n = ${bytes}`;
  if (!setup.bench.hasTime(what)) return;
  await measure(setup, tile, bytes).catch((error: Error) => setup.bench.report.lose(what, error));
}

async function resident(setup: Setup, tile: Tile, bytes: number): Promise<void> {
  const { bench, engine, peers, software, pace } = setup;
  if (bench.target.id !== "cuda") {
    await using timed = await bench.load(tile, bytes);
    await bench.measure(timed, PER_LANE);
  }
  await using loaded = await bench.load(tile, bytes, engine);
  const isUniform = tile.name === "uniform";
  const data = { tile, n: bytes, bytes, axis: AXIS, truth: () => loaded.truth(PER_LANE) };
  const many = isUniform ? { many: software ? 0 : MOST_TOGETHER } : {};
  const place = { input: loaded.resident, residence: "resident", ...many } as const;
  await using ours = await callersOn(bench.report, engine, data, [place]);
  const theirs = (await peers?.onGpu(tile, bytes)) ?? [];
  const seconds = pace.seconds * (isUniform ? 1 : OTHERS_SHARE);
  await measureCalls(bench.report, [...ours.callers, ...theirs], { ...pace, seconds });
}

/** Measures calls from ordinary and from page-locked memory, and plain copies of the same size. */
async function fromHost({ bench, engine, peers, pace }: Setup, tile: Tile, bytes: number): Promise<void> {
  const isCuda = bench.target.id === "cuda";
  const rounds = bytes <= 2 ** 24 ? 101 : 15;
  const own = engine.allocate(bytes);
  const places: (CallPlace & { readonly input: Values })[] = [];
  for (const [memory, from] of [
    ["pageable", new Uint8Array(bytes)],
    [isCuda ? "pinned" : "allocated", own],
  ] as const) {
    const input = tile.lay(from, bytes);
    // Only CUDA's bus can be measured.
    const ceiling = isCuda && memory !== "allocated" ? await bench.copyCeiling(bytes, memory, rounds) : null;
    places.push({ memory, input, ceiling, residence: "upload" } as const);
  }
  const data = { tile, n: bytes, bytes, axis: AXIS, truth: () => tile.counts(bench.oracle, bytes, {}) };
  await using ours = await callersOn(bench.report, engine, data, places);
  // The host's own copy, from ordinary memory to the engine's.
  const copy = () => own.set(places[0]!.input as Uint8Array);
  await callAgain(copy, 100, PACE.seconds / 4);
  const ms = await callAgain(copy, PACE.most, PACE.seconds);
  const place = { memory: "pageable", variant: "memcpy on the host", residence: "upload" } as const;
  bench.report.add(movedRow("copy", bytes, ms, { ...place, ceilingPercent: null }));
  const theirs = (await peers?.onHost(tile, bytes)) ?? [];
  await measureCalls(bench.report, [...ours.callers, ...theirs], pace);
}

/** Measures Dawn's floor. */
async function floor({ bench, pace }: Setup): Promise<void> {
  using dawn = await DawnFloor.open();
  await measureCalls(bench.report, [dawn.caller(1), dawn.caller(256)], pace);
}

/** Exponents of each peer's sizes. Some need seconds to count large data, and longer to read them. */
const CUB = { uniform: [6, 30], others: [16, 30] } as const;
const PYTHON = { uniform: [10, 30], others: [22, 28] } as const;
const STEP = 6;
const HOST_MOST = 2 ** 24;
/** CUB's calls end when the device is done, or when the counts are in host memory. */
const CUB_WAYS = [
  ["done", "until the device is done"],
  ["home", "counts at home"],
] as const;

/** Peers on the GPU and on the host, each in a process that stays. */
class CallPeers {
  readonly #bench: Bench;
  readonly #gpu: PeerPool;
  readonly #host: PeerPool;
  #written = { name: "", size: 0 };

  constructor(bench: Bench, scratch: string) {
    this.#bench = bench;
    const job = { type: "u8", bins: 256, lo: 0, hi: 256 };
    const onGpu = bench.target.id === "cuda" ? ["cub", "cupy", "pytorch"] : [];
    this.#gpu = new PeerPool(bench.report, scratch, job, onGpu);
    const loops = ["", "checks the range"];
    this.#host = new PeerPool(bench.report, scratch, job, ["c", "numpy", "opencv"], loops);
  }

  /** Makes callers of the peers on the GPU, with the data there. */
  onGpu(tile: Tile, bytes: number): Promise<Caller[]> {
    return this.#callers(this.#gpu, tile, bytes, { residence: "resident" });
  }

  /** Makes callers of the peers on the host. */
  async onHost(tile: Tile, bytes: number): Promise<Caller[]> {
    if (bytes > HOST_MOST) return [];
    return this.#callers(this.#host, tile, bytes, { residence: "upload", memory: "pageable" });
  }

  async #callers(pool: PeerPool, tile: Tile, bytes: number, where: Pick<Row, "residence" | "memory">) {
    const callers: Caller[] = [];
    for (const entrant of pool.entrants) {
      const { peer, variant } = entrant;
      if (
        pool === this.#gpu &&
        !isIn(peer.name, tile.name === "uniform" ? "uniform" : "others", Math.log2(bytes))
      )
        continue;
      this.#write(pool, tile, bytes);
      if (!(await pool.load(entrant, bytes, `${tile.name}, n = ${bytes}`))) continue;
      const row = { type: "u8", bins: 256, n: bytes, distribution: tile.name, variant, ...where };
      const of = { row, bytes, truth: () => tile.counts(this.#bench.oracle, bytes, {}) };
      if (peer.name !== "cub") callers.push(peerCaller(peer, of));
      else
        for (const [word, way] of CUB_WAYS)
          callers.push(peerCaller(peer, { ...of, word, row: { ...row, variant: way } }));
    }
    return callers;
  }

  /** Writes the peers' data, unless the file begins with them already. Only sorted data of different sizes differ. */
  #write(pool: PeerPool, tile: Tile, bytes: number): void {
    const { name, size } = this.#written;
    if (name === tile.name && name !== "sorted" && size >= bytes) return;
    this.#written = { name: tile.name, size: bytes };
    pool.write(tile.lay(this.#bench.host(bytes), bytes));
  }

  [Symbol.dispose](): void {
    this.#gpu[Symbol.dispose]();
    this.#host[Symbol.dispose]();
  }
}

/** Whether a peer on the GPU takes part with this size. */
function isIn(name: string, distribution: "uniform" | "others", exponent: number): boolean {
  const [least, most] = (name === "cub" ? CUB : PYTHON)[distribution];
  if (exponent < least || exponent > most) return false;
  return name === "cub" || (exponent - least) % STEP === 0 || exponent === most;
}
