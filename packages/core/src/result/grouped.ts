import { expected, PolybinError } from "../base/index.ts";
import type { Histogram } from "./histogram.ts";
import type { JointHistogram } from "./joint-histogram.ts";
import type { WeightedHistogram } from "./weighted-histogram.ts";
import type { WeightedJointHistogram } from "./weighted-joint-histogram.ts";

/** The class of all groups together, for the class of one group's result. */
export type JointOfGroups<One> = One extends WeightedHistogram | WeightedJointHistogram
  ? WeightedJointHistogram
  : JointHistogram;

/**
 * The results of groups: one histogram per group, over the same axis or axes. It is the joint histogram `joint`, whose
 * first axis is the number of the group. With weights, all of them have sums.
 * @template One the class of a group's result
 */
export class Grouped<
  One extends Histogram | JointHistogram | WeightedHistogram | WeightedJointHistogram = Histogram,
> {
  /** The groups and the other axes as one result. Axis 0 is the group and has no flow. */
  readonly joint: JointOfGroups<One>;

  /** @throws ERR_INPUT unless the first axis has no flow, and there is another axis. */
  constructor(joint: JointOfGroups<One>) {
    if (joint.axes.length < 2 || joint.extents[0] !== joint.shape[0]) {
      throw new PolybinError("ERR_INPUT", "expected groups without flow as the first of at least two axes");
    }
    this.joint = joint;
  }

  /** Number of groups. */
  get groups(): number {
    return this.joint.shape[0]!;
  }

  /** groups x bins exact integers, row by row. With weights, null if they are not known. */
  get counts(): JointOfGroups<One>["counts"] {
    return this.joint.counts;
  }

  /** Number of samples of all groups that a mask left out. */
  get masked(): number {
    return this.joint.masked;
  }

  /** Returns the result of one group, as a copy. @throws ERR_INPUT if there is no such group. */
  at(group: number): One {
    const { groups, joint } = this;
    if (!Number.isInteger(group) || group < 0 || group >= groups) {
      throw expected("ERR_INPUT", "group", `a whole number below ${groups}`, group);
    }
    const part = (row: Float64Array) => {
      const size = row.length / groups;
      return row.slice(group * size, (group + 1) * size);
    };
    return joint.derived({
      axes: joint.axes.slice(1),
      types: joint.types.slice(1),
      extents: joint.extents.slice(1),
      storage: joint.storage,
      rows: joint.rows.map((row) => row && part(row)),
      masked: 0,
      carried: null,
    }) as One;
  }

  /** Iterates over the results of the groups, in order. */
  *[Symbol.iterator](): Generator<One> {
    for (let group = 0; group < this.groups; group++) yield this.at(group);
  }

  /** Returns the result of all groups together. */
  total(): One {
    const [, ...axes] = this.joint.axes.keys();
    return this.joint.project(...(axes as [number])) as One;
  }

  /**
   * Returns the results of both inputs together, group by group.
   * @throws ERR_INPUT unless both have weights, or neither.
   * @throws ERR_AXIS unless both have as many groups, and the same edges.
   * @throws ERR_LIMIT if a count would no longer be exact, or a sum not finite.
   */
  merge(other: Grouped<One>): Grouped<One> {
    if (!(other instanceof Grouped)) throw expected("ERR_INPUT", "other", "a Grouped", other);
    return new Grouped<One>(this.joint.merge(other.joint as never) as JointOfGroups<One>);
  }

  /** Writes the joint histogram in UHI's schema, with the groups as its first axis. */
  toJSON(): ReturnType<JointOfGroups<One>["toJSON"]> {
    return this.joint.toJSON() as ReturnType<JointOfGroups<One>["toJSON"]>;
  }
}
