import type { Row } from "../runner/row.ts";
import { median } from "../runner/statistics.ts";
import { whoOf } from "./calls.ts";
import { figure, markdown } from "./markdown.ts";

/** Lists milliseconds by segments and distribution, for the kernel and for each kind of call, ours and peers'. */
export function segmentTable(rows: readonly Row[]): string[] {
  const of = rows.filter(({ segments }) => segments !== undefined);
  const cells = [
    ...Map.groupBy(
      of,
      ({ segments, distribution }) => `${segments!.count} ${segments!.each} ${distribution}`,
    ),
  ];
  const columns = [...new Set(of.map(columnOf))];
  const lines = cells.map(([, its]) => {
    const { segments, distribution } = its[0]!;
    return [
      `${figure(segments!.count)} x ${figure(segments!.each)}, ${distribution}`,
      ...columns.map((column) => {
        const row = its.find((one) => columnOf(one) === column);
        if (row === undefined) return "";
        const share = row.ceilingPercent === null ? "" : ` (${row.ceilingPercent.toFixed(0)}%)`;
        return `${figure(median(row.ms))}${share}`;
      }),
    ];
  });
  return cells.length === 0 ? [] : markdown([["ms (share of the ceiling)", ...columns], ...lines]);
}

function columnOf(row: Row): string {
  if (row.call === undefined) return "kernel alone";
  const { segments: _segments, ...rest } = row;
  return whoOf(rest);
}
