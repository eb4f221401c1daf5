import { jsonLines, python } from "../programs/lines.ts";
import type { Bench } from "../runner/bench.ts";
import { peerRow } from "../runner/moved.ts";
import type { Row } from "../runner/row.ts";

export const CUPY = "cupy.histogramdd";

/** CuPy converts columns to doubles and keeps several copies, so that it gets fewer samples. */
const SAMPLES = 2 ** 26;
const ROUNDS = 7;
const SECONDS = 0.5;

/** A line of peers/cupy_joint.py. */
interface Line {
  readonly variant: string;
  readonly columns: number;
  readonly bins: number;
  readonly distribution: string;
  readonly n: number;
  readonly ms: readonly number[];
  readonly exact: boolean;
}

/** Measures CuPy's histograms of several columns in a separate program. */
export async function cupyJoint(bench: Bench): Promise<void> {
  const { report } = bench;
  if (!bench.hasTime(CUPY)) return;
  const rounds = Math.min(ROUNDS, bench.options.rounds);
  const args = [`--rounds=${rounds}`, `--seconds=${SECONDS}`, `--samples=${SAMPLES}`];
  await jsonLines<Line>(
    report,
    CUPY,
    () => python("cupy_joint.py", ...args),
    async (line) => {
      const { variant, columns, bins, distribution, n, ms, exact } = line;
      const bytes = n * columns;
      report.add(
        peerRow({
          ...{ peer: CUPY, variant: `${variant}, ${shown(columns, bins)}`, type: `${columns} x u8` },
          ...{ bins: bins ** columns, n, distribution, ms, exact, bytes },
          ceiling: await bench.ceiling(bytes),
        }),
      );
    },
  );
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
