import { execFileSync } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import type { Findings, Results, Row } from "./result.ts";
import { labelOf, median, resultsOf, spreadsOf } from "./result.ts";

export interface ReportOptions {
  readonly commit?: string;
  readonly quiet?: boolean;
}

/** What ends a run: ^C, and a polite kill. */
const ENDING = ["SIGINT", "SIGTERM"] as const;

/** Milliseconds between two versions of a result file. */
const SAVE_MS = 1000;

/** Milliseconds that a driver has to answer. */
const DRIVER_MS = 30_000;

/** Characters of a note that is not printed. */
const LONG = 2000;

/** A suite's result file. It grows on disk while the suite runs, so that a run that is killed leaves what it found. */
export class Report {
  readonly rows: Row[] = [];
  readonly missing: string[] = [];
  readonly #file: string;
  readonly #gpu: NonNullable<Findings["gpu"]>;
  readonly #commit: string;
  readonly #quiet: boolean;
  #notes: Record<string, unknown> | undefined;
  #saved = 0;

  /** `gpu`: the device's name, null where no GPU is at work. `quiet`: what is missing is told in the file alone. */
  constructor(file: string, gpu: string | null, { commit = bundled(), quiet = false }: ReportOptions = {}) {
    this.#file = file;
    this.#gpu = { gpu, driver: gpu === null ? null : driver() };
    this.#commit = commit;
    this.#quiet = quiet;
    // The report that is being written is the one to save.
    for (const signal of ENDING) {
      process.removeAllListeners(signal);
      // Stays: ^C comes from the terminal and from who started this, and without it the second would end the first's work.
      process.on(signal, () => {
        this.missing.push("the rest: the run was ended from outside");
        this.save();
        process.exit(128 + constants.signals[signal]);
      });
    }
  }

  add(row: Row): void {
    this.rows.push(row);
    if (performance.now() - this.#saved > SAVE_MS) this.save();
  }

  /** A cell or peer that is not there, and why. */
  miss(what: string): void {
    this.missing.push(what);
    if (!this.#quiet) console.log(`missing: ${what}`);
    this.save();
  }

  /** The same, told only the first time. */
  missOnce(what: string): void {
    if (!this.missing.includes(what)) this.miss(what);
  }

  note(name: string, value: unknown): void {
    this.#notes = { ...this.#notes, [name]: value };
    this.save();
  }

  save(): void {
    const results = this.results();
    const part = `${this.#file}.part`;
    writeFileSync(part, `${JSON.stringify(results)}\n`);
    renameSync(part, this.#file);
    this.#saved = performance.now();
  }

  /** What the file holds. */
  results(): Results {
    const { rows, missing } = this;
    const notes = this.#notes === undefined ? {} : { notes: this.#notes };
    return resultsOf({ rows, missing, commit: this.#commit, gpu: this.#gpu, ...notes });
  }

  /** Medians as tables, one for each type, bins and n. */
  print(): void {
    const tables = Map.groupBy(this.rows, ({ type, bins, n, residence }) =>
      [type, `${bins} bins`, `n = ${n}`, residence].join(", "),
    );
    for (const [title, rows] of tables) printTable(title, rows);
    for (const [name, note] of Object.entries(this.#notes ?? {})) {
      const text = JSON.stringify(note);
      // A whole table is read in the file.
      console.log(`${name}: ${text.length > LONG ? `${text.length} characters, see the file` : text}`);
    }
  }
}

function printTable(title: string, rows: readonly Row[]): void {
  const distributions = [...new Set(rows.map(({ distribution }) => distribution))];
  const names = [...new Set(rows.map(labelOf))];
  const width = Math.max(...names.map((name) => name.length), 20) + 1;
  const spreads = new Map(spreadsOf(rows).map((spread) => [labelOf({ ...rows[0]!, ...spread }), spread]));
  console.log(`\n${title}: GB/s, medians`);
  console.log([" ".repeat(width), ...distributions.map((name) => name.padStart(9))].join(""));
  for (const name of names) {
    const cells = distributions.map((distribution) => {
      const row = rows.find((one) => labelOf(one) === name && one.distribution === distribution);
      if (row === undefined) return "-";
      const digits = row.gbps < 100 ? 2 : 0;
      return row.gbps.toFixed(digits) + (row.exact ? "" : "!");
    });
    const spread = spreads.get(name);
    const percents = rows
      .filter((row) => labelOf(row) === name)
      .map(({ ceilingPercent }) => ceilingPercent ?? 0);
    const us = median(rows.find((row) => labelOf(row) === name)!.ms) * 1000;
    console.log(
      name.padEnd(width) +
        cells.map((text) => text.padStart(9)).join("") +
        `  ${us.toFixed(1)} us` +
        (spread === undefined ? "" : `  worst/best ${spread.worstOverBest.toFixed(3)}`) +
        (Math.min(...percents) > 0 ? `  >= ${Math.min(...percents).toFixed(1)}%` : ""),
    );
  }
}

/** Which bundle ran, when, and on what driver. */
export function provenance(): { readonly commit: string; readonly date: string; readonly driver: string } {
  return {
    commit: bundled(),
    date: new Date().toISOString(),
    driver: driver(),
  };
}

/** The commit that a bundle was made of. */
function bundled(): string {
  return process.env.POLYBIN_COMMIT ?? "unknown";
}

function driver(): string {
  try {
    const query = ["--query-gpu=driver_version", "--format=csv,noheader"];
    return execFileSync("nvidia-smi", query, { encoding: "utf8", stdio: "pipe", timeout: DRIVER_MS })
      .split("\n")[0]!
      .trim();
  } catch {
    return "unknown";
  }
}
