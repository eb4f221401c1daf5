import type { LogicalType, ValueArray } from "../../table/index.ts";
import type { ByteReader, ByteWriter } from "../bytes.ts";

const HOURS = 24;
const DAYS = 7;
const MONTHS = 12;
const PER_HOUR = { s: 3600, ms: 3600e3, us: 3600e6, ns: 3600e9 } as const;
/** Eras begin on a Wednesday, two days after a Monday. */
const WEDNESDAY = 2;
/** Units within which the quotient of a 64-bit integer as a double may be wrong. */
const NEAR = 1024;
const WORD = 2 ** 32;
// Source: H. Hinnant, "chrono-compatible low-level date algorithms". Years begin in March, so that leap days are last.
const FROM_MARCH_0 = 719_468;
const ERA = 146_097;

/** Counts of points in time by weekday, month and hour, in UTC. Merging in any order gives the same bits. */
export class CalendarCounts {
  /** From Monday on. */
  readonly weekdays: Float64Array = new Float64Array(DAYS);
  readonly months: Float64Array = new Float64Array(MONTHS);
  readonly hours: Float64Array = new Float64Array(HOURS);
  /** Units of an hour, or of a day for days. */
  readonly #unit: number;
  readonly #isDays: boolean;

  constructor(unit: number, isDays: boolean) {
    this.#unit = unit;
    this.#isDays = isDays;
  }

  /** Counts for a column of timestamps or dates; null for all others. */
  static of(logical: LogicalType): CalendarCounts | null {
    if (logical.kind === "timestamp") return new CalendarCounts(PER_HOUR[logical.unit], false);
    if (logical.kind !== "date") return null;
    return logical.unit === "day"
      ? new CalendarCounts(1, true)
      : new CalendarCounts(HOURS * PER_HOUR.ms, true);
  }

  /** Whether the values are days, which have no hours. */
  get isDays(): boolean {
    return this.#isDays;
  }

  #add(hour: number, weekday: number, month: number, count: number): void {
    if (!this.#isDays) this.hours[hour]! += count;
    this.weekdays[weekday]! += count;
    this.months[month]! += count;
  }

  /** Adds values. @param counts how often each occurs. Null: once */
  add(values: ValueArray | readonly (number | bigint)[], counts: ArrayLike<number> | null): void {
    const words =
      values instanceof BigInt64Array
        ? new Int32Array(values.buffer, values.byteOffset, 2 * values.length)
        : null;
    // Fields cost much in a loop over all rows.
    const [unit, isDays] = [this.#unit, this.#isDays];
    let [last, hour, weekday, month] = [Number.NaN, 0, 0, 0];
    // Neighbours often lie in one unit. Those that surely do are counted together.
    let [from, to, together] = [Number.NaN, Number.NaN, 0];
    for (let i = 0; i < values.length; i++) {
      const near = words === null ? Number(values[i]) : words[2 * i + 1]! * WORD + (words[2 * i]! >>> 0);
      const count = counts === null ? 1 : counts[i]!;
      if (near >= from && near < to) {
        together += count;
        continue;
      }
      if (together > 0) this.#add(hour, weekday, month, together);
      let units = Math.floor(near / unit);
      // The rest shows whether rounding can have crossed a unit.
      const rest = near - units * unit;
      if ((rest < NEAR || unit - rest < NEAR) && !Number.isSafeInteger(near)) {
        units = floorOf(BigInt(values[i]!), BigInt(unit));
      }
      const day = isDays ? units : Math.floor(units / HOURS);
      if (day !== last) {
        last = day;
        // Eras are whole weeks. Integers of 32 bits are fast.
        const shifted = day + FROM_MARCH_0;
        const ofEra = (shifted - Math.floor(shifted / ERA) * ERA) | 0;
        weekday = (ofEra + WEDNESDAY) % DAYS;
        month = monthOf(ofEra);
      }
      hour = units - day * HOURS;
      from = units * unit + NEAR;
      to = (units + 1) * unit - NEAR;
      together = count;
    }
    if (together > 0) this.#add(hour, weekday, month, together);
  }

  merge(other: CalendarCounts): void {
    for (const part of ["weekdays", "months", "hours"] as const) {
      for (const [i, count] of other[part].entries()) this[part][i]! += count;
    }
  }

  write(to: ByteWriter): void {
    for (const count of [...this.weekdays, ...this.months, ...this.hours]) to.whole(count);
  }

  read(from: ByteReader): this {
    for (const part of [this.weekdays, this.months, this.hours]) {
      for (let i = 0; i < part.length; i++) part[i] = from.whole();
    }
    return this;
  }
}

function floorOf(value: bigint, unit: bigint): number {
  const rest = ((value % unit) + unit) % unit;
  return Number((value - rest) / unit);
}

/** The month of a day of an era, from 0 on. */
function monthOf(ofEra: number): number {
  const year = ((ofEra - ((ofEra / 1460) | 0) + ((ofEra / 36_524) | 0) - ((ofEra / 146_096) | 0)) / 365) | 0;
  const ofYear = ofEra - (365 * year + ((year / 4) | 0) - ((year / 100) | 0));
  return ((((5 * ofYear + 2) / 153) | 0) + 2) % MONTHS;
}
