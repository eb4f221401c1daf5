import { shapeOf } from "../../axes/cell.ts";
import type { Distribution } from "../../data/distributions.ts";
import type { Shape } from "../../data/tile.ts";
import { type Case, caseOf } from "../cpu/cases.ts";

const F64 = shapeOf("f64");
const RGBA: Shape = { type: "u8", top: 256, channels: 4 };
const BINS = 100;
const BYTES = 256;
/** Doubles of 10 GB, in whole tiles of the samples. */
const FILE = 1192 * 2 ** 20;
const QUICK = 2 ** 12;

function task(shape: Shape, bins: number, n: number, distribution: Distribution, more: Partial<Case>): Case {
  return caseOf(shape, bins, [{ n, distribution, field: "task" }], more);
}

/** The tasks of a CPU, by the names that rows and pages use. */
const ON_CPU: readonly Case[] = [
  task(RGBA, BYTES, 4000 * 3000, "picture", { name: "picture", wanted: 3 }),
  task(F64, BINS, 1e7, "uniform", { name: "column" }),
  task(F64, BINS, 1e7, "uniform", { name: "groups", groups: 1000 }),
  task(F64, BINS, FILE, "uniform", { name: "file", streamed: true }),
];

/** The task of a GPU: the channels of a frame that lies in its memory. */
export const FRAME: Pick<Case, "name" | "shape" | "bins"> & { readonly n: number } = {
  ...{ name: "frame", shape: RGBA, bins: BYTES, n: 1920 * 1080 },
};

/** The names of all tasks. */
export const TASKS: readonly string[] = [...ON_CPU.map(({ name }) => name), FRAME.name];

/** Returns the tasks of a CPU, on tiny data if they only have to run. */
export function casesOf(quick: boolean): readonly Case[] {
  if (!quick) return ON_CPU;
  return ON_CPU.map((one) => ({ ...one, cells: one.cells.map((cell) => ({ ...cell, n: QUICK })) }));
}
