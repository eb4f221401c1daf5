import { html, type TemplateResult } from "lit-html";
import { basisName, isCeiling, memoryOf, type Row } from "../data/index.ts";
import { distinct, type View } from "../show/index.ts";
import { contestants, picked } from "./groups.ts";
import { nothingOn } from "./nothing.ts";
import { spread } from "./spread.ts";

/** Throughput as a share of the ceiling of the same run. */
export const ceiling: View = {
  id: "explore/ceiling",
  title: "% of ceiling",
  question: "How near do algorithms come to the limit of their memory?",
  about:
    "Throughput as a share of the ceiling of the same run. A ceiling belongs to its kind of memory. For data in device memory it is the fastest kernel that only reads the same bytes. For data that are uploaded, it is the plain copy of the same bytes over the bus, from page-locked or pageable memory. No ceiling of host memory was measured, so rows that count on a CPU have no share.",
  reads: "one file",
  basis: "switch",
  drawable: (rows) => {
    const plainRows = rows.filter((row) => row.weighted === undefined && !isCeiling(row));
    return plainRows.some(({ ceilingPercent }) => ceilingPercent !== null) ? plainRows : [];
  },
  render(context) {
    const known = context.rows.filter(({ ceilingPercent }) => ceilingPercent !== null);
    if (known.length === 0) return nothingOn(context, "No valid ceiling was measured");
    const { rows, fields, what } = picked(context, known);
    const memories = distinct(rows.map(memoryOf));
    const invalid = context.rows.filter((row) => row.invalidCeiling);
    const share = ({ ceilingPercent }: { ceilingPercent: number | null }) => ceilingPercent ?? 0;
    return html`${spread(context, contestants(rows, share), {
      title: `% of ceiling, ${memories.join(" and ")}, ${basisName(context.basis)}: ${what}`,
      unit: "% of ceiling",
      speed: share,
      line: { at: 100, label: "ceiling" },
    })}
    ${fields} ${invalid.length === 0 ? null : invalidity(invalid)}`;
  },
};

/** Says how many cells are faster than their ceiling, by memory. */
function invalidity(invalid: readonly Row[]): TemplateResult {
  const counts = [...Map.groupBy(invalid, memoryOf)].map(([memory, of]) => `${memory}: ${of.length}`);
  return html`<p>${invalid.length} measured cells of this run are not drawn (${counts.join(", ")}). They are faster than the ceiling that their run measured, so that ceiling is invalid. A kernel that reads few bytes mostly measures its own launch, and a plain copy of pageable memory is slower than one through page-locked memory.</p>`;
}
