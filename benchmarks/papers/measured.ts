import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../result.schema.json" with { type: "json" };
import type { Machine, Results, Row, Weighted } from "../src/runner/row.ts";

/** A result file. */
export interface Source {
  /** Without folder and ending, such as `cuda-trish`. */
  readonly name: string;
  readonly results: Results;
}

/** Backends whose rows are shown for what needs a GPU, the first that has any; workers stand in where there is none. */
export const BACKENDS = ["cuda", "webgpu", "piscina"] as const;
export type Shown = (typeof BACKENDS)[number];

/** What a figure is measured on. */
export type Needs = "gpu" | "cpu";

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

/** Has a backend a file there? */
export function hasFiles(sources: readonly Source[], backend: Shown): boolean {
  return sources.some(({ name }) => name.startsWith(`${backend}-`));
}

/** What some files hold, of the first backend that is a GPU's, else of workers. */
export function measuredOf(sources: readonly Source[], wanted?: Shown): Measured {
  return new Measured(sources, wanted ?? BACKENDS.find((id) => hasFiles(sources, id)) ?? "piscina");
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

/** Files that are no paper's: of the axes, of whole calls, of segments, and of what leaks. */
const OTHERS = /\b(axes|calls|segments|leak)\b/;

/** Compiled once there is a file. */
let validator: ReturnType<Ajv2020["compile"]> | undefined;

/** The result files of a folder that figures are read from. @throws Error of one line where a file is none */
export function readFolder(folder: string): Source[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json") && !OTHERS.test(file))
    .sort()
    .flatMap((file): Source[] => {
      const results = parsed(join(folder, file));
      // The conformance suite writes files of its own beside them.
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
