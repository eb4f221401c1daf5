import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { fingerprintsOf } from "../sources/fingerprints.ts";
import { NotExact } from "./contest.ts";
import { commitOf, driver, machine } from "./machine.ts";
import { type Machine, type Results, type Row, spreadsOf } from "./row.ts";

export interface ReportOptions {
  readonly commit?: string;
  readonly quiet?: boolean;
}

/** What ends a run: ^C, and a polite kill. */
const ENDING = ["SIGINT", "SIGTERM"] as const;

/** Milliseconds between two versions of a result file. */
const SAVE_MS = 1000;

/** What a result file holds besides what is worked out from it. */
export interface Findings extends Pick<Results, "rows" | "missing" | "notes"> {
  /** What the notes are of, where no row is. */
  readonly noted?: readonly Pick<Row, "backend" | "algorithm">[];
  readonly commit: string;
  /** What only those who opened it know of the GPU. */
  readonly gpu?: Pick<Machine, "gpu" | "driver">;
}

export function resultsOf({ rows, noted = [], missing, notes, commit, gpu }: Findings): Results {
  const sources = fingerprintsOf([...rows, ...noted]);
  return {
    schema: 1,
    commit,
    date: new Date().toISOString(),
    machine: { ...machine(), ...gpu },
    ...(sources === undefined ? {} : { sources }),
    ...(notes === undefined ? {} : { notes }),
    spreads: spreadsOf(rows),
    rows,
    missing,
  };
}

/** The one writer of result files. It grows on disk while the suite runs, so that a run that is killed leaves what it found. */
export class Report {
  readonly rows: Row[] = [];
  readonly missing: string[] = [];
  readonly #file: string;
  readonly #gpu: NonNullable<Findings["gpu"]>;
  readonly #commit: string;
  readonly #quiet: boolean;
  readonly #noted: Pick<Row, "backend" | "algorithm">[] = [];
  #notes: Record<string, unknown> | undefined;
  #saved = 0;

  /** `gpu`: the device's name, null where no GPU is at work. `quiet`: what is missing is told in the file alone. */
  constructor(file: string, gpu: string | null, { commit = commitOf(), quiet = false }: ReportOptions = {}) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
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

  /** A cell that failed. A run in which a cell came out wrong has failed, too. */
  lose(what: string, error: Error): void {
    this.miss(`${what}: ${error.message}`);
    if (error instanceof NotExact) process.exitCode = 1;
  }

  /** The same, told only the first time. */
  missOnce(what: string): void {
    if (!this.missing.includes(what)) this.miss(what);
  }

  /** `of`: whose code the note vouches for, where no row does. */
  note(name: string, value: unknown, of?: Pick<Row, "backend" | "algorithm">): void {
    this.#notes = { ...this.#notes, [name]: value };
    if (of !== undefined) this.#noted.push(of);
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
    return resultsOf({ rows, noted: this.#noted, missing, commit: this.#commit, gpu: this.#gpu, ...notes });
  }
}
