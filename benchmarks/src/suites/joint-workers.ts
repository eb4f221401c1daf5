import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cpu, type Engine, openEngine, regular } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { WrongUse } from "../command/wrong-use.ts";
import { JOINT_DISTRIBUTIONS, type JointDistribution, jointFloats } from "../data/joint-floats.ts";
import { type JointPeer, jointPeers } from "../peers/joint.ts";
import { provenance } from "../runner/machine.ts";
import { median } from "../runner/statistics.ts";

const AXIS = regular(100, 0, 1);

/**
 * Measures the joint histogram of two columns of floats on workers, alternately with the same loop in C, NumPy's histogram2d
 * and fast-histogram. Times are nanoseconds per pair, on the clock and of all processors together. On a busy machine only
 * the second ones can be compared.
 *
 * All cells are compared first. C counts the same cells, flow included. NumPy compares f64 edges, and fast-histogram none,
 * so the report has the number of pairs that they count elsewhere.
 */
export async function benchJointWorkers(args: readonly string[]): Promise<string> {
  const { pairs, rounds, distributions, python, out } = optionsOf(args);
  const folder = mkdtempSync(join(tmpdir(), "polybin-joint-"));
  const files = [join(folder, "x"), join(folder, "y")] as const;
  const engines = await Promise.all([1, 2].map((threads) => openEngine({ backend: piscina({ threads }) })));
  const oracle = await openEngine({ backend: cpu() });
  const peers = jointPeers(files, pairs, folder, python);
  const rows: JointRow[] = [];
  try {
    for (const distribution of distributions) {
      const columns = [0, 1].map(() => new Float32Array(new SharedArrayBuffer(4 * pairs)));
      jointFloats(columns[0]!, columns[1]!, distribution);
      for (const [i, file] of files.entries()) writeFileSync(file, columns[i]!);
      const row = await measure({ distribution, pairs, rounds }, columns, engines, oracle, peers);
      rows.push(row);
      console.log(lineOf(row));
    }
  } finally {
    for (const { peer } of peers) peer.close();
    await Promise.all([...engines, oracle].map((engine) => engine.close()));
    rmSync(folder, { recursive: true });
  }
  if (out !== undefined) writeFileSync(out, `${JSON.stringify({ ...provenance(), rows }, null, 1)}\n`);
  return out ?? "";
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

function optionsOf(args: readonly string[]) {
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
  return {
    pairs: positive(values.pairs),
    rounds: positive(values.rounds),
    distributions: values.distributions.split(",").map((name) => {
      const found = JOINT_DISTRIBUTIONS.find((one) => one === name);
      if (found !== undefined) return found;
      throw new WrongUse(`expected names of ${JOINT_DISTRIBUTIONS.join(", ")} but received ${name}`);
    }),
    python: values.python,
    out: values.out,
  };
}

function positive(text: string): number {
  const value = Number(text);
  if (!(Number.isInteger(value) && value > 0))
    throw new WrongUse(`expected a whole number above 0 but received ${text}`);
  return value;
}

/** Counts once and returns the milliseconds on the clock and of the processors. */
type Run = () => Promise<readonly [number, number]>;

async function measure(
  cell: Cell,
  columns: readonly Float32Array[],
  engines: readonly Engine[],
  oracle: Engine,
  peers: readonly JointPeer[],
): Promise<JointRow> {
  const axes = [AXIS, AXIS];
  const [x, y] = columns as readonly [Float32Array, Float32Array];
  const plain = columns.map((column) => Float32Array.from(column)) as [Float32Array, Float32Array];
  const expected = await oracle.joint([x, y], { axes });
  const runs: Record<string, Run> = {};
  for (const [i, engine] of engines.entries()) {
    const name = `polybin, ${i + 1} worker${i === 0 ? "" : "s"}`;
    const places = { [name]: [x, y] as const, [`${name}, ordinary memory`]: plain };
    for (const [place, data] of Object.entries(places)) {
      const found = await engine.joint(data, { axes });
      checkSame(place, expected.cells, found.cells);
      runs[place] = timed(() => engine.joint(data, { axes }));
    }
  }
  const elsewhere: Record<string, number> = {};
  for (const { name, peer, method, isExact } of peers) {
    await peer.load();
    runs[name] = async () => (await peer.calls(1, 1, method)) as unknown as readonly [number, number];
    await runs[name]();
    const counts = await peer.counts();
    if (isExact) checkSame(name, expected.cells, counts);
    else elsewhere[name] = differences(expected.counts, counts);
  }
  const times = new Map(
    Object.keys(runs).map((name) => [name, { ns: [] as number[], cpuNs: [] as number[] }]),
  );
  for (let round = -2; round < cell.rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      // NumPy takes as long as all others together.
      if (name.startsWith("numpy") && round >= cell.rounds / 5) continue;
      const [ms, cpuMs] = await run();
      if (round < 0) continue;
      times.get(name)!.ns.push((ms * 1e6) / cell.pairs);
      times.get(name)!.cpuNs.push((cpuMs * 1e6) / cell.pairs);
    }
  }
  const medians = (of: "ns" | "cpuNs") =>
    Object.fromEntries([...times].map(([name, found]) => [name, median(found[of])]));
  return { ...cell, ns: medians("ns"), cpuNs: medians("cpuNs"), elsewhere };
}

function timed(call: () => Promise<unknown>): Run {
  return async () => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await call();
    const { user, system } = process.cpuUsage(before);
    return [performance.now() - start, (user + system) / 1e3];
  };
}

function checkSame(name: string, expected: ArrayLike<number>, found: ArrayLike<number>): void {
  const wrong = Array.from(expected).findIndex((count, cell) => count !== found[cell]);
  if (wrong >= 0) {
    throw new Error(
      `NOT EXACT: ${name}, cell ${wrong}: expected ${expected[wrong]} but received ${found[wrong]}`,
    );
  }
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
