import type { Chunk } from "@polybin/columns";
import { type Axis, type JointHistogram, PolybinError } from "@polybin/core";
import { cellsOf, exactSum } from "../cells.ts";
import { cellsOfJoint, extentOf } from "../joint-cells.ts";
import { MAX_JOINT_CELLS } from "../limits.ts";
import type { Payload } from "../payload.ts";
import { type Counting, maskOf, type Rows, type ShardCounter, valuesOf } from "./counter.ts";

/** Counts two columns together. A row in which one of both is null is masked. */
export class JointCounter implements ShardCounter {
  readonly #axes: readonly Axis[];
  readonly #counting: Counting;
  /** All cells, and the masked rows behind them. */
  readonly #cells: Float64Array;
  #rows = 0;

  constructor(axes: readonly Axis[], counting: Counting) {
    const cells = cellsOfJoint(axes);
    if (cells > MAX_JOINT_CELLS) {
      throw new PolybinError(
        "ERR_LIMIT",
        `expected at most ${MAX_JOINT_CELLS} cells, flow included, but the axes have ${cells}; use fewer bins`,
      );
    }
    this.#axes = axes;
    this.#counting = counting;
    this.#cells = new Float64Array(cells + 1);
  }

  async add({ rows, columns }: Rows): Promise<void> {
    const { engine, options, signal, onCounted } = this.#counting;
    const mask = bothOf(columns[0]!, columns[1]!);
    const given = {
      ...options,
      axes: this.#axes,
      signal,
      ...(mask === null ? {} : { mask: { bits: mask } }),
    };
    const joint: JointHistogram = await engine.joint([valuesOf(columns[0]!), valuesOf(columns[1]!)], given);
    onCounted?.(joint);
    this.#rows += rows;
    this.#add(joint);
  }

  take(): Payload {
    const row = { group: null, cells: cellsOf(this.#cells) };
    return {
      count: "joint",
      rows: this.#rows,
      columns: [{ strings: null, rows: row.cells.cells.length === 0 ? [] : [row] }],
    };
  }

  /** The engine leaves out the flow of an axis if no sample of the type can be outside of it. */
  #add({ cells, extents, masked }: JointHistogram): void {
    const own = extentOf(this.#axes[1]!);
    for (let cell = 0; cell < cells.length; cell++) {
      if (cells[cell] === 0) continue;
      const to = Math.floor(cell / extents[1]!) * own + (cell % extents[1]!);
      this.#cells[to] = exactSum(this.#cells[to]!, cells[cell]!);
    }
    const last = this.#cells.length - 1;
    this.#cells[last] = exactSum(this.#cells[last]!, masked);
  }
}

/** One bit for each row in which both chunks have a value. Null if all have. */
function bothOf(a: Chunk, b: Chunk): Uint8Array | null {
  const [first, second] = [maskOf(a), maskOf(b)] as { readonly bits: Uint8Array }[];
  if (first === undefined || second === undefined) return (first ?? second)?.bits ?? null;
  return first.bits.map((bits, i) => bits & second.bits[i]!);
}
