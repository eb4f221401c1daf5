import { type Axis, type Engine, type Grouped, integer, type Resident, regular } from "@polybin/core";
import { GROUPS, JOINT_DISTRIBUTIONS, JOINT_TILE, JointTile } from "../data/joint-tile.ts";
import { differenceOf } from "../data/tile.ts";
import { CUPY, cupyJoint, overCupy } from "../peers/cupy.ts";
import type { Bench } from "../runner/bench.ts";
import { spreadsOf } from "../runner/spreads.ts";
import { IMITATED } from "../runner/target.ts";

/** Samples of a line: two columns of bytes as the claims are stated, and fewer of others, which take as long. */
const MANY = 2 ** 30;
const FEWER = 2 ** 28;
const FEW = 2 ** 27;
const SOFTWARE = 2 ** 20;

type Column = "x" | "y" | "z" | "rgb" | "pairs" | "codes" | "fx" | "fy" | "mask";
type Columns = Readonly<Record<Column, Resident | Uint8Array | Uint16Array | Float32Array>>;

/** The result of a call: counts of bins, and how long the device took. */
interface Counts {
  readonly algorithm: string | null;
  readonly counts: ArrayLike<number>;
  readonly timings: { readonly kernelMs: number; readonly totalMs: number } | null;
}

type Call = (engine: Engine, of: Columns, timings: boolean) => Promise<Counts>;

/** A line of the benchmark: columns over axes. */
interface Line {
  readonly type: string;
  readonly variant: string;
  readonly bins: number;
  readonly bytes: number;
  readonly samples: number;
  readonly columns: readonly Column[];
  readonly call: Call;
}

/** Makes a line of columns over axes, one each. */
function joint(
  type: string,
  columns: readonly Column[],
  axes: readonly Axis[],
  size: Pick<Line, "bytes" | "samples">,
): Line {
  const variant = axes.map(({ bins }) => bins).join(" x ");
  const bins = axes.reduce((cells, axis) => cells * axis.bins, 1);
  const call: Call = async (engine, of, timings) =>
    engine.joint(
      columns.map((name) => of[name]),
      { axes, timings },
    );
  return { type, variant, bins, columns, call, ...size };
}

/** Makes a line of one column in groups. */
function groups(type: string, column: "z" | "fy", axis: Axis, size: Pick<Line, "bytes" | "samples">): Line {
  const call: Call = async (engine, { codes, [column]: values }, timings) => {
    const found: Grouped = await engine.histogram(values, { by: { codes, groups: GROUPS }, axis, timings });
    const { algorithm, timings: times } = found.joint;
    return { counts: found.counts, algorithm, timings: times };
  };
  const shape = {
    variant: `${GROUPS} groups`,
    bins: axis.bins * GROUPS,
    columns: ["codes", column] as const,
  };
  return { type, ...shape, call, ...size };
}

const bytes = (bins: number): Axis => regular(bins, 0, 256);
const unit = (bins: number): Axis => regular(bins, 0, 1);
const CUBE = [bytes(16), bytes(16), bytes(16)];

