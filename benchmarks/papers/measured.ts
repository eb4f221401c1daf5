import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { WeightedSlug } from "@polybin/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../result.schema.json" with { type: "json" };
import type { Machine, Published, Results, Row, Weighted } from "../src/runner/row.ts";
import { PUBLISHED_COUNTERS, type PublishedCounters } from "../src/suites/published.ts";
import type { Terms } from "../src/suites/table1-terms.ts";

/** A result file. */
export interface Source {
  /** File name without folder and extension, such as `cuda-trish`. */
  readonly name: string;
  readonly results: Results;
}

/** Backends for figures that need a GPU. The first with rows is shown; workers take the place of a missing GPU. */
export const BACKENDS = ["cuda", "webgpu", "piscina"] as const;
export type Shown = (typeof BACKENDS)[number];

/** The kind of device that a figure needs. */
export type Needs = "gpu" | "cpu";

/** A row of a feature table. */
export type SumsRow = Row & { readonly weighted: Weighted };

/** A row of a kernel as published. */
export type PublishedRow = Row & { readonly published: Published };

/** From this day on the hybrid chooses for floats and for skipped zeros anew. Before, it kept its choice of other calls. */
const OWN_CHOICES = "2026-11-22";

/** Whether the hybrid may have made the choice of a row for another kind of call. */
function isBorrowed({ algorithm, weighted: { precision, skip } }: SumsRow): boolean {
  return algorithm === "weighted-hybrid" && (precision === "fast" || skip);
}

/** A row measured below this share of the highest clock of its file is left out. The GPU had not woken up. */
const LEAST_CLOCK = 0.85;

/** Returns a file without the rows of its GPU that were measured at a low clock, as if nobody had measured them. */
function atFullClock({ name, results }: Source): Source {
  const highest = Math.max(...results.rows.map(({ clocks }) => clocks?.sm ?? 0));
  const isFull = ({ threads, clocks }: Row) =>
    clocks === undefined || threads !== undefined || clocks.sm >= LEAST_CLOCK * highest;
  return { name, results: { ...results, rows: results.rows.filter(isFull) } };
}

/** Rows of result files, the newest file last, so that newer measurements replace older ones. */
export class Measured {
  readonly sources: readonly Source[];
  readonly backend: Shown;
  readonly #used = new Set<string>();

  constructor(sources: readonly Source[], backend: Shown) {
    this.sources = sources.map(atFullClock).toSorted((a, b) => (a.results.date < b.results.date ? -1 : 1));
    this.backend = backend;
  }

  /** The files whose rows or notes were read so far. */
  get used(): ReadonlySet<string> {
    return this.#used;
  }

  /** Returns rows of one file, named in full. */
  rowsOf(file: string, is: (row: Row) => boolean): Row[] {
    return this.#each(
      this.sources.filter(({ name }) => name === file),
      ({ results }) => results.rows.filter(is),
    );
  }

  /** Returns exact rows of the shown backend from the files `<backend>-<name>`. */
  rows(...files: readonly string[]): Row[] {
    return this.#each(this.#files(files), ({ results }) =>
      results.rows.filter(({ backend, exact, weighted }) => backend === this.backend && (exact || weighted)),
    );
  }

  /** Returns rows of the papers' kernels as published, by figures: "brown-snoeyink Figure 6". Only CUDA has them. */
  published(...figures: readonly string[]): PublishedRow[] {
    if (this.backend !== "cuda") return [];
    return this.#each(this.sources, ({ results }) =>
      results.rows.filter(
        (row): row is PublishedRow =>
          (row.exact || row.published?.wrong !== undefined) &&
          (row.published?.figures.some((one) => figures.includes(`${row.published?.paper} ${one}`)) ?? false),
      ),
    );
  }

  /** Returns ncu's counters of kernels as published, each with its row, by figure. */
  publishedCounters(figure: string): { readonly row: PublishedRow; readonly terms: Terms }[] {
    const rows = this.published(figure);
    const all = (this.note("published", PUBLISHED_COUNTERS) ?? []) as readonly PublishedCounters[];
    return all.flatMap((one) => {
      const row = rows.find(
        ({ peer, variant, bins, n, distribution }) =>
          peer === one.peer &&
          variant === one.variant &&
          bins === one.bins &&
          n === one.n &&
          distribution === one.distribution,
      );
      return row === undefined ? [] : [{ row, terms: one.terms }];
    });
  }

  /** Returns the cells of a figure by Xu et al. from any file, without the hybrid's rows of borrowed choices. */
  sums(figure: string): SumsRow[] {
    return this.#each(this.sources, ({ results }) =>
      results.rows.filter(
        (row): row is SumsRow =>
          row.backend === this.backend &&
          (row.weighted?.figures?.includes(figure) ?? false) &&
          (results.date >= OWN_CHOICES || !isBorrowed(row as SumsRow)),
      ),
    );
  }

  /** Returns rows of the CPU with the most cores: ours on workers or one thread, and peers'. */
  cpu(...names: readonly string[]): Row[] {
    const files = widest(this.sources.filter(({ name }) => names.includes(name.replace(/^piscina-/, ""))));
    return this.#each(files, ({ results }) => results.rows.filter(({ exact }) => exact));
  }

  /** Returns a note of the newest file that has it. */
  note(file: string, name: string): unknown {
    const found = this.#files([file]).findLast(({ results }) => results.notes?.[name] !== undefined);
    if (found !== undefined) this.#used.add(found.name);
    return found?.results.notes?.[name];
  }

  /** Gathers something of several files, and remembers the files that have it. */
  #each<T>(files: readonly Source[], find: (source: Source) => T[]): T[] {
    return files.flatMap((source) => {
      const found = find(source);
      if (found.length > 0) this.#used.add(source.name);
      return found;
    });
  }

  #files(names: readonly string[]): Source[] {
    return this.sources.filter(({ name }) => names.some((file) => name === `${this.backend}-${file}`));
  }
}

