import { expected, PolybinError } from "../base/index.ts";
import type { Histogram } from "./histogram.ts";
import { JointHistogram } from "./joint-histogram.ts";

/**
 * Exact counts of groups: one histogram per group, over the same axis or axes. It is the joint histogram `joint`, whose
 * first axis is the number of the group.
 * @template One the class of a group's result
 */
export class Grouped<One extends Histogram | JointHistogram = Histogram> {
  /** The groups and the other axes as one result. Axis 0 is the group and has no flow. */
  readonly joint: JointHistogram;

  /** @throws ERR_INPUT unless the first axis has no flow, and there is another axis. */
  constructor(joint: JointHistogram) {
    if (joint.axes.length < 2 || joint.extents[0] !== joint.shape[0]) {
      throw new PolybinError("ERR_INPUT", "expected groups without flow as the first of at least two axes");
    }
    this.joint = joint;
  }

  /** Number of groups. */
  get groups(): number {
    return this.joint.shape[0]!;
  }

  /** groups x bins exact integers, row by row. */
  get counts(): Float64Array {
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
    const { axes, types, extents, cells } = joint;
    const size = cells.length / groups;
    const part = {
      cells: cells.slice(group * size, (group + 1) * size),
      extents: extents.slice(1),
      masked: 0,
    };
    const one = new JointHistogram(axes.slice(1), types.slice(1), part);
    return (axes.length === 2 ? one.project(0) : one) as One;
  }

  /** Iterates over the results of the groups, in order. */
  *[Symbol.iterator](): Generator<One> {
    for (let group = 0; group < this.groups; group++) yield this.at(group);
  }

  /** Returns the result of all groups together. */
  total(): One {
    const [, second, ...more] = this.joint.axes.keys();
    return (
      more.length === 0 ? this.joint.project(second!) : this.joint.project(second!, ...(more as [number]))
    ) as One;
  }

  /**
   * Returns the counts of both inputs together, group by group.
   * @throws ERR_AXIS unless both have as many groups, and the same edges.
   * @throws ERR_LIMIT if a sum would no longer be exact.
   */
  merge(other: Grouped<One>): Grouped<One> {
    if (!(other instanceof Grouped)) throw expected("ERR_INPUT", "other", "a Grouped", other);
    return new Grouped(this.joint.merge(other.joint));
  }

  /** Writes the joint histogram in UHI's schema, with the groups as its first axis. */
  toJSON(): ReturnType<JointHistogram["toJSON"]> {
    return this.joint.toJSON();
  }
}
