import { PolybinError, type Slug } from "@polybin/core";
import { algorithms, limits, SLUGS } from "@polybin/core/backend";
import { Option } from "commander";
import { parseNumber, parseWhole } from "../base/index.ts";
import { BACKEND_IDS } from "../engine/index.ts";
import { choice } from "./option.ts";

/** The options that decide where and how a command counts, as they were typed. */
export interface WorkOptions {
  readonly backend: string;
  readonly algorithm: string;
  readonly k?: string;
  readonly threads?: string;
}

/** Where and how a command counts. */
export interface WorkRequest {
  readonly backend: string;
  readonly algorithm: Slug | "auto";
  readonly k: number | undefined;
  readonly threads: number | undefined;
}

/** `--backend`, which every counting command has. */
export function backendOption(auto: string): Option {
  const ids = BACKEND_IDS.join(", ");
  return choice("--backend <ID>", `backend: ${ids}, or auto, which takes ${auto}`, [
    "auto",
    ...BACKEND_IDS,
  ]).default("auto");
}

/** `--algorithm`, for commands that count. */
export function algorithmOption(): Option {
  return choice("--algorithm <SLUG>", "algorithm: auto, or one that `polybin backends --verbose` lists", [
    "auto",
    ...SLUGS,
  ]).default("auto");
}

/** `--threads`, for the backends that have threads. */
export function threadsOption(): Option {
  const most = `1 to ${limits.MAX_THREADS}`;
  return new Option(
    "--threads <N>",
    `threads of native, piscina and cpu, ${most} (default: as many as the machine runs at once)`,
  );
}

/** `--k`, a parameter of one algorithm. */
export function kOption(): Option {
  return new Option("--k <K>", "parameter of trish: words that a thread bins between two sums, 1 to 63");
}

/** Reads the options. @throws ERR_INPUT, ERR_UNSUPPORTED */
export function parseWork(options: WorkOptions): WorkRequest {
  return {
    backend: options.backend,
    algorithm: parseAlgorithm(options.algorithm, SLUGS),
    k: parseK(options),
    threads: parseThreads(options.threads),
  };
}

/** Reads `--algorithm`. @throws ERR_UNSUPPORTED */
export function parseAlgorithm<S extends string>(text: string, slugs: readonly S[]): S | "auto" {
  if (text === "auto" || (slugs as readonly string[]).includes(text)) return text as S | "auto";
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected auto or one of ${slugs.join(", ")} for --algorithm but received ${JSON.stringify(text)}`,
  );
}

function parseK({ k, algorithm }: Pick<WorkOptions, "k" | "algorithm">): number | undefined {
  if (k === undefined) return undefined;
  const value = parseNumber(k, "--k");
  const takers = SLUGS.filter((slug) => "k" in algorithms[slug].parameters);
  if (!takers.includes(algorithm as Slug)) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected --algorithm ${takers.join(" or ")} with --k but received ${algorithm}, which does not take it`,
    );
  }
  return value;
}

/** Reads `--threads`, whose limit core defines. @throws ERR_INPUT */
export function parseThreads(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseWhole(text, "--threads", 1, limits.MAX_THREADS);
}
