import type { BadRows, Table } from "@polybin/columns";
import { inputName, plural } from "../base/index.ts";
import { note, warn } from "../terminal/index.ts";

/** Says by which options tables are read that were guessed from their first rows. */
export function tellGuesses(tables: readonly Table[]): void {
  const told = new Map<string, string[]>();
  for (const { name, guessed = {} } of tables) {
    const options = Object.entries(guessed).map(([option, value]) => `--${option} ${shown(value)}`);
    if (options.length === 0) continue;
    const line = options.join(" ");
    told.set(line, [...(told.get(line) ?? []), name]);
  }
  for (const [line, [first, ...more]] of told) {
    // A separator alone leaves nothing out.
    const tell = /--(?!separator)/.test(line) ? warn : note;
    const others = more.length === 0 ? "" : ` and ${plural(more.length, "more file")}`;
    tell(`${inputName(first!)}${others}: read with ${line}, by which the first rows are alike`);
  }
}

/** As a shell takes it. */
function shown(value: unknown): string {
  if (value === null) return "none";
  if (value === "\t") return "tab";
  return typeof value === "number" ? String(value) : `'${value === "'" ? "'\\''" : value}'`;
}

/** The rows that were left out, by the names of tables. */
export class LeftOut {
  readonly #tables = new Map<string, BadRows>();

  /** Takes what a table left out so far. */
  see({ name, badRows }: Pick<Table, "name" | "badRows">): void {
    const before = this.#tables.get(name);
    if (badRows && badRows.rows >= (before?.rows ?? 0)) this.#tables.set(name, badRows);
  }

  /** Warns of them. */
  tell(): void {
    for (const [name, { rows, first }] of this.#tables)
      warn(`${inputName(name)}: ${plural(rows, "row")} left out by --bad-rows skip; ${first}`);
  }
}
