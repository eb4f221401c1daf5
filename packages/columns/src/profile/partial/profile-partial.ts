import { ByteReader, ByteWriter, broken } from "../bytes.ts";
import { Values } from "../values/values.ts";
import { ColumnPartial } from "./column-partial.ts";
import { JointPartial } from "./joint-partial.ts";
import { OverPartial } from "./over-partial.ts";
import { PairsPartial } from "./pairs-partial.ts";
import type { PassPlan } from "./plan.ts";

/** Hashes of rows are integers of 64 bits. */
const ROW = "unsigned";
/** The first bytes of a partial profile, and the version of its format. */
const MAGIC = Uint8Array.from("PBPF", (letter) => letter.charCodeAt(0));
const VERSION = 3;

type Parts = Pick<ProfilePartial, "columns" | "joint" | "pairs" | "over" | "different">;

/**
 * The counts of one pass over some rows. Partials of one plan merge in any order, and the result has the same bits. The plan is
 * not part of the bytes.
 */
export class ProfilePartial {
  readonly plan: PassPlan;
  rows = 0;
  /** The rows that a sample was chosen from. */
  seen = 0;
  readonly columns: readonly ColumnPartial[];
  readonly joint: readonly JointPartial[];
  readonly pairs: PairsPartial | null;
  readonly over: OverPartial | null;
  /** Different rows, by a hash of 64 bits. */
  readonly different: Values | null;

  private constructor(plan: PassPlan, parts: Parts) {
    this.plan = plan;
    this.columns = parts.columns;
    this.joint = parts.joint;
    this.pairs = parts.pairs;
    this.over = parts.over;
    this.different = parts.different;
  }

  /** A partial without any rows. */
  static empty(plan: PassPlan): ProfilePartial {
    const columns = plan.columns.map((column) => new ColumnPartial(column));
    return new ProfilePartial(plan, {
      columns,
      joint: plan.joint.map((pair) => new JointPartial(pair)),
      pairs: plan.pairs && new PairsPartial(plan.pairs),
      over: plan.over && new OverPartial(plan.over, plan.columns),
      different: plan.rowLimit === null ? null : new Values(ROW, plan.rowLimit),
    });
  }

  /** Adds the rows of another partial of the same plan. @throws ERR_INPUT if the plans differ. */
  merge(other: ProfilePartial): this {
    if (other.plan !== this.plan && JSON.stringify(other.plan) !== JSON.stringify(this.plan)) {
      throw broken("one of another plan");
    }
    this.rows += other.rows;
    this.seen += other.seen;
    for (const [i, column] of this.columns.entries()) column.merge(other.columns[i]!);
    for (const [i, joint] of this.joint.entries()) joint.merge(other.joint[i]!);
    if (other.pairs !== null) this.pairs!.merge(other.pairs);
    if (other.over !== null) this.over!.merge(other.over);
    if (other.different !== null) this.different!.merge(other.different);
    return this;
  }

  toBytes(): Uint8Array {
    const to = new ByteWriter();
    to.bytes(MAGIC);
    to.whole(VERSION);
    to.whole(this.rows);
    to.whole(this.seen);
    for (const part of [...this.columns, ...this.joint]) part.write(to);
    this.pairs?.write(to);
    this.over?.write(to);
    this.different?.write(to);
    return to.result();
  }

  /** Reads what `toBytes` wrote for the same plan. @throws ERR_INPUT for anything else. */
  static fromBytes(bytes: Uint8Array, plan: PassPlan): ProfilePartial {
    const from = new ByteReader(bytes);
    const magic = from.bytes(MAGIC.length);
    if (MAGIC.some((byte, i) => magic[i] !== byte)) throw broken("other first bytes");
    const version = from.whole();
    if (version !== VERSION) throw broken(`version ${version}, and this polybin reads version ${VERSION}`);
    const rows = from.whole();
    const seen = from.whole();
    const columns = plan.columns.map((column) => ColumnPartial.read(from, column));
    const joint = plan.joint.map((pair) => JointPartial.read(from, pair));
    const pairs = plan.pairs && PairsPartial.read(from, plan.pairs);
    const over = plan.over && OverPartial.read(from, plan.over, plan.columns);
    const different = plan.rowLimit === null ? null : Values.read(from, ROW, plan.rowLimit);
    from.end();
    const partial = new ProfilePartial(plan, { columns, joint, pairs, over, different });
    partial.rows = rows;
    partial.seen = seen;
    return partial;
  }
}