const LINES: readonly Line[] = [
  joint("2 x u8", ["x", "y"], [integer(0, 256), integer(0, 256)], { bytes: 2, samples: MANY }),
  joint("2 x u8", ["x", "y"], [bytes(64), bytes(64)], { bytes: 2, samples: MANY }),
  joint("3 x u8", ["x", "y", "z"], CUBE, { bytes: 3, samples: FEWER }),
  {
    ...{ type: "u8 and mask", variant: "256", bins: 256, bytes: 2, samples: FEWER, columns: ["x", "mask"] },
    call: async (engine, { x, mask }, timings) =>
      engine.histogram(x, { mask: mask as Resident, axis: integer(0, 256), timings }),
  },
  {
    ...joint("rgb8", ["rgb"], CUBE, { bytes: 3, samples: FEWER }),
    call: async (engine, { rgb }, timings) => {
      const picture = rgb instanceof Uint8Array ? { data: rgb, channels: 3 } : rgb;
      return engine.joint(picture as Resident, { channels: [0, 1, 2], axes: CUBE, timings });
    },
  },
  joint("2 x f32", ["fx", "fy"], [unit(100), unit(100)], { bytes: 8, samples: FEW }),
  groups("u16, u8", "z", bytes(64), { bytes: 3, samples: FEWER }),
  groups("u16, f32", "fy", unit(64), { bytes: 6, samples: FEW }),
  {
    ...{ type: "u16", variant: "one axis", bins: 65_536, bytes: 2, samples: FEWER, columns: ["pairs"] },
    call: async (engine, { pairs }, timings) =>
      engine.histogram(pairs, { axis: integer(0, 65_536), timings }),
  },
];

/** Measures the kernels of several columns on a GPU, over nine joint distributions, and CuPy on two of them. */
export async function joints(bench: Bench): Promise<void> {
  const { engine, report } = bench;
  const software = IMITATED.test(engine.device);
  for (const name of JOINT_DISTRIBUTIONS) {
    if (!bench.hasTime(`joint histograms, ${name}`)) continue;
    const tile = new JointTile(name);
    const residents = new Map<string, Resident>();
    try {
      for (const line of LINES) {
        const samples = Math.max(JOINT_TILE, software ? SOFTWARE : line.samples);
        const what = `${line.type}, ${line.variant}, ${name}`;
        await measure(bench, tile, { ...line, samples }, residents).catch((error: Error) =>
          report.lose(what, error),
        );
      }
    } finally {
      for (const resident of residents.values()) await resident.free();
    }
  }
  if (bench.target.id === "cuda") {
    await cupyJoint(bench);
    report.note(`times ${CUPY}`, overCupy(report.rows));
  }
  const spreads = spreadsOf(report.rows).map((of) => [`${of.type}, ${of.variant}`, of.worstOverBest]);
  report.note("worst over best", Object.fromEntries(spreads));
}

async function measure(
  bench: Bench,
  tile: JointTile,
  { type, variant, bins, bytes: each, samples, columns, call }: Line,
  residents: Map<string, Resident>,
): Promise<void> {
  const { engine, oracle } = bench;
  const own = {} as Record<Column, Resident>;
  for (const name of columns) own[name] = await resident(bench, tile, name, samples, residents);
  let truth: number[] | undefined;
  const exact = async () => {
    if (truth === undefined) {
      const { counts } = await call(oracle, tile, false);
      truth = Array.from(counts, (count) => count * (samples / JOINT_TILE));
    }
    return truth;
  };
  await bench.contest<Counts>(`${type}, ${variant}, ${tile.name}`, {
    row: { algorithm: null, variant, type, bins, n: samples, distribution: tile.name, residence: "resident" },
    more: ({ algorithm }) => ({ algorithm }),
    ...{ bytes: samples * each, ceiling: await bench.ceiling(samples * each) },
    call: () => call(engine, own, true),
    wrong: async (found) => differenceOf(await exact(), found.counts),
    time: ({ timings }) => timings!.kernelMs,
    plain: () => call(engine, own, false),
  });
}

/** Uploads a column, unless an earlier line did. */
async function resident(
  bench: Bench,
  tile: JointTile,
  name: Column,
  samples: number,
  residents: Map<string, Resident>,
): Promise<Resident> {
  const key = `${name} ${samples}`;
  const known = residents.get(key);
  if (known !== undefined) return known;
  const column = tile[name];
  const each = column.length / JOINT_TILE;
  const memory = bench.host(samples * each * column.BYTES_PER_ELEMENT);
  const data = tile.lay(column as Uint8Array, memory, samples);
  const made = await bench.engine.upload(name === "rgb" ? { data, channels: 3 } : data);
  residents.set(key, made);
  return made;
}
