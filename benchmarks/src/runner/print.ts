import { labelOf, type Results, type Row, spreadsOf } from "./row.ts";
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
  const names = [...new Set(rows.map(nameOf))];
  const width = Math.max(...names.map((name) => name.length), 20) + 1;
  const spreads = new Map(spreadsOf(rows).map((spread) => [nameOf({ ...rows[0]!, ...spread }), spread]));
  console.log(`\n${title}: medians in GB/s`);
  console.log([" ".repeat(width), ...distributions.map((name) => name.padStart(9))].join(""));
  for (const name of names) {
    const cells = distributions.map((distribution) => {
      const row = rows.find((one) => nameOf(one) === name && one.distribution === distribution);
      if (row === undefined) return "-";
      const digits = row.gbps < 100 ? 2 : 0;
      return row.gbps.toFixed(digits) + (row.exact ? "" : "!");
    });
    const spread = spreads.get(name);
    const percents = rows
      .filter((row) => nameOf(row) === name)
      .map(({ ceilingPercent }) => ceilingPercent ?? 0);
    const us = median(rows.find((row) => nameOf(row) === name)!.ms) * 1000;
    console.log(
      name.padEnd(width) +
        cells.map((text) => text.padStart(9)).join("") +
        `  ${us.toFixed(1)} us` +
        (spread === undefined ? "" : `  worst/best ${spread.worstOverBest.toFixed(3)}`) +
        (Math.min(...percents) > 0 ? `  >= ${Math.min(...percents).toFixed(1)}%` : ""),
    );
  }
}

/** Names a row, with its threads if they were chosen. */
function nameOf(row: Row): string {
  const { threads } = row;
  const count = threads === undefined ? [] : [`${threads} thread${threads === 1 ? "" : "s"}`];
  return [labelOf(row), ...count].join(", ");
}
