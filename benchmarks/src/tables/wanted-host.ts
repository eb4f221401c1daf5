import { pixelBytes, type Shape } from "../data/tile.ts";
import type { Row } from "../runner/row.ts";
import { least, most, us, type Wanted } from "./wanted.ts";

const bytesOf = ({ type, n }: Row): number =>
  n * pixelBytes({ type: type as Shape["type"], top: 0, channels: 1 });
const KIB = 2 ** 10;
const MIB = 2 ** 20;
const MEMORIES = { upload: "ordinary memory", resident: "engine.allocate's memory" } as const;

/** Compares calls on the CPU with their goals, against the faster of two plain loops: a fresh one, and one that has seen other arrays. */
export function wantedOfHost(rows: readonly Row[]): Wanted[] {
  const own = rows.filter(({ backend, inFlight }) => backend === "piscina" && inFlight === undefined);
  const isSame = (row: Row) => (one: Row) =>
    one.type === row.type && one.n === row.n && one.distribution === row.distribution;
  const loop = (row: Row, checks: boolean) => {
    const like = rows.filter(({ peer }) => peer === "js-loop").filter(isSame(row));
    const of = like.filter(({ variant = "" }) => variant.startsWith("checks") === checks);
    return of.length === 0 ? [] : [Math.min(...of.map(us))];
  };
  return (["upload", "resident"] as const).flatMap((residence) => {
    const mine = own.filter((row) => row.residence === residence);
    const one = mine.filter(({ threads, call }) => threads === 1 && call === "count");
    const sync = mine.filter(({ call }) => call === "countSync");
    const small = (some: readonly Row[]) =>
      some
        .filter((row) => bytesOf(row) <= 16 * KIB)
        .flatMap((row) => loop(row, false).map((other) => us(row) - other));
    const over = (types: readonly string[], checks: boolean) =>
      one
        .filter((row) => types.includes(row.type) && bytesOf(row) >= 64 * KIB)
        .flatMap((row) => loop(row, checks).map((other) => other / us(row)));
    const all = Math.max(1, ...mine.map(({ threads = 1 }) => threads));
    const scaling = one
      .filter((row) => bytesOf(row) >= 16 * MIB)
      .flatMap((row) => {
        const several = mine
          .filter(({ threads, call }) => threads === all && call === "count")
          .find(isSame(row));
        return several === undefined || all === 1 ? [] : [us(row) / us(several)];
      });
    const overC = one
      .filter((row) => row.type === "u8" && bytesOf(row) >= MIB)
      .flatMap((row) =>
        rows
          .filter(({ peer }) => peer === "c")
          .filter(isSame(row))
          .map((c) => us(c) / us(row)),
      );
    const memory = MEMORIES[residence];
    return [
      most(`${memory}: count up to 16 KiB, µs over the loop`, 4, small(one)),
      most(`${memory}: countSync up to 16 KiB, µs over the loop`, 2, small(sync)),
      least(`${memory}: u8, u16, u32 from 64 KiB, times the loop`, 1, over(["u8", "u16", "u32"], false)),
      least(`${memory}: f32 from 64 KiB, times the loop that checks`, 2, over(["f32"], true)),
      least(`${memory}: f64 from 64 KiB, times the loop that checks`, 1.5, over(["f64"], true)),
      least(`${memory}: ${all} workers over one from 16 MiB, times`, 0.9 * all, scaling),
      least(`${memory}: one worker over C on bytes from 1 MiB, times`, 0.95, overC),
    ];
  });
}
