import { type Engine, type Histogram, integer, openEngine } from "@polybin/core";
import { save } from "../../data/save.ts";
import { difference, Tile, type Truth } from "../../data/tile.ts";
import { PEERS, type PeerKind } from "../../peers/process.ts";
import { type Caller, callAgain, measureCalls, type Pace } from "../../runner/calls.ts";
import type { Report } from "../../runner/report.ts";
import { Scope } from "../../runner/scope.ts";
import { TARGETS, type Target } from "../../runner/target.ts";
import { fileOf } from "../cpu/contestants.ts";
import { FRAME } from "./cases.ts";

const WANTED = [0, 1, 2] as const;
const AXIS = integer(0, FRAME.bins);
/** Python's libraries that count on a GPU. */
const LIBRARIES = ["cupy", "pytorch"];

const ROW: Omit<Caller["row"], "backend" | "algorithm"> = {
  ...{ type: FRAME.name, bins: FRAME.bins, n: FRAME.n },
  ...({ distribution: "picture", residence: "resident", call: "count" } as const),
};
const BYTES = FRAME.n * FRAME.shape.channels;

/** Returns the names of the targets whose GPU is real, with their devices. */
async function realGpus(): Promise<(readonly [Target, device: string])[]> {
  const probed = Object.values(TARGETS).map(async (target) => {
    const found = await target.backend().probe();
    return found.available && found.software !== true ? [[target, found.device] as const] : [];
  });
  return (await Promise.all(probed)).flat();
}

/** Returns the name of this machine's GPU; null if it has none. */
export async function gpuOf(): Promise<string | null> {
  return (await realGpus())[0]?.[1] ?? null;
}

interface FrameBench {
  readonly scratch: string;
  /** Counts by the reference. */
  readonly oracle: Engine;
  readonly pace: Pace;
}

/** Measures calls over a frame in the memory of a GPU, through every backend that has one, and of other libraries. */
export async function frameOnGpus(report: Report, { scratch, oracle, pace }: FrameBench): Promise<void> {
  const gpus = await realGpus();
  if (gpus.length === 0) return report.miss(`${FRAME.name}: this machine has no GPU`);
  await using scope = new Scope();
  const tile = Tile.of(FRAME.shape, "picture");
  const truth = await tile.counts(oracle, FRAME.n, { axis: AXIS, channels: [...WANTED] });
  const own = await Promise.all(
    gpus.map(([target, device]) => ownCaller(scope, target, device, tile, truth)),
  );
  save(fileOf(scratch), tile.lay(new Uint8Array(BYTES), FRAME.n));
  const others = PEERS.filter(({ name }) => LIBRARIES.includes(name)).map((kind) =>
    libraryCaller(scope, kind, scratch, truth).catch((error: Error) => {
      report.miss(`${kind.name}, ${FRAME.name}: ${error.message}`);
      return [];
    }),
  );
  await measureCalls(report, [...own, ...(await Promise.all(others)).flat()], pace);
}

async function ownCaller(
  scope: Scope,
  { id, backend }: Target,
  device: string,
  tile: Tile,
  truth: Truth,
): Promise<Caller> {
  const engine = scope.own(await openEngine({ backend: backend() }));
  const { channels, type } = FRAME.shape;
  const counter = await engine.prepare({ type, axis: AXIS, interleaved: channels, channels: [...WANTED] });
  const resident = await engine.upload({ data: tile.lay(new Uint8Array(BYTES), FRAME.n), channels });
  let found: readonly Histogram[] = [];
  return {
    get row() {
      return { ...ROW, backend: id, device, algorithm: found[0]?.algorithm ?? null };
    },
    bytes: BYTES,
    burst: (most, seconds) =>
      callAgain(
        async () => {
          found = [await counter.count(resident)].flat();
        },
        most,
        seconds,
      ),
    wrong: async () => difference(truth, found),
  };
}

/** Starts a library whose samples lie on the GPU. @throws if it has none */
async function libraryCaller(scope: Scope, kind: PeerKind, scratch: string, truth: Truth): Promise<Caller[]> {
  const { name } = kind;
  const why = kind.absent(scratch);
  if (why !== null) throw new Error(why);
  const words = [`channels=${FRAME.shape.channels}`, `wanted=${WANTED.length}`];
  const { type, top: hi } = FRAME.shape;
  const job = { file: fileOf(scratch), n: FRAME.n, type, bins: FRAME.bins, lo: 0, hi, words };
  const peer = scope.own(kind.start(job, scratch));
  await peer.load();
  const device = await peer.where();
  if (device === "cpu") throw new Error("it found no GPU");
  const expected = truth.flatMap(({ counts }) => Array.from(counts));
  return [
    {
      row: { ...ROW, backend: null, algorithm: null, peer: name, device },
      bytes: BYTES,
      burst: (most, seconds) => peer.calls(most, Math.max(seconds, 1e-9)),
      wrong: async () => {
        const counts = await peer.counts();
        const at = expected.findIndex((count, i) => counts[i] !== count);
        return at < 0 ? null : `count ${at}: expected ${expected[at]} but received ${counts[at]}`;
      },
    },
  ];
}
