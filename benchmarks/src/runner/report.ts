import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { fingerprintsOf } from "../sources/fingerprints.ts";
import { NotExact } from "./contest.ts";
import { clocks, commitOf, driver, machine } from "./machine.ts";
import type { Clocks, Machine, Results, Row } from "./row.ts";
import { spreadsOf } from "./spreads.ts";
import { medianInterval } from "./statistics.ts";

export interface ReportOptions {
  readonly commit?: string;
  readonly quiet?: boolean;
  /** Whether a row of an older file of the same commit and machine stays. Default: the new file replaces the old one. */
  readonly keep?: ((row: Row) => boolean) | undefined;
}

/** Signals that end a run. */
const ENDING = ["SIGINT", "SIGTERM"] as const;

/** The least milliseconds between two writes of a result file. */
const SAVE_MS = 1000;

/** The content of a result file, without derived values. */
export interface Findings extends Pick<Results, "rows" | "missing" | "notes"> {
  /** Backends and algorithms of notes that have no rows. */
  readonly noted?: readonly Pick<Row, "backend" | "algorithm">[];
  readonly commit: string;
  /** The GPU and its driver, which only the code that opened it knows. */
  readonly gpu?: Pick<Machine, "gpu" | "driver">;
}

export function resultsOf({ rows, noted = [], missing, notes, commit, gpu }: Findings): Results {
  const sources = fingerprintsOf([...rows, ...noted]);
  return {
    schema: 1,
    commit,
    date: new Date().toISOString(),
    machine: { ...machine(), ...gpu },
    sources,
    notes,
    spreads: spreadsOf(rows),
    rows,
    missing,
  };
}

/** Writes a result file. The file grows while the suite runs, so that a killed run keeps its rows. */
export class Report {
  readonly rows: Row[] = [];
  readonly missing: string[] = [];
  readonly #file: string;
  readonly #gpu: NonNullable<Findings["gpu"]>;
  /** The GPU of rows that are kept. */
  #kept: NonNullable<Findings["gpu"]> | null = null;
  readonly #commit: string;
  readonly #quiet: boolean;
  readonly #noted: Pick<Row, "backend" | "algorithm">[] = [];
  #notes: Record<string, unknown> | undefined;
  #saved = 0;
  #read: { readonly at: number; readonly clocks: Clocks | null } | null = null;

  /**
   * @param gpu the device's name; null without a GPU
   * @param options `quiet`: whether only the file lists missing cells
   */
  constructor(
    file: string,
    gpu: string | null,
    { commit = commitOf(), quiet = false, keep }: ReportOptions = {},
  ) {
    this.#file = file;
    if (keep !== undefined && existsSync(file)) {
      const old = JSON.parse(readFileSync(file, "utf8")) as Results;
      // A run without a GPU's cells names none.
      const { gpu: had, driver: by } = old.machine;
      const here = { ...machine(), gpu: had, driver: by };
      const isSame =
        old.commit === commit &&
        (gpu === null || gpu === had) &&
        JSON.stringify(old.machine) === JSON.stringify(here);
      if (isSame) {
        this.rows.push(...old.rows.filter(keep));
        this.#kept = { gpu: had, driver: by };
      }
      if (!isSame) console.log(`${file}: its rows of another commit or machine are dropped`);
    }
    mkdirSync(dirname(file), { recursive: true });
    this.#gpu = { gpu, driver: gpu === null ? null : driver() };
    this.#commit = commit;
    this.#quiet = quiet;
    // Only the current report must be saved.
    for (const signal of ENDING) {
      process.removeAllListeners(signal);
      // The handler stays, because ^C arrives twice, from the terminal and from the parent process. Without it the second
      // signal would interrupt the save.
      process.on(signal, () => {
        this.missing.push("the rest: a signal ended the run");
        this.save();
        process.exit(128 + constants.signals[signal]);
      });
    }
  }

  /** Adds a row, with the interval of its median and, on a GPU, the clocks. */
  add(row: Row): Row {
    const interval = medianInterval(row.ms);
    const clocks = row.clocks ?? this.#clocks();
    this.rows.push({ ...row, ...(interval && { interval }), ...(clocks && { clocks }) });
    if (performance.now() - this.#saved > SAVE_MS) this.save();
    return row;
  }

  /** Returns the GPU's clocks, read at most once a second, because a row may take less time than the reading. */
  #clocks(): Clocks | undefined {
    if (this.#gpu.gpu === null) return undefined;
    const now = performance.now();
    if (this.#read === null || now - this.#read.at > SAVE_MS) this.#read = { at: now, clocks: clocks() };
    return this.#read.clocks ?? undefined;
  }

  /** Records a missing cell or peer, and why it is missing. */
  miss(what: string): void {
    this.missing.push(what);
    if (!this.#quiet) console.log(`missing: ${what}`);
    this.save();
  }

  /** Records a cell that failed. The run fails if a result of ours was not exact. */
  lose(what: string, error: Error, peer: string | null = null): void {
    this.miss(`${what}: ${error.message}`);
    if (error instanceof NotExact && peer === null) process.exitCode = 1;
  }

  /** Records a missing cell or peer once. */
  missOnce(what: string): void {
    if (!this.missing.includes(what)) this.miss(what);
  }

  /** Adds a note. @param of the backend and algorithm that it depends on, if no row does */
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

  /** Returns the content of the file. */
  results(): Results {
    const { rows, missing } = this;
    const [noted, notes, commit] = [this.#noted, this.#notes, this.#commit];
    const gpu = this.#gpu.gpu === null ? (this.#kept ?? this.#gpu) : this.#gpu;
    return resultsOf({ rows, noted, missing, notes, commit, gpu });
  }
}
