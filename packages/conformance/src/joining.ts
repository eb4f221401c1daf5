import type { Axis, JointColumnInput, JointHistogram, JointOptions, SampleType } from "@polybin/core";
import { edgesOf, type SampleArray } from "@polybin/core/backend";
import { describeAxis } from "./axes.ts";
import type { Context } from "./case.ts";
import type { Checker } from "./checker.ts";
import { aroundAxis } from "./generators.ts";
import { edgesUpTo } from "./oracle/codes.ts";
import { Random } from "./random.ts";

/** One column: its samples without gaps, and its axis. */
export interface Column {
  readonly type: SampleType;
  readonly values: SampleArray;
  readonly axis: Axis;
}

/** Returns samples around an axis as a column. */
export function columnAround(type: SampleType, axis: Axis, n: number, seed = 1): Column {
  return { type, axis, values: aroundAxis(axis, type, n, seed) };
}

/** Which samples are counted, as plain arrays. */
export interface Chosen {
  /** One number per sample that is not 0. */
  readonly mask?: ArrayLike<number> | undefined;
  readonly where?: Uint32Array | undefined;
}

/** The expected cells: every axis has its bins, underflow, overflow and NaN. */
export interface ExpectedCells {
  readonly cells: Float64Array;
  readonly masked: number;
}

/** Rows of an axis after its bins: underflow, overflow, NaN. */
const FLOW = 3;

/** Counts by the definition, in a plain loop over the samples. It shares only the edges with the engine. */
export function cellsByDefinition(columns: readonly Column[], chosen: Chosen = {}): ExpectedCells {
  const cells = new Float64Array(cellsOf(columns));
  const { placed, masked } = placedByDefinition(columns, chosen);
  for (const { cell } of placed) cells[cell]!++;
  return { cells, masked };
}

/** Returns the number of cells if every axis has its bins and three rows of flow. */
export function cellsOf(columns: readonly Column[]): number {
  return columns.reduce((product, { axis }) => product * (axis.bins + FLOW), 1);
}

/** Returns the cell of every counted sample, and the number of the others. */
export function placedByDefinition(
  columns: readonly Column[],
  { mask, where }: Chosen = {},
): {
  readonly placed: readonly { readonly sample: number; readonly cell: number }[];
  readonly masked: number;
} {
  const codes = columns.map(codesByDefinition);
  const all = where ?? Uint32Array.from({ length: columns[0]!.values.length }, (_, i) => i);
  const kept = all.filter((sample) => mask === undefined || mask[sample] !== 0);
  const placed = Array.from(kept, (sample) => {
    const cell = codes.reduce((at, of, k) => at * (columns[k]!.axis.bins + FLOW) + of[sample]!, 0);
    return { sample, cell };
  });
  return { placed, masked: all.length - kept.length };
}

/** Returns the bin of every sample, or bins + 0 for underflow, + 1 for overflow, + 2 for NaN. */
function codesByDefinition({ type, values, axis }: Column): Uint32Array {
  const edges = edgesOf(axis, type);
  const { bins } = axis;
  const isOpen = axis.type === "integer";
  const last = edges[bins]!;
  return Uint32Array.from(values as ArrayLike<number>, (x) => {
    if (Number.isNaN(x)) return bins + 2;
    if (x < edges[0]!) return bins;
    if (x > last || (isOpen && x === last)) return bins + 1;
    return Math.min(bins - 1, edgesUpTo(edges, x) - 1);
  });
}

/** Compares every cell of a result, its bins and every projection onto one axis. */
export function checkCells(
  check: Checker,
  what: string,
  found: JointHistogram,
  columns: readonly Column[],
  expected: ExpectedCells,
): void {
  const { cells, shape, extents } = found;
  check.same(`${what}: shape`, String(shape), String(columns.map(({ axis }) => axis.bins)));
  check.sameNumbers(`${what}: cells`, widened(cells, extents, shape), expected.cells);
  check.sameNumbers(`${what}: counts`, found.counts, insideOf(expected.cells, shape));
  check.same(`${what}: masked`, found.masked, expected.masked);
  const total = (of: Float64Array) => of.reduce((sum, count) => sum + count, 0);
  check.same(`${what}: flow`, found.flow, total(expected.cells) - total(found.counts));
}

