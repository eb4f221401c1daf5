import type { Engine, HistogramOptions, Resident } from "@polybin/core";
import type { Values } from "../data/distributions.ts";
import { type Counted, difference, type Shape, type Tile, type Truth } from "../data/tile.ts";
import type { DeviceContest } from "./contest.ts";
import type { Row } from "./row.ts";

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

/** The fields of a row that differ from a resident cell of one device. */
export type Place = Partial<
  Pick<Row, "type" | "device" | "variant" | "residence" | "memory" | "devices" | "rowSumEfficiency">
>;

/** The result of a call, ours or a peer's. */
interface Found extends Counted {
  readonly bins: number;
  readonly timings: Timings | null;
}

interface Timings {
  readonly kernelMs: number;
  readonly totalMs: number;
}

/** A call that counts, and the exact counts. */
export interface CountContest
  extends Omit<DeviceContest<readonly Found[]>, "wrong" | "time" | "callTime" | "row"> {
  truth(): Promise<Truth>;
  /** Returns the kernels' time if the call reported times. `ms` is the time of the whole call. */
  time(timings: Timings | null, ms: number): number;
  callTime?(timings: Timings): number;
  readonly row: Pick<Row, "algorithm" | "type" | "n" | "distribution" | "residence"> &
    Place & { readonly backend?: null; readonly peer?: string };
}

/** Turns it into a general contest. */
export function counted({
  truth,
  time,
  callTime,
  row,
  ...rest
}: CountContest): DeviceContest<readonly Found[]> {
  return {
    ...rest,
    wrong: async (found) => difference(await truth(), found),
    time: (found, ms) => time(found[0]!.timings, ms),
    ...(callTime ? { callTime: (found: readonly Found[]) => callTime(found[0]!.timings!) } : {}),
    row: (found) => ({ ...row, bins: found[0]!.bins }),
  };
}

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
    resident,
    shape,
    distribution: name,
    pixels,
    bytes: data.byteLength,
    truth: ({ axis, bins, channels }) => {
      const key = JSON.stringify([axis, bins, channels]);
      const known = truths.get(key) ?? tile.counts(oracle, pixels, questionOf({ axis, bins, channels }));
      truths.set(key, known);
      return known;
    },
    [Symbol.asyncDispose]: () => resident.free(),
  };
}

/** Makes the head of a row for a cell on resident data. */
export function residentRow(
  { shape, pixels, distribution }: Loaded,
  cell: Cell,
  place: Place,
): CountContest["row"] {
  const variant = place.variant ?? variantOf(cell);
  return {
    algorithm: cell.algorithm,
    type: shape.type,
    n: pixels,
    distribution,
    residence: "resident",
    ...(variant === "" ? {} : { variant }),
    ...place,
  };
}

function questionOf({
  axis,
  bins,
  channels,
}: { [name in "axis" | "bins" | "channels"]: Cell[name] | undefined }) {
  return {
    ...(axis === undefined ? (bins === undefined ? {} : { bins }) : { axis }),
    ...(channels === undefined ? {} : { channels }),
  };
}

/** Writes a cell's parameters in words. */
export function variantOf({ k, rowSums, collisions, merge, layout, reduce }: Cell): string {
  const named = (name: string, value: unknown) => (value === undefined ? undefined : `${name}=${value}`);
  return [named("k", k), rowSums, collisions, merge, layout, named("reduce", reduce)]
    .filter(Boolean)
    .join(" ");
}
