import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Bench } from "../runner/bench.ts";
import type { Row } from "../runner/row.ts";
import { percentOf, throughput } from "../runner/statistics.ts";
import { pythonLines } from "./python.ts";

export const CUPY = "cupy.histogramdd";

/** Places of the program: next to the bundled one, or in the checkout. */
const PROGRAM = ["./cupy_joint.py", "../../peers/cupy_joint.py"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find(existsSync);
/** CuPy converts columns to doubles and keeps several copies, so that it gets fewer samples. */
const SAMPLES = 2 ** 26;
const ROUNDS = 7;
const SECONDS = 0.5;

/** A line of peers/cupy_joint.py. */
type Line =
  | {
      readonly variant: string;
      readonly columns: number;
      readonly bins: number;
      readonly distribution: string;
      readonly n: number;
      readonly ms: readonly number[];
      readonly exact: boolean;
    }
  | { readonly missing: string };

/** Measures CuPy's histograms of several columns in a separate program. */
export async function cupyJoint(bench: Bench): Promise<void> {
  const { report } = bench;
  if (!bench.hasTime(CUPY)) return;
  if (PROGRAM === undefined) {
    report.miss(`${CUPY}: expected cupy_joint.py but it does not exist; npm run gpu:bundle packs it`);
    return;
  }
  const rounds = Math.min(ROUNDS, bench.options.rounds);
  const args = [PROGRAM, `--rounds=${rounds}`, `--seconds=${SECONDS}`, `--samples=${SAMPLES}`];
  const reason = await pythonLines(args, async (line) => {
    const parsed = JSON.parse(line) as Line;
    if ("missing" in parsed) return report.miss(parsed.missing);
    const { variant, columns, bins, distribution, n, ms, exact } = parsed;
    const bytes = n * columns;
    const gbps = throughput(bytes, ms);
    report.add({
      ...{ backend: null, algorithm: null, peer: CUPY, variant: `${variant}, ${shown(columns, bins)}` },
      ...{
        type: `${columns} x u8`,
        bins: bins ** columns,
        n,
        distribution,
        residence: "resident",
        ms,
        gbps,
        exact,
      },
      ceilingPercent: percentOf(gbps, await bench.ceiling(bytes)),
    });
  });
  if (reason !== null) report.miss(`${CUPY}, cells after the last row: ${reason}`);
}

function shown(columns: number, bins: number): string {
  return Array(columns).fill(bins).join(" x ");
}

/** For each shape and distribution of both, how many times as fast ours is as CuPy's fastest function. */
export function overCupy(rows: readonly Row[]): Readonly<Record<string, number>> {
  const factors: Record<string, number> = {};
  for (const ours of rows.filter(({ backend }) => backend !== null)) {
    const theirs = rows.filter(
      ({ peer, type, bins, distribution }) =>
        peer === CUPY && type === ours.type && bins === ours.bins && distribution === ours.distribution,
    );
    if (theirs.length === 0) continue;
    const best = Math.max(...theirs.map(({ gbps }) => gbps));
    factors[`${ours.type}, ${ours.variant}, ${ours.distribution}`] = ours.gbps / best;
  }
  return factors;
}
