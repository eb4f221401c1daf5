import { shapeOf } from "../../axes/cell.ts";
import { DISTRIBUTIONS, type Distribution } from "../../data/distributions.ts";
import { JOINT_DISTRIBUTIONS, type JointDistribution } from "../../data/joint-floats.ts";
import { xorshift } from "../../data/random.ts";
import { pixelBytes, type Shape } from "../../data/tile.ts";

/**
 * The contestants of a cell. `few` are those whose comparison depends on the data. `large` are those that can count hundreds
 * of mebibytes. `alone` are a few, one after the other, so that a single copy of gibibytes lies in memory. `task` are the
 * programs that people know, at any size.
 */
export type Field = "all" | "few" | "large" | "alone" | "task";

/** One size of one distribution. */
export interface Cell {
  /** Samples, pixels or pairs. */
  readonly n: number;
  readonly distribution: Distribution | JointDistribution;
  readonly field: Field;
}

/** A request without its samples. Every contestant has a process that counts nothing else. */
export interface Case {
  /** The type in words, for rows and for `--types`. */
  readonly name: string;
  readonly shape: Shape;
  readonly bins: number;
  /** Channels that are counted, if there are several. */
  readonly wanted: number;
  /** Columns that are counted together. */
  readonly columns: 1 | 2;
  /** Uneven edges in place of equal bins. */
  readonly edges?: readonly number[];
  /** Whether the samples have weights. */
  readonly weighted: boolean;
  /** Groups that are counted apart, if there are some. */
  readonly groups?: number;
  /** Whether every call reads its samples from a file of NumPy. */
  readonly streamed?: true;
  readonly cells: readonly Cell[];
}

const BINS = 256;
const SHAPES = (["u8", "f32", "f64", "u16", "i16", "u32", "i32"] as const).map(shapeOf);
const [U8, F32, F64, U16] = SHAPES as [Shape, Shape, Shape, Shape];
/** Pixels of a frame of video, and of a photograph. */
const FRAME = 1280 * 720;
const PHOTOGRAPH = 24e6;
const WEIGHTED = 5e6;
/** Exponents of sizes in bytes. */
const SIZES = [6, 12, 16, 20, 22, 24];
const OTHERS = [16, 24];

const samplesOf = (shape: Shape, exponent: number) => 2 ** exponent / pixelBytes(shape);
const others = DISTRIBUTIONS.filter((one) => one !== "uniform");

/** Makes a case of a shape. */
export function caseOf(shape: Shape, bins: number, cells: readonly Cell[], more: Partial<Case> = {}): Case {
  return { name: shape.type, shape, bins, wanted: 1, columns: 1, weighted: false, cells, ...more };
}

function uniform(shape: Shape, exponents: readonly number[], field: Field): Cell[] {
  return exponents.map((exponent) => ({ n: samplesOf(shape, exponent), distribution: "uniform", field }));
}

function cross(sizes: readonly number[], distributions: readonly Cell["distribution"][]): Cell[] {
  return sizes.flatMap((n) =>
    distributions.map((distribution) => ({ n, distribution, field: "few" as const })),
  );
}

/** Returns edges at random distances over [0, 1], which 32-bit floats represent. */
function unevenEdges(bins: number): number[] {
  const next = xorshift(0x2545f491);
  const inner = Array.from({ length: bins - 1 }, () => Math.fround(next()));
  return [0, ...inner.toSorted((a, b) => a - b), 1];
}

const edges = unevenEdges(100);
const named = (name: string, sizes: readonly number[], distributions: readonly Cell["distribution"][]) => ({
  name,
  cells: [
    ...sizes.map((n) => ({ n, distribution: "uniform", field: "all" }) as const),
    ...cross(
      sizes,
      distributions.filter((one) => one !== "uniform"),
    ),
  ],
});
/** Sorted pixels would be sorted by channel. */
const ofPixels = DISTRIBUTIONS.filter((one) => one !== "sorted");
const pixels = (channels: number): Shape => ({ type: "u8", top: 2 ** 8, channels });

/** The cells of the suite, the most important cases first. */
export const CASES: readonly Case[] = [
  ...SHAPES.map((shape) =>
    caseOf(shape, BINS, [
      ...uniform(shape, SIZES, "all"),
      ...cross(
        OTHERS.map((exponent) => samplesOf(shape, exponent)),
        others,
      ),
      ...(shape === U8 ? uniform(shape, [26], "all") : []),
      ...uniform(shape, [28], "large"),
      ...(shape === U8 ? uniform(shape, [30, 31, 32], "alone") : []),
    ]),
  ),
  caseOf(pixels(4), BINS, [], { ...named("rgb of rgba8", [FRAME], ofPixels), wanted: 3 }),
  caseOf(pixels(3), BINS, [], { ...named("rgb8", [PHOTOGRAPH], ["uniform", "picture"]), wanted: 3 }),
  caseOf(F32, 100, [], { ...named("2 x f32", [2 ** 20], JOINT_DISTRIBUTIONS), columns: 2 }),
  caseOf(F32, BINS, [], { ...named("f32 with weights", [WEIGHTED], ["uniform", "gauss"]), weighted: true }),
  caseOf(F32, 100, named("", [2 ** 14, 2 ** 22], DISTRIBUTIONS).cells),
  caseOf(F64, 100, named("", [2 ** 13, 2 ** 21], DISTRIBUTIONS).cells),
  caseOf(U16, 2 ** 16, named("", [2 ** 16, 2 ** 23], DISTRIBUTIONS).cells),
  caseOf(F32, 100, [], { ...named("f32 edges", [2 ** 14, 2 ** 22], DISTRIBUTIONS), edges }),
  caseOf(F64, 100, [], { ...named("f64 edges", [2 ** 13, 2 ** 21], ["uniform", "gauss"]), edges }),
];

/** One small cell of each case, which shows that the suite runs. */
export const QUICK: readonly Case[] = CASES.map((one) => ({
  ...one,
  cells: [{ ...one.cells[0]!, n: 2 ** 12, field: "all" }],
}));

/** The names of the cases. */
export const NAMES: readonly string[] = [...new Set(CASES.map(({ name }) => name))];

/** Seconds in which the programs of a case start. */
const START_SECONDS = 2;
/** Bytes that a cell's programs count in a second, and the seconds of a cell apart from its bytes. */
const BYTES_A_SECOND: Readonly<Record<Field, number>> = {
  all: 1e7,
  few: 1e8,
  large: 2e7,
  alone: 1e8,
  task: 1e7,
};
const SECONDS: Readonly<Record<Field, number>> = { all: 2.5, few: 0.8, large: 1.5, alone: 4, task: 10 };

/** Estimates the time of a case in seconds, which only its relation to other cases uses. */
export function costOf(of: Case): number {
  return of.cells.reduce(
    (sum, { n, field }) => sum + SECONDS[field] + (bytesOf(of, n) + of.bins * 100) / BYTES_A_SECOND[field],
    START_SECONDS,
  );
}

/** Returns the bytes of a cell's samples. */
export function bytesOf({ shape, columns, weighted, groups }: Case, n: number): number {
  return n * (pixelBytes(shape) * columns + (weighted ? 4 : 0) + (groups === undefined ? 0 : 2));
}
