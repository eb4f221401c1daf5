import type { Engine, HistogramOptions, Resident } from "@polybin/core";
import type { Values } from "../data/distributions.ts";
import { type ChannelCounts, difference, type Shape, type Tile, type Truth } from "../data/tile.ts";
import type { Contest, Head } from "./contest.ts";

/** A histogram to measure. */
export type Cell = HistogramOptions & {
  readonly algorithm: string;
  /** Channels to count. Default: all. */
  readonly channels?: readonly number[];
};

/** Data on the device. */
export interface Loaded extends AsyncDisposable {
  readonly resident: Resident;
  readonly shape: Shape;
  readonly distribution: string;
  readonly pixels: number;
  readonly bytes: number;
  truth(cell: Cell): Promise<Truth>;
}

/** The result of a call for one channel, ours or a peer's. */
export interface Result extends ChannelCounts {
  readonly bins: number;
  readonly timings: { readonly kernelMs: number; readonly totalMs: number } | null;
}

/** Makes a contest of a call that counts, and of the exact counts. */
export function counting({
  truth,
  ...rest
}: Omit<Contest<readonly Result[]>, "wrong"> & { truth(): Promise<Truth> }): Contest<readonly Result[]> {
  return {
    more: ([first]) => ({ bins: first!.bins }),
    wrong: async (found) => difference(await truth(), found),
    ...rest,
  };
}

/** Returns the milliseconds of a result's kernels, and of its whole call. */
export const kernelMs = ([first]: readonly Result[]): number => first!.timings!.kernelMs;
export const totalMs = ([first]: readonly Result[]): number => first!.timings!.totalMs;

/** Uploads samples that a tile laid out. The oracle counts them once for each axis and choice of channels. */
export async function loadedOn(
  engine: Engine,
  oracle: Engine,
  tile: Tile,
  data: Values,
  pixels: number,
): Promise<Loaded> {
  const { shape, name } = tile;
  const resident = await engine.upload({ data, channels: shape.channels });
  const truths = new Map<string, Promise<Truth>>();
  return {
    ...{ resident, shape, distribution: name, pixels, bytes: data.byteLength },
    truth: ({ axis, bins, channels }) => {
      const asked = { ...(axis ? { axis } : bins ? { bins } : {}), ...(channels && { channels }) };
      const key = JSON.stringify(asked);
      const known = truths.get(key) ?? tile.counts(oracle, pixels, asked);
      truths.set(key, known);
      return known;
    },
    [Symbol.asyncDispose]: () => resident.free(),
  };
}

/** Makes the head of a row for a cell on resident data. */
export function residentRow(
  { shape, pixels, distribution }: Pick<Loaded, "shape" | "pixels" | "distribution">,
  cell: Cell,
  place: Partial<Head> = {},
): Head {
  return {
    ...{ algorithm: cell.algorithm, type: shape.type, n: pixels, distribution, residence: "resident" },
    ...{ variant: variantOf(cell) || undefined, ...place },
  };
}

/** Writes a cell's parameters in words. */
function variantOf({ k, rowSums, collisions, merge, layout, reduce }: Cell): string {
  const named = (name: string, value: unknown) => value !== undefined && `${name}=${value}`;
  const parts = [named("k", k), rowSums, collisions, merge, layout, named("reduce", reduce)];
  return parts.filter(Boolean).join(" ");
}
