import { ticks } from "d3-array";
import { utcTicks } from "d3-time";
import type { Logical } from "./messages.ts";
import { number } from "./sentence.ts";

/** How the values of a column are shown. */
export interface Shown {
  text(value: number): string;
  /** About `wanted` round values between two others. */
  ticks(lo: number, hi: number, wanted: number): number[];
}

const PER_MS: Readonly<Record<string, number>> = { s: 1e-3, ms: 1, us: 1e3, ns: 1e6, day: 1 / 86_400_000 };
/** The distance from 1970 that `Date` can express. */
const MOST_MS = 8.64e15;

/** How values of a type are shown: times as dates in UTC, and all others as numbers. */
export function shownAs(type: Logical): Shown {
  if (type.kind !== "timestamp" && type.kind !== "date" && type.kind !== "time")
    return { text: number, ticks };
  const perMs = PER_MS[type.unit]!;
  const isClock = type.kind === "time";
  return {
    text: (value) => {
      const ms = Math.round(value / perMs);
      return Math.abs(ms) <= MOST_MS ? dateText(ms, isClock) : number(value);
    },
    ticks: (lo, hi, wanted) => {
      const [from, to] = [lo / perMs, hi / perMs];
      if (Math.max(-from, to) > MOST_MS || to - from < wanted) return ticks(lo, hi, wanted);
      return utcTicks(new Date(from), new Date(to), wanted).map((date) => date.getTime() * perMs);
    },
  };
}

/** As short as the time allows: 2024-01-31, 2024-01-31 08:30 or 2024-01-31 08:30:15.250 */
function dateText(ms: number, isClock: boolean): string {
  const [date, time = ""] = new Date(ms).toISOString().split("T");
  const clock = time.slice(0, time.endsWith(":00.000Z") ? 5 : time.endsWith(".000Z") ? 8 : 12);
  if (isClock) return clock;
  return clock === "00:00" ? date! : `${date} ${clock}`;
}
