import type { Setup } from "./setup.ts";

/** The exports of search.as.ts and its neighbours: the numbers by which samples find rows. */
export interface Lanes {
  lanes_direct(low: number, high: number, row: number): void;
  /** Its parameters are those of a line, in their order. */
  lanes_line(...line: readonly number[]): void;
  lanes_keys(base: number, last: number, shift: number): void;
  lanes_search(half: number, thresholds: number): void;
}

/** Loads the numbers of a set-up. Its thresholds and starts are loaded apart. */
export function loadLanes(
  wasm: Lanes,
  { direct, line, keys, search }: Pick<Setup, "direct" | "line" | "keys" | "search">,
): void {
  if (direct !== null) wasm.lanes_direct(direct.low, direct.high, direct.row);
  if (line !== null) {
    wasm.lanes_line(line.low, line.high, line.nan, line.origin, line.scale, line.bias, line.last);
  }
  if (keys !== null) wasm.lanes_keys(keys.base, keys.last, keys.shift);
  if (search !== null) wasm.lanes_search(search.half, search.thresholds);
}
