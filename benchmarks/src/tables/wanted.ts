import type { Row } from "../runner/row.ts";
import { median } from "../runner/statistics.ts";

/** A goal for calls, and the worst measured value. */
export interface Wanted {
  readonly what: string;
  readonly wanted: number;
  /** Null if nothing was measured. */
  readonly found: number | null;
  readonly reached: boolean;
}

const MIB = 2 ** 20;
export const us = ({ ms }: Row): number => median(ms) * 1000;

/** Compares the rows of one run with the goals for calls on a device. */
export function wantedOf(rows: readonly Row[], backend: string): Wanted[] {
  const own = rows.filter((row) => row.backend === backend);
  const called = (call: Row["call"], inFlight?: number) =>
    own.filter((row) => row.call === call && row.inFlight === inFlight && row.residence === "resident");
  const [awaited, sync] = [called("count"), called("countSync")];
  const upTo = (some: readonly Row[], most: number) => some.filter(({ n }) => n <= most);
  const from = (some: readonly Row[], least: number) => some.filter(({ n }) => n >= least);
  const beside = (row: Row, others: readonly Row[]) =>
    others.filter(({ n, distribution }) => n === row.n && distribution === row.distribution);
  const against = (
    some: readonly Row[],
    others: readonly Row[],
    of: (mine: number, other: number) => number,
  ) => some.flatMap((row) => beside(row, others).map((other) => of(us(row), us(other))));
  const kernels = rows.filter(({ call, bins, peer, residence }) => {
    return call === undefined && bins > 0 && peer === null && residence === "resident";
  });
  const cub = rows.filter(({ peer, variant }) => peer === "cub" && variant === "until the device is done");
  const dawn = rows.find(({ peer, inFlight }) => peer === "dawn" && inFlight === undefined);
  const host = (memory: string) => own.filter((row) => row.memory === memory && row.call === "count");
  const memcpy = rows.filter(({ variant }) => variant === "memcpy on the host");
  const shares = (some: readonly Row[]) => some.map(({ ceilingPercent }) => ceilingPercent ?? 0);
  const overMemcpy = from(upTo(host("pageable"), MIB), 2 ** 16).flatMap((row) =>
    memcpy.filter(({ n }) => n === row.n).map((copy) => us(row) - us(copy)),
  );
  const slower = (mine: number, other: number) => mine / other;
  const more = (mine: number, other: number) => mine - other;
  if (backend === "webgpu") {
    return [
      most(
        "count up to 2^20, over Dawn's floor",
        1.3,
        dawn ? upTo(awaited, MIB).map((row) => us(row) / us(dawn)) : [],
      ),
      most("countAll of 256 up to 2^20, µs each", 12, upTo(called("countAll", 256), MIB).map(us)),
    ];
  }
  return [
    most("count up to 2^20, µs", 26, upTo(awaited, MIB).map(us)),
    most("count from 2^20 on, µs over the kernel", 25, against(from(awaited, MIB), kernels, more)),
    most("countSync up to 2^20, µs", 17, upTo(sync, MIB).map(us)),
    most(
      "count up to 2^24, 99th percentile, µs",
      60,
      upTo(awaited, 2 ** 24).map(({ p99 = 0 }) => p99 * 1000),
    ),
    most("countAll of 256 up to 2^20, µs each", 8, upTo(called("countAll", 256), MIB).map(us)),
    most("128 in flight up to 2^20, µs each", 12, upTo(called("count", 128), MIB).map(us)),
    most("countSync over CUB's call", 1.1, against(sync, cub, slower)),
    most("countSync over CUB's call from 2^22 on", 1, against(from(sync, 2 ** 22), cub, slower)),
    most("count of 2^16 to 2^20 from ordinary memory, µs over the host's copy", 40, overMemcpy),
    least(
      "count from page-locked memory from 2^26 on, % of the plain copy",
      95,
      shares(from(host("pinned"), 2 ** 26)),
    ),
    least(
      "count from ordinary memory from 2^22 on, % of the plain copy",
      300,
      shares(from(host("pageable"), 2 ** 22)),
    ),
  ];
}

export function most(what: string, wanted: number, all: readonly number[]): Wanted {
  const found = all.length === 0 ? null : Math.max(...all);
  return { what: `${what}: at most`, wanted, found, reached: found !== null && found <= wanted };
}

export function least(what: string, wanted: number, all: readonly number[]): Wanted {
  const found = all.length === 0 ? null : Math.min(...all);
  return { what: `${what}: at least`, wanted, found, reached: found !== null && found >= wanted };
}

/** Writes one line per goal, for readers of a run. */
export function wantedText(all: readonly Wanted[]): string[] {
  return all.map(({ what, wanted, found, reached }) => {
    const worst = found === null ? "not measured" : String(Number(found.toPrecision(3)));
    return `${reached ? "reached" : "MISSED "}  ${what} ${wanted}; the worst: ${worst}`;
  });
}
