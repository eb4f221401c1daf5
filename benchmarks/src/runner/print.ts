import { labelOf, plural } from "./names.ts";
import type { Results, Row } from "./row.ts";
import { spreadsOf } from "./spreads.ts";
import { median } from "./statistics.ts";

/** Length in characters above which a note is not printed. */
const LONG = 2000;

/** Prints medians as tables, one for each type, number of bins and n. */
export function print({ rows: all, notes }: Pick<Results, "rows" | "notes">): void {
  const tables = Map.groupBy(all, ({ type, bins, n, residence }) =>
    [type, `${bins} bins`, `n = ${n}`, residence].join(", "),
  );
  for (const [title, rows] of tables) printTable(title, rows);
  for (const [name, note] of Object.entries(notes ?? {})) {
    const text = JSON.stringify(note);
    // A long table is better read in the file.
    console.log(`${name}: ${text.length > LONG ? `${text.length} characters, see the file` : text}`);
  }
}

function printTable(title: string, rows: readonly Row[]): void {
  const distributions = [...new Set(rows.map(({ distribution }) => distribution))];
  const byName = Map.groupBy(rows, nameOf);
  const width = Math.max(...[...byName.keys()].map((name) => name.length), 20) + 1;
  console.log(`\n${title}: medians in GB/s`);
  console.log([" ".repeat(width), ...distributions.map((name) => name.padStart(9))].join(""));
  for (const [name, own] of byName) {
    const cells = distributions.map((distribution) => {
      const row = own.find((one) => one.distribution === distribution);
      return row === undefined ? "-" : row.gbps.toFixed(row.gbps < 100 ? 2 : 0) + (row.exact ? "" : "!");
    });
    const [spread] = spreadsOf(own);
    const least = Math.min(...own.map(({ ceilingPercent }) => ceilingPercent ?? 0));
    console.log(
      name.padEnd(width) +
        cells.map((text) => text.padStart(9)).join("") +
        `  ${(median(own[0]!.ms) * 1000).toFixed(1)} us` +
        (spread === undefined ? "" : `  worst/best ${spread.worstOverBest.toFixed(3)}`) +
        (least > 0 ? `  >= ${least.toFixed(1)}%` : ""),
    );
  }
}

/** Names a row, with its backend if the file has several, and its threads if they were chosen. */
function nameOf(row: Row): string {
  const backend = row.peer === null && row.threads !== undefined ? `${row.backend} ` : "";
  return backend + labelOf(row) + (row.threads === undefined ? "" : `, ${plural(row.threads, "thread")}`);
}