/** The product's names of Xu et al.'s methods, by which their figures choose rows. */
const ALGORITHMS: Readonly<Record<string, WeightedSlug>> = {
  "Xu collision-free": "weighted-collision-free",
  "Xu collision": "weighted-collision",
  "Xu collision-reduced": "weighted-collision-reduced",
  "Xu hybrid": "weighted-hybrid",
};

/** Xu et al.'s kernels as published, in the place of ours. There are no rows and notes of ours. */
export class AsPublished extends Measured {
  readonly #of: Measured;

  constructor(of: Measured) {
    super(of.sources, of.backend);
    this.#of = of;
  }

  override rows(): Row[] {
    return [];
  }

  /** Their loop on one thread takes the place of ours. */
  override cpu(): Row[] {
    const rows = this.#of.published("xu Table 4").filter(({ threads }) => threads === 1);
    return rows.map((row) => ({ ...row, algorithm: "weighted-sequential" }));
  }

  override note(): unknown {
    return undefined;
  }

  override sums(figure: string): SumsRow[] {
    return this.#of.published(`xu ${figure}`).flatMap((row) => {
      const { method, launch } = row.published;
      const algorithm = ALGORITHMS[method];
      if (row.weighted === undefined || algorithm === undefined || launch !== "paper") return [];
      return [{ ...row, weighted: row.weighted, algorithm }];
    });
  }
}

/** Whether a backend has a file among the sources. */
export function hasFiles(sources: readonly Source[], backend: Shown): boolean {
  return sources.some(({ name }) => name.startsWith(`${backend}-`));
}

/** Names the machine that measured a figure, with the parts that matter. */
export function machineOf({ sources, backend }: Measured, needs: Needs): string {
  const of = (files: readonly Source[], name: (machine: Machine) => string | null) =>
    [...new Set(files.map(({ results }) => name(results.machine)).filter((text) => text !== null))].join(
      ", ",
    );
  if (needs === "gpu" && backend !== "piscina") {
    const files = sources.filter(({ name }) => name.startsWith(`${backend}-`));
    // WebGPU appends the driver's name in brackets.
    return `${of(files, ({ gpu }) => gpu?.replace(/ \(.*\)$/, "") ?? null)}, ${backend}`;
  }
  const own = needs === "gpu" ? sources.filter(({ name }) => name.startsWith(`${backend}-`)) : [];
  const files = own.length > 0 ? own : widest(sources.filter(({ name }) => isCpuFile(name)));
  const machine = of(files, ({ cpu, cores }) => `${cpu}, ${cores} cores`);
  return needs === "gpu" ? `${machine}, workers` : machine;
}

/** Keeps the files of the CPU with the most cores, because the papers' figures vary the number of threads. */
function widest(files: readonly Source[]): Source[] {
  const most = Math.max(...files.map(({ results }) => results.machine.cores));
  return files.filter(({ results }) => results.machine.cores === most);
}

/** Whether a file holds no GPU's rows. */
function isCpuFile(name: string): boolean {
  return !/^(cuda|webgpu|conformance)-/.test(name);
}

/** Files that belong to no paper: axes, whole calls, segments and leaks. */
const OTHERS = /\b(axes|calls|segments|leak)\b/;

/** Compiled when the first file is read. */
let validator: ReturnType<Ajv2020["compile"]> | undefined;

/** Reads the result files of a folder. @throws an Error of one line if a file is no result file */
export function readFolder(folder: string): Source[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json") && !OTHERS.test(file))
    .sort()
    .flatMap((file): Source[] => {
      const results = parsed(join(folder, file));
      // The conformance suite writes other files to the same folder.
      if ((results as Partial<Results> | null)?.schema !== 1) return [];
      validator ??= new Ajv2020({ allowUnionTypes: true }).compile(schema);
      if (validator(results)) return [{ name: basename(file, ".json"), results: results as Results }];
      const [{ instancePath, message } = {}] = validator.errors ?? [];
      throw new Error(`${file}: ${instancePath || "the file"} ${message}`);
    });
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${basename(file)}: ${(cause as Error).message}`);
  }
}
