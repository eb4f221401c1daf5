import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Machine, Results, Row, Weighted } from "../src/result.ts";
import type { Needs } from "./model.ts";

/** A result file. */
export interface Source {
  /** Without folder and ending, such as `cuda-trish`. */
  readonly name: string;
  readonly results: Results;
}

/** Backends whose rows are shown for what needs a GPU, the first that has any; workers stand in where there is none. */
const GPU_BACKENDS = ["cuda", "webgpu", "piscina"] as const;
type Shown = (typeof GPU_BACKENDS)[number];

/** A row of a feature table. */
export type SumsRow = Row & { readonly weighted: Weighted };

/** Rows of result files, the newest file last, so that what was measured again replaces what was there. */
export class Measured {
  readonly sources: readonly Source[];
  readonly backend: Shown;

  constructor(sources: readonly Source[], backend: Shown) {
    this.sources = sources.toSorted((a, b) => (a.results.date < b.results.date ? -1 : 1));
    this.backend = backend;
  }

  /** Exact rows of the backend that is shown, of the files with one of those names behind the backend's. */
  rows(...files: readonly string[]): Row[] {
    return this.#files(files).flatMap(({ results }) =>
      results.rows.filter(({ backend, exact, weighted }) => backend === this.backend && (exact || weighted)),
    );
  }

  /** Cells of a figure of Xu et al.'s, of any file. */
  sums(figure: string): SumsRow[] {
    return this.sources.flatMap(({ results }) =>
      results.rows.filter(
        (row): row is SumsRow =>
          row.backend === this.backend && (row.weighted?.figures?.includes(figure) ?? false),
      ),
    );
  }

  /** Rows of the CPU: our own on workers or one thread, and peers. */
  cpu(...names: readonly string[]): Row[] {
    return this.sources
      .filter(({ name }) => names.includes(name))
      .flatMap(({ results }) => results.rows)
      .filter(({ exact }) => exact);
  }

  /** What a file notes; the newest. */
  note(file: string, name: string): unknown {
    return this.#files([file])
      .map(({ results }) => results.notes?.[name])
      .findLast((note) => note !== undefined);
  }

  #files(names: readonly string[]): Source[] {
    return this.sources.filter(({ name }) => names.some((file) => name === `${this.backend}-${file}`));
  }
}

/** What some files hold, of the first backend that is a GPU's, else of workers. */
export function measuredOf(sources: readonly Source[], wanted?: string): Measured {
  const has = (id: string) => sources.some(({ name }) => name.startsWith(`${id}-`));
  const backend = GPU_BACKENDS.find((id) => (wanted === undefined ? has(id) : id === wanted));
  return new Measured(sources, backend ?? "piscina");
}

/** The machine that a figure was measured on, with what of it matters. */
export function machineOf({ sources, backend }: Measured, needs: Needs): string {
  const of = (files: readonly Source[], name: (machine: Machine) => string | null) =>
    [...new Set(files.map(({ results }) => name(results.machine)).filter((text) => text !== null))].join(
      ", ",
    );
  if (needs === "gpu" && backend !== "piscina") {
    const files = sources.filter(({ name }) => name.startsWith(`${backend}-`));
    // WebGPU adds the driver's name in brackets.
    return `${of(files, ({ gpu }) => gpu?.replace(/ \(.*\)$/, "") ?? null)}, ${backend}`;
  }
  const files = sources.filter(({ name }) => isCpuFile(name));
  const machine = of(files, ({ cpu, cores }) => `${cpu}, ${cores} cores`);
  return needs === "gpu" ? `${machine}, workers` : machine;
}

/** Not one of a GPU's. */
function isCpuFile(name: string): boolean {
  return !/^(cuda|webgpu|conformance)-/.test(name);
}

/** Files of `polybin bench`: its axes are no paper's. */
const AXES = /\baxes\b/;

/** The result files of a folder that figures are read from. */
export function readFolder(folder: string): Source[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json") && !AXES.test(file))
    .sort()
    .flatMap((file): Source[] => {
      const results = JSON.parse(readFileSync(join(folder, file), "utf8")) as Partial<Results>;
      // The conformance suite writes files of its own beside them.
      return results.schema === 1 ? [{ name: basename(file, ".json"), results: results as Results }] : [];
    });
}