/** Gives every axis three cells of flow. */
export function widened(
  cells: Float64Array,
  extents: readonly number[],
  shape: readonly number[],
): Float64Array {
  const out = new Float64Array(shape.reduce((product, bins) => product * (bins + FLOW), 1));
  for (let cell = 0; cell < cells.length; cell++) {
    if (cells[cell] === 0) continue;
    let rest = cell;
    let to = 0;
    let stride = 1;
    for (let k = shape.length - 1; k >= 0; k--) {
      to += (rest % extents[k]!) * stride;
      rest = Math.floor(rest / extents[k]!);
      stride *= shape[k]! + FLOW;
    }
    out[to]! += cells[cell]!;
  }
  return out;
}

/** Returns the cells of the bins alone. */
function insideOf(cells: Float64Array, shape: readonly number[]): Float64Array {
  const out = new Float64Array(shape.reduce((product, bins) => product * bins, 1));
  for (let at = 0; at < out.length; at++) {
    let rest = at;
    let from = 0;
    let stride = 1;
    for (let k = shape.length - 1; k >= 0; k--) {
      from += (rest % shape[k]!) * stride;
      rest = Math.floor(rest / shape[k]!);
      stride *= shape[k]! + FLOW;
    }
    out[at] = cells[from]!;
  }
  return out;
}

/** Returns bytes. About half of them are 0, and the others are any number. */
export function maskOf(n: number, seed: number): Uint8Array {
  const random = new Random(seed);
  return Uint8Array.from({ length: n }, () => (random.bits() & 1 ? 1 + random.below(255) : 0));
}

/** Returns a mask as bits, the first sample in the lowest bit. Bits after the last sample are 1, which nobody counts. */
export function bitsOfMask(mask: ArrayLike<number>): Uint8Array {
  const bits = new Uint8Array(Math.ceil(mask.length / 8)).fill(0xff);
  for (let i = 0; i < mask.length; i++) if (mask[i] === 0) bits[i >> 3]! &= ~(1 << (i & 7));
  return bits;
}

/** How a call passes what it counts, if not as plain arrays. */
export interface Passed {
  readonly inputs?: readonly JointColumnInput[];
  readonly options?: JointOptions;
  readonly chosen?: Chosen;
}

/** Counts columns together and compares every cell. It notes the refusal of a backend that cannot. */
export async function checkJoint(
  { engine, check }: Context,
  what: string,
  columns: readonly Column[],
  { inputs = columns.map(({ values }) => values), options = {}, chosen }: Passed = {},
): Promise<void> {
  const axes = columns.map(({ axis }) => axis);
  const types = columns.map(({ type, values }) => `${values.length} ${type}`);
  const name = `${what}, ${options.algorithm ?? "auto"}, ${types.join(" x ")}, ${axes.map(describeAxis).join(" x ")}`;
  await check.unlessRefused(name, async () => {
    const found = await engine.joint(inputs, { ...options, axes, by: undefined });
    checkCells(check, name, found, columns, cellsByDefinition(columns, chosen));
    check.same(`${name}: backend`, found.backend, engine.backend);
    const { algorithm = "auto" } = options;
    if (algorithm !== "auto") check.same(`${name}: algorithm`, found.algorithm, algorithm);
  });
}

/** Returns true if the backend counts several columns. Otherwise it notes the backend's sentence as a refusal. */
export async function hasJoint({ engine, check }: Context): Promise<boolean> {
  let counted = false;
  await check.unlessRefused("two columns", async () => {
    const found = await engine.joint([Uint8Array.of(1), Uint8Array.of(2)]);
    check.same("one sample", found.sum({ flow: true }), 1);
    counted = true;
  });
  return counted;
}
