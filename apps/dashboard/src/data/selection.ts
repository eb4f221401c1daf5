import { dayOf, newestFirst } from "./hosts.ts";
import { programOf } from "./programs.ts";
import type { Route } from "./route.ts";
import type { FileEntry, Row } from "./types.ts";
import { isDefault, SOFTWARE } from "./words.ts";

/** Whose results a view reads. `one file`: no plot shows two runs, hosts or days together. */
export type Readers = "one file" | "any machine";

/**
 * Returns the files that an address selects, and the completed address. A view of one file takes the machine with the most
 * rows if the address names none.
 */
export function selection(
  all: readonly FileEntry[],
  route: Route,
  reads: Readers,
): { readonly route: Route; readonly files: readonly FileEntry[] } {
  const software = showsSoftware(route);
  const real = all.filter((file) => software || !isSoftware(file));
  const machine = route.selected.get("machine") ?? (reads === "one file" ? mostMeasured(real) : undefined);
  const selected = new Map(route.selected);
  if (machine !== undefined) selected.set("machine", machine);
  const of = real.filter(({ folder }) => machine === undefined || machine === folder);
  return { route: { ...route, selected }, files: newestFirst(of) };
}

/** The rows of a view, and the file that they come from. */
export interface Sourced {
  /**
   * The files that the view can draw. Those that measured what a call does on its own come before studies of one method,
   * those of the machine's GPU before those of its CPU, and then the last day, the file with most programs, and the one
   * that measured most.
   */
  readonly sources: readonly FileEntry[];
  /** The file that the address names, else the first one; null if there is none. */
  readonly source: FileEntry | null;
  readonly rows: readonly Row[];
}

/**
 * Chooses the one file of a view, because a plot of several would compare other hosts, days and loads.
 * @param rows rows of the machine on one basis
 * @param drawable returns the rows of a file that the view can draw
 */
export function sourced(
  { selected }: Route,
  files: readonly FileEntry[],
  rows: readonly Row[],
  drawable: (rows: readonly Row[]) => readonly Row[],
): Sourced {
  const byFile = Map.groupBy(rows, ({ file }) => file.path);
  const found = new Map(files.map(({ path }) => [path, drawable(byFile.get(path) ?? [])]));
  const programs = ({ path }: FileEntry) => new Set(found.get(path)!.map((row) => programOf(row).id)).size;
  const usual = ({ path }: FileEntry) => Number(found.get(path)!.some(isDefault));
  const onGpu = ({ machine }: FileEntry) => Number(machine?.gpu != null);
  const sources = files
    .filter(({ path }) => found.get(path)!.length > 0)
    .toSorted(
      (a, b) =>
        usual(b) - usual(a) ||
        onGpu(b) - onGpu(a) ||
        dayOf(b).localeCompare(dayOf(a)) ||
        programs(b) - programs(a) ||
        found.get(b.path)!.length - found.get(a.path)!.length,
    );
  const named = files.find(({ name }) => name === selected.get("from"));
  const source = named ?? sources[0] ?? null;
  return { sources, source, rows: source === null ? [] : found.get(source.path)! };
}

/** Whether the reader asked for software adapters, which count on the CPU in place of a GPU: by a box, or by the machine's name. */
export const showsSoftware = ({ selected }: Route): boolean =>
  selected.get("software") === "1" || SOFTWARE.test(selected.get("machine") ?? "");

/** Whether a software adapter was the GPU of a file. */
export const isSoftware = ({ machine }: FileEntry): boolean => SOFTWARE.test(String(machine?.gpu ?? ""));

function mostMeasured(files: readonly FileEntry[]): string | undefined {
  const rows = new Map<string, number>();
  for (const { folder, rows: count } of files) rows.set(folder, (rows.get(folder) ?? 0) + count);
  return [...rows].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
