import { type Axis, type Engine, type Grouped, integer, type Resident, regular } from "@polybin/core";
import { IMITATED } from "../axes/sides.ts";
import { GROUPS, JOINT_DISTRIBUTIONS, JOINT_TILE, JointTile } from "../data/joint-tile.ts";
import { CUPY, cupyJoint, overCupy } from "../peers/cupy.ts";
import type { Bench } from "../runner/bench.ts";
import { spreadsOf } from "../runner/row.ts";

/** Samples of a line: two columns of bytes as the claims are stated, and fewer of others, which take as long. */
const MANY = 2 ** 30;
const FEWER = 2 ** 28;
const FEW = 2 ** 27;
const SOFTWARE = 2 ** 20;

type Column = "x" | "y" | "z" | "rgb" | "pairs" | "codes" | "fx" | "fy" | "mask";

/** The result of a call: counts of bins, and how long the device took. */
interface Found {
  readonly algorithm: string | null;
  readonly counts: ArrayLike<number>;
  readonly timings: { readonly kernelMs: number; readonly totalMs: number } | null;
}

/** A line of the benchmark: columns over axes. */
interface Line {
  readonly type: string;
  readonly variant: string;
  readonly bins: number;
  readonly bytes: number;
  readonly samples: number;
  readonly columns: readonly Column[];
  call(engine: Engine, of: Of, timings: boolean): Promise<Found>;
}
type Of = Readonly<Record<Column, Input>>;
type Input = Resident | Uint8Array | Uint16Array | Float32Array;

const joint =
  (columns: readonly Column[], axes: readonly Axis[]) => async (engine: Engine, of: Of, timings: boolean) =>
    engine.joint(
      columns.map((name) => of[name]),
      { axes, timings },
    );

const bytes = (bins: number): Axis => regular(bins, 0, 256);
const unit = (bins: number): Axis => regular(bins, 0, 1);

const LINES: readonly Line[] = [
  {
    ...{ type: "2 x u8", variant: "256 x 256", bins: 65_536, bytes: 2, samples: MANY, columns: ["x", "y"] },
    call: joint(["x", "y"], [integer(0, 256), integer(0, 256)]),
  },
  {
    ...{ type: "2 x u8", variant: "64 x 64", bins: 4096, bytes: 2, samples: MANY, columns: ["x", "y"] },
    call: joint(["x", "y"], [bytes(64), bytes(64)]),
  },
  {
    ...{
      type: "3 x u8",
      variant: "16 x 16 x 16",
      bins: 4096,
      bytes: 3,
      samples: FEWER,
      columns: ["x", "y", "z"],
    },
    call: joint(["x", "y", "z"], [bytes(16), bytes(16), bytes(16)]),
  },
  {
    ...{ type: "u8 and mask", variant: "256", bins: 256, bytes: 2, samples: FEWER, columns: ["x", "mask"] },
    call: async (engine, { x, mask }, timings) =>
      engine.histogram(x, { mask: mask as Resident, axis: integer(0, 256), timings }),
  },
  {
    ...{ type: "rgb8", variant: "16 x 16 x 16", bins: 4096, bytes: 3, samples: FEWER, columns: ["rgb"] },
    call: async (engine, { rgb }, timings) => {
      const picture = rgb instanceof Uint8Array ? { data: rgb, channels: 3 } : rgb;
      return engine.joint(picture as Resident, {
        channels: [0, 1, 2],
        axes: [bytes(16), bytes(16), bytes(16)],
        timings,
      });
    },
  },
  {
    ...{
      type: "2 x f32",
      variant: "100 x 100",
      bins: 10_000,
      bytes: 8,
      samples: FEW,
      columns: ["fx", "fy"],
    },
    call: joint(["fx", "fy"], [unit(100), unit(100)]),
  },
  {
    ...{
      type: "u16, u8",
      variant: `${GROUPS} groups`,
      bins: 64 * GROUPS,
      bytes: 3,
      samples: FEWER,
      columns: ["codes", "z"],
    },
    call: async (engine, { codes, z }, timings) =>
      grouped(await engine.histogram(z, { by: { codes, groups: GROUPS }, axis: bytes(64), timings })),
  },
  {
    ...{
      type: "u16, f32",
      variant: `${GROUPS} groups`,
      bins: 64 * GROUPS,
      bytes: 6,
      samples: FEW,
      columns: ["codes", "fy"],
    },
    call: async (engine, { codes, fy }, timings) =>
      grouped(await engine.histogram(fy, { by: { codes, groups: GROUPS }, axis: unit(64), timings })),
  },
  {
    ...{ type: "u16", variant: "one axis", bins: 65_536, bytes: 2, samples: FEWER, columns: ["pairs"] },
    call: async (engine, { pairs }, timings) =>
      engine.histogram(pairs, { axis: integer(0, 65_536), timings }),
  },
];

/** The fields of a histogram per group that a row needs. */
function grouped({ counts, joint: { algorithm, timings } }: Grouped): Found {
  return { counts, algorithm, timings };
}

/** Measures the kernels of several columns on a GPU, over nine joint distributions, and CuPy on two of them. */
export async function joints(bench: Bench): Promise<void> {
  const { engine, report } = bench;
  const software = IMITATED.test(engine.device);
  for (const name of JOINT_DISTRIBUTIONS) {
    if (!bench.hasTime(`joint histograms, ${name}`)) continue;
    const tile = new JointTile(name);
    const residents = new Map<string, Resident>();
    try {
      for (const line of LINES) await measure(bench, tile, line, residents, software);
    } finally {
      for (const resident of residents.values()) await resident.free();
    }
  }
  if (bench.target.id === "cuda") {
    await cupyJoint(bench);
    report.note(`times ${CUPY}`, overCupy(report.rows));
  }
  report.note(
    "worst over best",
    Object.fromEntries(spreadsOf(report.rows).map((of) => [`${of.type}, ${of.variant}`, of.worstOverBest])),
  );
}

async function measure(
  bench: Bench,
  tile: JointTile,
  line: Line,
  residents: Map<string, Resident>,
  software: boolean,
): Promise<void> {
  const { engine, oracle, report } = bench;
  const { type, variant, bins } = line;
  const samples = Math.max(JOINT_TILE, software ? SOFTWARE : line.samples);
  const what = `${type}, ${variant}, ${tile.name}`;
  try {
    const own = {} as Record<Column, Input>;
    for (const name of line.columns) own[name] = await resident(bench, tile, name, samples, residents);
    const times = samples / JOINT_TILE;
    let truth: Promise<Found> | undefined;
    await bench.contest<Found>(what, {
      call: () => line.call(engine, own, true),
      wrong: async (found) => {
        truth ??= line.call(oracle, tile, false);
        return difference((await truth).counts, times, found.counts);
      },
      time: ({ timings }) => timings!.kernelMs,
      plain: () => line.call(engine, own, false),
      row: ({ algorithm }) => ({
        ...{
          algorithm,
          variant,
          type,
          bins,
          n: samples,
          distribution: tile.name,
          residence: "resident" as const,
        },
      }),
      bytes: samples * line.bytes,
      ceiling: await bench.ceiling(samples * line.bytes),
    });
  } catch (error) {
    report.lose(what, error as Error);
  }
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

function difference(tile: ArrayLike<number>, times: number, found: ArrayLike<number>): string | null {
  for (let cell = 0; cell < tile.length; cell++) {
    if (found[cell] !== tile[cell]! * times) {
      return `cell ${cell}: expected ${tile[cell]! * times} but received ${found[cell]}`;
    }
  }
  return null;
}
