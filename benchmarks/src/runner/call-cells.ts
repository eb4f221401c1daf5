import type { Axis, Engine } from "@polybin/core";
import type { Tile, Truth } from "../data/tile.ts";
import type { Caller } from "./calls.ts";
import { type CounterCell, callerOf, isTooMuch, refusesSync, TOGETHER, type Way } from "./counter.ts";
import type { Report } from "./report.ts";
import type { Row } from "./row.ts";

/** Samples over 256 bins. */
export interface CallData {
  readonly tile: Tile;
  readonly n: number;
  readonly bytes: number;
  readonly axis: Axis;
  truth(): Promise<Truth>;
}

/** Samples in one kind of memory. */
export interface CallPlace extends Pick<Row, "residence" | "memory"> {
  readonly input: CounterCell["input"];
  readonly ceiling?: number | null;
  /** The largest data in bytes for many calls at once. Default: none are made. */
  readonly many?: number;
}

/** Makes our callers over the same samples: awaited, synchronous if the engine can, and many at once. */
export async function callersOn(
  report: Report,
  engine: Engine,
  { tile, n, bytes, axis, truth }: CallData,
  places: readonly CallPlace[],
  { threads, sync = true }: { readonly threads?: number; readonly sync?: boolean } = {},
): Promise<AsyncDisposable & { readonly callers: readonly Caller[] }> {
  const { type } = tile.shape;
  const options = { axis };
  const counter = await engine.prepare({ type, ...options });
  const callers: Caller[] = [];
  for (const { input, many, ceiling = null, ...place } of places) {
    const { backend, algorithm, bins } = await counter.count(input);
    const why = refusesSync(counter, input);
    if (why !== null) report.missOnce(`${backend}, countSync: ${why}`);
    const row = {
      ...{ backend, device: engine.device, algorithm, threads, type, bins, n },
      ...{ distribution: tile.name, ...place },
    };
    const ways: readonly Way[] = [
      ...(sync && why === null ? [{ call: "countSync" } as const] : []),
      { call: "count" },
      ...TOGETHER.filter((way) => many !== undefined && !isTooMuch(way, bytes, many)),
    ];
    for (const way of ways)
      callers.push(callerOf({ engine, counter, options, input, bytes, truth, row, ceiling }, way));
  }
  return { callers, [Symbol.asyncDispose]: () => counter.free() };
}
