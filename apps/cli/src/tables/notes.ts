import type { BadRows, Table } from "@polybin/columns";
import { inputName, plural } from "../base/index.ts";
import { note, warn } from "../terminal/index.ts";

/** Says by which options tables are read that were guessed from their first rows. */
export function tellGuesses(tables: readonly Table[]): void {
  const told = new Map<string, string[]>();
  const tell = (name: string, line: string): unknown => told.set(line, [...(told.get(line) ?? []), name]);
  for (const { name, guessed = {} } of tables) {
    const { types, ...options } = guessed;
    const dialect = Object.entries(options).map(([option, value]) => `--${option} ${shown(value)}`);
    if (dialect.length > 0) tell(name, `${dialect.join(" ")}, by which the first rows are alike`);
    if (types !== undefined) tell(name, `--types ${shown(typesText(types))}, as other files show them`);
  }
  for (const [line, [first, ...more]] of told) {
    // A separator alone leaves nothing out, nor does a wider type.
    const say = /--(?!separator|types)/.test(line) ? warn : note;
    const others = more.length === 0 ? "" : ` and ${plural(more.length, "more file")}`;
    say(`${inputName(first!)}${others}: read with ${line}`);
  }
}

/** As --types takes them. */
const typesText = (types: unknown): string =>
  Object.entries(types as Readonly<Record<string, string>>)
    .map(([name, type]) => `${name}=${type}`)
    .join();

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
