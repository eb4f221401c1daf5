import { sampleTypeOf } from "../../table/index.ts";
import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import { CalendarCounts } from "../exact/calendar.ts";
import { Moments } from "../exact/moments.ts";
import { TextMoments } from "../exact/text-moments.ts";
import { HeavyValues } from "../values/heavy.ts";
import { PatternCounts } from "../values/patterns.ts";
import { Values } from "../values/values.ts";
import { Bins } from "./bins.ts";
import { type ColumnPlan, momentKindOf, valueKindOf } from "./plan.ts";

/** The counts of one pass over a column. */
export class ColumnPartial {
  readonly plan: ColumnPlan;
  rows = 0;
  nulls = 0;
  readonly moments: Moments | TextMoments | null;
  readonly values: Values | null;
  readonly bins: Bins | null;
  readonly heavy: HeavyValues | null;
  /** Points in time by weekday, month and hour. */
  readonly calendar: CalendarCounts | null;
  /** Patterns of strings. */
  readonly patterns: PatternCounts | null;

  constructor(plan: ColumnPlan) {
    this.plan = plan;
    const { logical, axis, heavy } = plan;
    const distinctLimit = plan.whole ? null : plan.distinctLimit;
    const kind = momentKindOf(logical);
    this.moments = !plan.moments || plan.whole ? null : kind === null ? new TextMoments() : new Moments(kind);
    this.calendar = this.moments === null ? null : CalendarCounts.of(logical);
    this.patterns = this.moments instanceof TextMoments ? new PatternCounts() : null;
    this.values = distinctLimit === null ? null : new Values(valueKindOf(logical), distinctLimit);
    this.bins = axis === null ? null : new Bins(axis, sampleTypeOf(logical)!);
    this.heavy = heavy === null ? null : new HeavyValues(valueKindOf(logical), heavy.limit, heavy.cells);
  }

  merge(other: ColumnPartial): void {
    this.rows += other.rows;
    this.nulls += other.nulls;
    const { moments } = this;
    if (moments instanceof Moments && other.moments instanceof Moments) moments.merge(other.moments);
    else if (moments instanceof TextMoments && other.moments instanceof TextMoments)
      moments.merge(other.moments);
    else if (moments !== null || other.moments !== null) throw broken("moments of another plan");
    for (const part of ["values", "bins", "heavy", "calendar", "patterns"] as const) {
      if ((this[part] === null) !== (other[part] === null)) throw broken(`${part} of another plan`);
    }
    if (other.values !== null) this.values!.merge(other.values);
    if (other.bins !== null) this.bins!.add(other.bins);
    if (other.heavy !== null) this.heavy!.merge(other.heavy);
    if (other.calendar !== null) this.calendar!.merge(other.calendar);
    if (other.patterns !== null) this.patterns!.merge(other.patterns);
  }

  write(to: ByteWriter): void {
    to.whole(this.rows);
    to.whole(this.nulls);
    const { moments, values, bins, heavy, calendar, patterns } = this;
    for (const part of [moments, values, bins, heavy, calendar, patterns]) part?.write(to);
  }

  static read(from: ByteReader, plan: ColumnPlan): ColumnPartial {
    const empty = new ColumnPartial(plan);
    const { moments, values, bins, heavy, calendar, patterns } = empty;
    const rows = from.whole();
    const nulls = from.whole(rows);
    return Object.assign(Object.create(ColumnPartial.prototype) as ColumnPartial, {
      plan,
      rows,
      nulls,
      moments:
        moments && (moments instanceof Moments ? Moments.read(from, moments.kind) : TextMoments.read(from)),
      values: values && Values.read(from, values.kind, values.limit),
      bins: bins && Bins.read(from, bins.axis, bins.type),
      heavy: heavy && HeavyValues.read(from, heavy.kind, heavy.limit, plan.heavy!.cells),
      calendar: calendar === null ? null : calendar.read(from),
      patterns: patterns && PatternCounts.read(from),
    });
  }
}
