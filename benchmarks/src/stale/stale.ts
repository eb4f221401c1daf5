import type { Results, Row } from "../runner/row.ts";
import type { Fingerprint, Fingerprinter } from "../sources/fingerprints.ts";

/** The fields of a result file that determine its age. Files of the conformance suite have no rows. */
export type Dated = Pick<Results, "commit" | "date" | "sources"> & {
  readonly rows?: readonly Pick<Row, "backend" | "algorithm">[];
};

/** An algorithm whose code is newer than a file's rows. */
export interface Outdated {
  readonly backend: string;
  readonly algorithm: string;
  /** Number of rows in the file; null if it has none. */
  readonly rows: number | null;
  readonly why: string;
}

/** The age of a file relative to its code. `unknown`: the file has no hashes. */
export type Age =
  | { readonly state: "current" | "unknown" }
  | { readonly state: "stale"; readonly outdated: readonly Outdated[] };

/** Compares the fingerprints in a result file with those of the current sources. */
export function ageOf({ sources, rows }: Dated, now: Pick<Fingerprinter, "of">): Age {
  const ours = rows?.filter(({ backend, algorithm }) => backend !== null && algorithm !== null) ?? [];
  if (sources === undefined || Object.keys(sources).length === 0) {
    // Rows of other programs do not depend on our code.
    return { state: rows !== undefined && rows.length > 0 && ours.length === 0 ? "current" : "unknown" };
  }
  const outdated = Object.entries(sources).flatMap(([backend, of]) =>
    Object.entries(of).flatMap(([algorithm, then]): Outdated[] => {
      const why = changeOf(then, now.of(backend, algorithm));
      const its = ours.filter((row) => row.backend === backend && row.algorithm === algorithm);
      return why === null ? [] : [{ backend, algorithm, rows: rows === undefined ? null : its.length, why }];
    }),
  );
  if (outdated.length > 0) return { state: "stale", outdated };
  const untold = ours.some(({ backend, algorithm }) => sources[backend!]?.[algorithm!] === undefined);
  return { state: untold ? "unknown" : "current" };
}

function changeOf(then: Fingerprint, now: Fingerprint | null): string | null {
  if (now === null) return "it no longer exists";
  const changes = [
    ...(then.kernel === now.kernel ? [] : ["its kernel changed"]),
    ...(then.plans === now.plans ? [] : ["its plans changed"]),
  ];
  return changes.length === 0 ? null : changes.join(", and ");
}

/** A file and its age. */
export interface Aged {
  readonly name: string;
  readonly file: Dated;
  readonly age: Age;
}

/** Writes the stale files with their rows, then files of unknown age, then the number of each. */
export function ageText(files: readonly Aged[]): string {
  const of = ({ file: { commit, date } }: Aged) => `commit ${commit.slice(0, 12)} of ${date.slice(0, 10)}`;
  const stale = files.flatMap((one) => {
    if (one.age.state !== "stale") return [];
    const lines = one.age.outdated.map(({ backend, algorithm, rows, why }) => {
      const count = rows === null ? "" : `: ${rows} row${rows === 1 ? "" : "s"}`;
      return `  ${backend} ${algorithm}${count}: ${why}`;
    });
    return [`${one.name}: older than its code (${of(one)})`, ...lines];
  });
  const unknown = files.filter(({ age }) => age.state === "unknown");
  const count = (state: Age["state"]) => files.filter(({ age }) => age.state === state).length;
  return [
    ...stale,
    ...unknown.map((one) => `${one.name}: age unknown, because it has no hashes (${of(one)})`),
    `${files.length} files: ${count("stale")} older than their code, ${count("unknown")} of unknown age, ${count("current")} up to date`,
    "",
  ].join("\n");
}
