import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { limits, SLUGS, WEIGHTED_SLUGS } from "@polybin/core/backend";
import { languageOf } from "./declarations.ts";
import { plansOf } from "./plans.ts";
import { Reach, type Roots, type Source } from "./reach.ts";

/** What an algorithm's rows on a backend depend on, in hashes. */
export interface Fingerprint {
  /** Of the source that runs, and of the constants in it. */
  readonly kernel: string;
  /** Of what core plans for it on a device of its kind. */
  readonly plans: string;
}

/** Whose code it is; a peer's is nobody's of ours. */
export interface Named {
  readonly backend: string | null;
  readonly algorithm: string | null;
}

/** By backend and algorithm. */
export type Fingerprints = Readonly<Record<string, Readonly<Record<string, Fingerprint>>>>;

/** Where a backend's sources lie, and where counting starts in them. */
const BACKENDS: Readonly<Record<string, Roots & { readonly folders: readonly string[] }>> = {
  cpu: { folders: ["packages/core/src"], names: ["cpu"] },
  piscina: { folders: ["packages/piscina/src"], names: ["main", "deviceLimits"] },
  webgpu: { folders: ["packages/webgpu/src"], names: ["deviceLimits"], aside: ["read", "extent"] },
  cuda: {
    folders: ["packages/cuda/src", "packages/cuda/native"],
    names: ["limitsOf"],
    aside: ["read", "extent"],
  },
};

/** It has no kernel: it chooses, and what it runs is one of these. */
const HYBRID = "weighted-hybrid";
const CHOSEN: readonly string[] = WEIGHTED_SLUGS.filter(
  (slug) => slug !== HYBRID && slug !== "weighted-sequential",
);

/** Files that the build makes of others, by their folder or first line: they may not be here yet, and tell nothing new. */
const GENERATED = /(^|\/)generated\//;
const MADE = /^\/\/ (Made|Generated|Written) /;

const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));
/** Beside the program, where that is part of an archive. */
const PACKED: string = fileURLToPath(new URL("./fingerprints.json", import.meta.url));

/** Works out fingerprints from a checkout's sources, or reads them where an archive has them; asks each only once. */
export class Fingerprinter {
  readonly #root: string;
  readonly #reach = new Map<string, Reach>();
  readonly #known = new Map<string, Fingerprint | null>();

  constructor(root: string = ROOT) {
    this.#root = root;
  }

  /** Of one algorithm on one backend; null where it is not there. */
  of(backend: string, algorithm: string): Fingerprint | null {
    const key = `${backend} ${algorithm}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#find(backend, algorithm);
    this.#known.set(key, found);
    return found;
  }

  /** Of all algorithms that have sources here. */
  all(): Fingerprints {
    return this.#collect(
      Object.keys(BACKENDS).flatMap((backend) =>
        [...SLUGS, ...WEIGHTED_SLUGS].map((algorithm) => ({ backend, algorithm })),
      ),
    );
  }

  /** Of what rows depend on; a peer's depend on nothing of ours. */
  ofRows(rows: readonly Named[]): Fingerprints {
    return this.#collect(rows);
  }

  #collect(pairs: readonly Named[]): Fingerprints {
    const found: Record<string, Record<string, Fingerprint>> = {};
    for (const { backend, algorithm } of pairs) {
      if (backend === null || algorithm === null || found[backend]?.[algorithm]) continue;
      const one = this.of(backend, algorithm);
      if (one !== null) found[backend] = { ...found[backend], [algorithm]: one };
    }
    return found;
  }

  #find(backend: string, algorithm: string): Fingerprint | null {
    const where = BACKENDS[backend];
    if (where === undefined) return null;
    const methods = algorithm === HYBRID ? CHOSEN : [algorithm];
    const reach = this.#reachOf(backend, where.folders);
    const texts = [...new Set([algorithm, ...methods])].map((slug) => reach.of(slug, where));
    const kernels = texts.flatMap((text) => text ?? []);
    if (kernels.length === 0) return null;
    const plans = methods.map((slug) => plansOf(backend, slug));
    return {
      kernel: hashOf([...new Set(kernels)].sort().concat(constantsIn(kernels))),
      plans: hashOf(plans),
    };
  }

  #reachOf(backend: string, folders: readonly string[]): Reach {
    const known = this.#reach.get(backend);
    if (known !== undefined) return known;
    const sources = folders.flatMap((folder) =>
      globSync("**/*", { cwd: join(this.#root, folder) }).flatMap((file): Source[] => {
        const [language, path] = [languageOf(file), join(this.#root, folder, file)];
        const text = language === null ? "" : readFileSync(path, "utf8");
        return language === null || GENERATED.test(file) || (language === "ts" && MADE.test(text))
          ? []
          : [{ path: file.replaceAll("\\", "/"), language, text }];
      }),
    );
    const reach = new Reach(sources, [...SLUGS, ...WEIGHTED_SLUGS]);
    this.#reach.set(backend, reach);
    return reach;
  }
}

/** Core's constants that texts mention: a backend's kernels are compiled with their values. */
function constantsIn(texts: readonly string[]): string[] {
  const mentioned = new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z0-9_]*\b/g) ?? []));
  const values = Object.entries(limits).filter(
    ([name, value]) => typeof value !== "function" && mentioned.has(name),
  );
  return values.map(([name, value]) => `${name} ${JSON.stringify(value)}`).sort();
}

/** Enough of it to tell any two apart. */
const DIGITS = 16;

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, DIGITS);
}

let here: Fingerprinter | undefined;
let packed: Fingerprints | undefined;

/** What some rows depend on, by the sources at hand; undefined where there are none. */
export function fingerprintsOf(rows: readonly Named[]): Fingerprints | undefined {
  if (existsSync(PACKED)) {
    packed ??= JSON.parse(readFileSync(PACKED, "utf8")) as Fingerprints;
    return chosen(packed, rows);
  }
  if (!existsSync(join(ROOT, "packages"))) return undefined;
  here ??= new Fingerprinter();
  return here.ofRows(rows);
}

function chosen(all: Fingerprints, rows: readonly Named[]): Fingerprints {
  const has = (backend: string, algorithm: string) =>
    rows.some((row) => row.backend === backend && row.algorithm === algorithm);
  return Object.fromEntries(
    Object.entries(all).flatMap(([backend, of]) => {
      const some = Object.entries(of).filter(([algorithm]) => has(backend, algorithm));
      return some.length === 0 ? [] : [[backend, Object.fromEntries(some)]];
    }),
  );
}
