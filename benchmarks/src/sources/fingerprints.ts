import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SLUGS, WEIGHTED_SLUGS } from "@polybin/core/backend";
import { BACKENDS, KernelHashes } from "./kernels.ts";
import { plansOf } from "./plans.ts";

/** Hashes of what an algorithm's rows on a backend depend on. */
export interface Fingerprint {
  /** Hash of its kernels' files, and of those that all kernels share. */
  readonly kernel: string;
  /** Hash of core's plans for it on a device of its kind. */
  readonly plans: string;
}

/** The backend and algorithm of a row. A peer's code is not ours. */
export interface Named {
  readonly backend: string | null;
  readonly algorithm: string | null;
}

/** Fingerprints by backend and algorithm. */
export type Fingerprints = Readonly<Record<string, Readonly<Record<string, Fingerprint>>>>;

/** The hybrid has no kernel. It chooses and runs one of these. */
const HYBRID = "weighted-hybrid";
const CHOSEN: readonly string[] = WEIGHTED_SLUGS.filter(
  (slug) => slug !== HYBRID && slug !== "weighted-sequential",
);
const ALL: readonly string[] = [...SLUGS, ...WEIGHTED_SLUGS];

const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));
/** The file next to the program in an archive. */
const PACKED: string = fileURLToPath(new URL("./fingerprints.json", import.meta.url));

/** Computes fingerprints from a checkout's sources. */
export class Fingerprinter {
  readonly #kernels: KernelHashes;
  readonly #plans = new Map<string, unknown>();

  constructor(root: string = ROOT) {
    this.#kernels = new KernelHashes(root, ALL);
  }

  /** Returns the fingerprint of one algorithm on one backend; null if it does not exist. */
  of(backend: string, algorithm: string): Fingerprint | null {
    const methods = algorithm === HYBRID ? CHOSEN : [algorithm];
    const kernel = this.#kernels.of(backend, [...new Set([algorithm, ...methods])]);
    if (kernel === null) return null;
    const plans = JSON.stringify(methods.map((slug) => this.#plansOf(backend, slug)));
    return { kernel, plans: createHash("sha256").update(plans).digest("hex").slice(0, kernel.length) };
  }

  /** Returns the fingerprints of all algorithms with sources. */
  all(): Fingerprints {
    return this.ofRows(BACKENDS.flatMap((backend) => ALL.map((algorithm) => ({ backend, algorithm }))));
  }

  /** Returns the fingerprints for rows. A peer's rows need none. */
  ofRows(rows: readonly Named[]): Fingerprints {
    return collected(rows, (backend, algorithm) => this.of(backend, algorithm));
  }

  #plansOf(backend: string, slug: string): unknown {
    const key = `${backend} ${slug}`;
    if (!this.#plans.has(key)) this.#plans.set(key, plansOf(backend, slug));
    return this.#plans.get(key);
  }
}

function collected(
  rows: readonly Named[],
  of: (backend: string, algorithm: string) => Fingerprint | null,
): Fingerprints {
  const found: Record<string, Record<string, Fingerprint>> = {};
  for (const { backend, algorithm } of rows) {
    if (backend === null || algorithm === null || found[backend]?.[algorithm]) continue;
    const one = of(backend, algorithm);
    if (one !== null) found[backend] = { ...found[backend], [algorithm]: one };
  }
  return found;
}

let here: Fingerprinter | undefined;
let packed: Fingerprints | undefined;

/** Returns the fingerprints for some rows, from an archive or from the current sources; undefined if there are none. */
export function fingerprintsOf(rows: readonly Named[]): Fingerprints | undefined {
  if (existsSync(PACKED)) {
    packed ??= JSON.parse(readFileSync(PACKED, "utf8")) as Fingerprints;
    const all = packed;
    return collected(rows, (backend, algorithm) => all[backend]?.[algorithm] ?? null);
  }
  if (!existsSync(join(ROOT, "packages"))) return undefined;
  here ??= new Fingerprinter();
  return here.ofRows(rows);
}
