import type { CellsJob, CellsPlan } from "@polybin/core/backend";

/**
 * Returns the job with the strides of its table. If a window of cells is counted at a time, the plan may leave a gap after
 * each row of two columns, so that cells of different rows lie in different banks:
 *
 *   cells   | row 0        | row 1        |
 *   table   | row 0        | gap | row 1        | gap |
 */
export function withGaps(job: CellsJob): CellsJob {
  const { plan } = job;
  const slots = plan.own?.slots ?? plan.cells;
  if (slots === plan.cells) return job;
  const [rows, row] = plan.columns as readonly [CellsPlan["columns"][number], CellsPlan["columns"][number]];
  const stride = slots / rows.extent;
  const isShifted = rows.by === "rank" && !job.columns[0]!.lowering.flow;
  const offset = isShifted ? plan.offset - rows.stride + stride : plan.offset;
  return { ...job, plan: { ...plan, columns: [{ ...rows, stride }, row], cells: slots, offset } };
}

/** Returns the counts of a plan's cells from a table that may have gaps. */
export function withoutGaps(
  counts: Float64Array,
  { cells, columns }: CellsPlan,
  table: CellsPlan,
): Float64Array {
  if (table.cells === cells) return counts.slice(0, cells);
  const out = new Float64Array(cells);
  const [from, to] = [table.columns[0]!.stride, columns[0]!.stride];
  for (let row = 0; row < columns[0]!.extent; row++) {
    out.set(counts.subarray(row * from, row * from + to), row * to);
  }
  return out;
}
