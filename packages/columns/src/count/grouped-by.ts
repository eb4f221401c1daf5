import {
  Grouped,
  type Histogram,
  type JointHistogram,
  PolybinError,
  type WeightedHistogram,
  type WeightedJointHistogram,
} from "@polybin/core";
import { expected } from "@polybin/core/backend";

/** A value of a column of groups. Null: the rows without a value. */
export type GroupKey = string | number | bigint | boolean | null;

/**
 * The results of the groups of a column. Group i holds the rows with the value `keys[i]`.
 * @template One the class of a group's result
 */
export class GroupedBy<
  One extends Histogram | JointHistogram | WeightedHistogram | WeightedJointHistogram = Histogram,
> extends Grouped<One> {
  /** The values of the column in ascending order, and null last. Times are their stored integers. */
  readonly keys: readonly GroupKey[];

  /** @throws ERR_INPUT unless there is one key per group. */
  constructor(joint: Grouped<One>["joint"], keys: readonly GroupKey[]) {
    super(joint);
    if (keys.length !== this.groups)
      throw expected("ERR_INPUT", "keys.length", `${this.groups}, one per group,`, keys.length);
    this.keys = Object.freeze([...keys]);
  }

  /** Returns the result of the rows with a value, as a copy. @throws ERR_INPUT if no row has it. */
  of(key: GroupKey): One {
    const group = this.keys.indexOf(key);
    if (group >= 0) return this.at(group);
    const known = this.keys.slice(0, LISTED).map(String).join(", ");
    const more = this.keys.length > LISTED ? ` and ${this.keys.length - LISTED} more` : "";
    throw expected("ERR_INPUT", "a group", `one of ${known}${more}`, key);
  }

  /** Returns the results of both inputs together. @throws ERR_INPUT unless both have the same keys. */
  override merge(other: Grouped<One>): GroupedBy<One> {
    const keys = keysOf(other);
    const isSame = keys?.length === this.keys.length && this.keys.every((key, i) => key === keys[i]);
    if (!isSame) throw new PolybinError("ERR_INPUT", "expected groups of the same values in both");
    return new GroupedBy<One>(super.merge(other).joint, this.keys);
  }
}

/** Keys that a message lists at most. */
const LISTED = 12;

const keysOf = (of: unknown): readonly GroupKey[] | null => (of instanceof GroupedBy ? of.keys : null);
