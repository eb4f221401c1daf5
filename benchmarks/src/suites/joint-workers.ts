import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Backend, cpu, type Engine, openEngine, regular } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { JOINT_DISTRIBUTIONS, type JointDistribution, jointFloats } from "../data/joint-floats.ts";
import { type JointPeer, jointPeers } from "../peers/joint.ts";
import { Scope } from "../runner/scope.ts";
import { checkSame, known, mediansInTurns, positive, saved } from "./in-turns.ts";

const AXES = [regular(100, 0, 1), regular(100, 0, 1)];

/**
 * Measures the joint histogram of two columns of floats on workers, alternately with the same loop in C, NumPy's histogram2d
 * and fast-histogram. Times are nanoseconds per pair, on the clock and of all processors together. On a busy machine only
 * the second ones can be compared.
 *
 * All cells are compared first. C counts the same cells, flow included. NumPy compares f64 edges, and fast-histogram none,
 * so the report has the number of pairs that they count elsewhere.
 */
export async function benchJointWorkers(args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pairs: { type: "string", default: String(2 ** 22) },
      rounds: { type: "string", default: "15" },
      distributions: { type: "string", default: JOINT_DISTRIBUTIONS.join() },
      python: { type: "string", default: "python3" },
      out: { type: "string" },
    },
  });
  const [pairs, rounds] = [values.pairs, values.rounds].map((text) => positive(text, "a whole number")) as [
    number,
    number,
  ];
  const distributions = known(values.distributions, JOINT_DISTRIBUTIONS);
  await using scope = new Scope();
  const folder = scope.folder();
  const files = [join(folder, "x"), join(folder, "y")] as const;
  const open = async (backend: Backend) => scope.own(await openEngine({ backend }));
  const engines = await Promise.all([1, 2].map((threads) => open(piscina({ threads }))));
  const oracle = await open(cpu());
  const peers = jointPeers(files, pairs, folder, values.python);
  for (const { peer } of peers) scope.own(peer);
  const rows: JointRow[] = [];
  for (const distribution of distributions) {
    const columns = [0, 1].map(() => new Float32Array(new SharedArrayBuffer(4 * pairs)));
    const [x, y] = columns as [Float32Array, Float32Array];
    jointFloats(x, y, distribution);
    for (const [i, file] of files.entries()) writeFileSync(file, columns[i]!);
    const row = await measure({ distribution, pairs, rounds }, [x, y], { engines, oracle, peers });
    rows.push(row);
    console.log(lineOf(row));
  }
  return saved(values.out, rows);
}

interface Cell {
  readonly distribution: JointDistribution;
  readonly pairs: number;
  readonly rounds: number;
}

/** Medians by contestant. */
interface JointRow extends Cell {
  readonly ns: Readonly<Record<string, number>>;
  readonly cpuNs: Readonly<Record<string, number>>;
  /** Pairs that a contestant counts in another cell, if it does not promise the same cells. */
  readonly elsewhere: Readonly<Record<string, number>>;
}

interface Contestants {
  readonly engines: readonly Engine[];
  readonly oracle: Engine;
  readonly peers: readonly JointPeer[];
}

/** Counts once and returns the milliseconds on the clock and of the processors. */
type Run = () => Promise<readonly number[]>;

async function measure(
  cell: Cell,
  columns: readonly [Float32Array, Float32Array],
  { engines, oracle, peers }: Contestants,
): Promise<JointRow> {
  const plain = columns.map((column) => Float32Array.from(column));
  const expected = await oracle.joint([...columns], { axes: AXES });
  const runs: Record<string, Run> = {};
  for (const [i, engine] of engines.entries()) {
    const name = `polybin, ${i + 1} worker${i === 0 ? "" : "s"}`;
    for (const [place, data] of Object.entries({
      [name]: [...columns],
      [`${name}, ordinary memory`]: plain,
    })) {
      const found = await engine.joint(data, { axes: AXES });
      checkSame(place, expected.cells, found.cells);
      runs[place] = timed(() => engine.joint(data, { axes: AXES }));
    }
  }
  const elsewhere: Record<string, number> = {};
  for (const { name, peer, method, isExact } of peers) {
    await peer.load();
    runs[name] = () => peer.calls(1, 1, method);
    await runs[name]();
    const counts = await peer.counts();
    if (isExact) checkSame(name, expected.cells, counts);
    else elsewhere[name] = differences(expected.counts, counts);
  }
  const medians = await mediansInTurns(runs, [-2, cell.rounds], async (run, name, round) => {
    // NumPy takes as long as all others together.
    if (name.startsWith("numpy") && round >= cell.rounds / 5) return null;
    return (await run()).map((ms) => (ms * 1e6) / cell.pairs);
  });
  const of = (i: number) => Object.fromEntries([...medians].map(([name, found]) => [name, found[i]!]));
  return { ...cell, ns: of(0), cpuNs: of(1), elsewhere };
}

function timed(call: () => Promise<unknown>): Run {
  return async () => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await call();
    const { user, system } = process.cpuUsage(before);
    return [performance.now() - start, (user + system) / 1e3];
  };
}

function differences(expected: ArrayLike<number>, found: ArrayLike<number>): number {
  return Array.from(expected).reduce((sum, count, cell) => sum + Math.abs(count - found[cell]!), 0) / 2;
}

function lineOf({ distribution, ns, cpuNs, elsewhere }: JointRow): string {
  const all = Object.keys(ns).map((name) => {
    const off = elsewhere[name] ? `, ${elsewhere[name]} elsewhere` : "";
    return `${name} ${ns[name]!.toFixed(2)} (${cpuNs[name]!.toFixed(2)}${off})`;
  });
  return `${distribution}, ns per pair (of the processors): ${all.join("; ")}`;
}
