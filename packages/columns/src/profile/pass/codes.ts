import type { Axis } from "@polybin/core";
import { edgesOf } from "@polybin/core/backend";

/** Cells over the range of the edges. Each cell knows its first edge. */
const CELLS = 256;

/** Finds the code of a value: the number of edges that are not above it. */
export class Codes {
  readonly #edges: Float64Array;
  readonly #first: number;
  readonly #last: number;
  readonly #perWidth: number;
  readonly #starts = new Uint16Array(CELLS);

  constructor(axis: Axis) {
    const edges = edgesOf(axis, "f64");
    const { length } = edges;
    this.#edges = edges;
    [this.#first, this.#last] = [edges[0]!, edges[length - 1]!];
    const perWidth = CELLS / (this.#last - this.#first);
    // In the narrowest and the widest ranges no cell can be computed.
    this.#perWidth = Number.isFinite(perWidth) && perWidth > 0 ? perWidth : 0;
    const cells = Array.from(edges, (edge) => this.#cellOf(edge));
    for (let cell = 0, code = 0; cell < CELLS; cell++) {
      // All edges of the cells before are not above a value of this one.
      while (code < length && cells[code]! < cell) code++;
      this.#starts[cell] = code;
    }
  }

  codeOf(value: number): number {
    const edges = this.#edges;
    if (!(value >= this.#first)) return 0;
    if (value >= this.#last) return edges.length;
    let code = this.#starts[this.#cellOf(value)]!;
    while (edges[code]! <= value) code++;
    return code;
  }

  /** Ascends with the value. */
  #cellOf(value: number): number {
    return Math.min(CELLS - 1, Math.trunc((value - this.#first) * this.#perWidth));
  }
}
