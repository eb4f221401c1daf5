import type { Engine } from "@polybin/core";
import type { Peer } from "../../peers/process.ts";
import { type Caller, measureCalls, type Pace } from "../../runner/calls.ts";
import type { Report } from "../../runner/report.ts";
import type { Call, Row } from "../../runner/row.ts";
import { Scope } from "../../runner/scope.ts";
import { bytesOf, type Case, type Cell } from "./cases.ts";
import { type Contestant, fileOf, takesPart } from "./contestants.ts";
import { type Samples, writeSamples } from "./samples.ts";

/** The parts of every measurement of a case. */
export interface Bench {
  readonly of: Case;
  readonly report: Report;
  /** Counts by the reference. */
  readonly oracle: Engine;
  readonly scratch: string;
  readonly pace: Pace;
  /** Calls, and at most seconds, in which a new process compiles its code. */
  readonly compile: { readonly calls: number; readonly seconds: number };
}

/** The largest share of samples that a peer with other edges may find in other bins. */
const MOST_OFF = 1e-3;
/** The mean of |weight|. */
const MEAN_WEIGHT = 0.5;

/** Processes that stay for all cells of a case, except those that must not hold samples. */
export class Processes extends Scope {
  readonly #running = new Map<Contestant, Peer>();

  of(contestant: Contestant): Peer {
    const known = this.#running.get(contestant);
    if (known !== undefined) return known;
    const peer = this.own(contestant.start());
    this.#running.set(contestant, peer);
    return peer;
  }

  has(contestant: Contestant): boolean {
    return this.#running.has(contestant);
  }
}

/** Measures a cell of all its contestants, which alternate, unless each must be alone. */
export async function measureCell(
  bench: Bench,
  cell: Cell,
  contestants: readonly Contestant[],
  processes: Processes,
): Promise<void> {
  const { of, oracle, scratch, report, pace } = bench;
  const samples = await writeSamples(of, cell, oracle, fileOf(scratch));
  const some = contestants.filter((one) => takesPart(one, of, cell));
  if (cell.field === "alone") {
    for (const contestant of some) {
      await using scope = new Scope();
      const loaded = await load(bench, cell, contestant, scope.own(contestant.start()));
      if (loaded === null) continue;
      await measureCalls(report, callersOf(bench, cell, samples, loaded), pace);
    }
    return;
  }
  const all = await Promise.all(
    some.map(async (one) => {
      const isNew = !processes.has(one);
      const loaded = await load(bench, cell, one, processes.of(one));
      if (isNew && loaded !== null) await warmUp(bench, loaded);
      return loaded;
    }),
  );
  const callers = all.flatMap((one) => (one === null ? [] : callersOf(bench, cell, samples, one)));
  await measureCalls(report, callers, pace);
}

interface Loaded {
  readonly contestant: Contestant;
  readonly peer: Peer;
}

/** Lets a contestant read the samples. Reports why it cannot. */
async function load(
  { of, report, scratch }: Bench,
  { n }: Cell,
  contestant: Contestant,
  peer: Peer,
): Promise<Loaded | null> {
  try {
    await peer.data(fileOf(scratch), n);
    return { contestant, peer };
  } catch (error) {
    report.missOnce(`${contestant.name}, ${of.name}: ${(error as Error).message}`);
    return null;
  }
}

/**
 * Calls until the code of a process is compiled. Its first samples are the fewest of its case. Nothing is timed, so all
 * processes do it at once.
 */
async function warmUp({ compile }: Bench, { contestant, peer }: Loaded): Promise<void> {
  // A program that fails here fails again where its reason is reported.
  for (const call of contestant.calls) await peer.calls(compile.calls, compile.seconds, call).catch(() => {});
}

function callersOf({ of }: Bench, cell: Cell, samples: Samples, { contestant, peer }: Loaded): Caller[] {
  const { name, shape, bins, weighted } = of;
  const { row, calls, isPlain = false } = contestant;
  const truth = isPlain ? samples.plain : samples.counts;
  const isOwn = row.peer === null;
  const isSum = weighted && !isPlain;
  const cells = of.columns === 2 ? bins * bins : bins * (of.groups ?? 1);
  const type = { type: name, bins: cells, n: cell.n };
  const bytes = bytesOf(isPlain ? { ...of, weighted: false } : of, cell.n);
  return calls.map((call: Call): Caller => {
    let more: Partial<Omit<Row, "call">> = {};
    return {
      get row() {
        const { distribution } = cell;
        const residence = of.streamed ? "file" : "resident";
        const place = { distribution, residence, call } as const;
        return { backend: null, algorithm: null, ...row, ...type, ...place, ...more };
      },
      bytes,
      burst: (most, seconds) => peer.calls(most, Math.max(seconds, 1e-9), call),
      wrong: async () => {
        const found = await peer.counts();
        const { wrong, offBy } = judge(truth, found, { isSum, isExact: isOwn && row.variant !== "fast", of });
        if (isOwn) more = { ...(await peer.about()), grownBytes: await peer.grown() };
        if (offBy > 0) more = { ...more, exact: false, offBy };
        return wrong;
      },
    };
  });

  /** Ignores what a peer does not count: samples outside the bins. */
  function judge(
    expected: readonly number[],
    found: readonly number[],
    how: { readonly isSum: boolean; readonly isExact: boolean; readonly of: Case },
  ): { readonly wrong: string | null; readonly offBy: number } {
    const length = how.isExact ? expected.length : found.length;
    const at = Array.from({ length }, (_, i) => i).find((i) => expected[i] !== found[i]);
    if (at === undefined) return { wrong: null, offBy: 0 };
    const wrong = `number ${at} of the result: expected ${expected[at]} but received ${found[at]}`;
    if (how.isExact || shape.type.startsWith("u") || shape.type.startsWith("i")) return { wrong, offBy: 0 };
    const off = found.map((value, i) => Math.abs(value - expected[i]!));
    const offBy = how.isSum
      ? Math.max(...off.map((value, i) => (value === 0 ? 0 : value / (samples.plain[i]! * MEAN_WEIGHT))))
      : off.reduce((sum, value) => sum + value, 0) / 2 / cell.n;
    return offBy <= MOST_OFF ? { wrong: null, offBy } : { wrong, offBy };
  }
}
