import type { JointHistogram } from "@polybin/core";
import type { ByteReader, ByteWriter } from "../bytes.ts";
import type { JointPlan } from "./plan.ts";

/** The counts of two columns together. */
export class JointPartial {
  readonly plan: JointPlan;
  /** Row-major: the bins of the second column are the fastest. */
  readonly counts: Float64Array;
  /** Rows with a value outside the bins of either column. */
  outside = 0;
  /** Rows in which either value is null. */
  nulls = 0;

  constructor(plan: JointPlan) {
    this.plan = plan;
    this.counts = new Float64Array(plan.axes[0].bins * plan.axes[1].bins);
  }

  add({ counts, flow, masked }: Pick<JointHistogram, "counts" | "flow" | "masked">): void {
    for (let cell = 0; cell < counts.length; cell++) this.counts[cell]! += counts[cell]!;
    this.outside += flow;
    this.nulls += masked;
  }

  merge(other: JointPartial): void {
    this.add({ counts: other.counts, flow: other.outside, masked: other.nulls });
  }

  write(to: ByteWriter): void {
    for (const count of [this.outside, this.nulls, ...this.counts]) to.whole(count);
  }

  static read(from: ByteReader, plan: JointPlan): JointPartial {
    const joint = new JointPartial(plan);
    joint.outside = from.whole();
    joint.nulls = from.whole();
    for (let cell = 0; cell < joint.counts.length; cell++) joint.counts[cell] = from.whole();
    return joint;
  }
}
